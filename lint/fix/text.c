/* Fixes of text that some readers stumble over: the file's ends, line endings, quotes, braces. */
#include "fixes.h"
#include "parsers/core/allocate.h"
#include "parsers/core/number.h"
#include "parsers/md5/lex.h"

#include <string.h>

static const uint8_t *bytes_of(const m5_fixing *x)
{
    return x->f->source.bytes;
}

static uint32_t end_of(m5_span at)
{
    return at.offset + at.length;
}

static void insert(m5_fixing *x, uint32_t at, const char *text)
{
    m5_fix_replace(x, (m5_span){at, 0}, text, strlen(text));
}

static void remove_between(m5_fixing *x, uint32_t from, uint32_t to)
{
    m5_fix_replace(x, (m5_span){from, to - from}, NULL, 0);
}

static uint32_t line_start(const m5_fixing *x, uint32_t at)
{
    while (at > 0 && bytes_of(x)[at - 1] != '\n')
        at--;
    return at;
}

bool m5_fix_remove(m5_fixing *x)
{
    m5_fix_replace(x, x->diag->at, NULL, 0);
    return x->f->source.size > x->diag->at.length;
}

/* ---- The whole file -------------------------------------------------------------------------- */

/* Only where nothing was lost: then it is no error. */
bool m5_fix_nul(m5_fixing *x)
{
    uint32_t at = x->diag->at.offset, size = x->f->source.size;
    for (uint32_t i = at; i < size; i++)
        if (bytes_of(x)[i] > ' ')
            return false;
    if (x->diag->own != M5_WARNING)
        return false;
    remove_between(x, at, size);
    return true;
}

/* One that is only white space becomes a space; otherwise each of the file ends a line. */
bool m5_fix_cr(m5_fixing *x)
{
    const uint8_t *p = bytes_of(x);
    uint32_t size = x->f->source.size;
    if (x->diag->own == M5_WARNING) {
        m5_fix_replace(x, x->diag->at, " ", 1);
        return true;
    }
    for (uint32_t i = 0, end; i < size; i = end) {
        end = i + 1;
        while (p[i] == '\r' && end < size && p[end] == '\r')
            end++;
        for (uint32_t k = i; p[i] == '\r' && k < end && !(end < size && p[end] == '\n'); k++)
            m5_fix_replace(x, (m5_span){k, 1}, "\n", 1);
    }
    return true;
}

/* Whether the high byte of each character comes first. */
static bool is_big_endian(const uint8_t *p)
{
    return p[0] == 0 || (p[0] == 0xfe && p[1] == 0xff);
}

/* Where every character is ASCII: its low byte stays. */
bool m5_fix_utf16(m5_fixing *x)
{
    const uint8_t *p = bytes_of(x);
    uint32_t size = x->f->source.size, count = 0, big = is_big_endian(p);
    uint32_t begin = p[0] >= 0xfe ? 2 : 0; /* a byte order mark */
    char *text = m5_arena_take(x->arena, size / 2, 1);
    if (text == NULL || size % 2 != 0)
        return false;
    for (uint32_t i = begin; i < size; i += 2) {
        uint8_t low = p[i + big], high = p[i + 1 - big];
        if (high != 0 || low == 0 || low >= 0x80)
            return false;
        text[count++] = (char)low;
    }
    m5_fix_replace(x, (m5_span){0, size}, text, count);
    return count != 0;
}

/* Of two copies that are the same but for white space at their ends, the first stays. */
bool m5_fix_repeated(m5_fixing *x)
{
    const uint8_t *p = bytes_of(x);
    uint32_t at = x->diag->at.offset, end = at, size = x->f->source.size, last = size;
    while (end > 0 && m5_is_blank(p[end - 1]))
        end--;
    while (last > at && m5_is_blank(p[last - 1]))
        last--;
    if (last - at != end || memcmp(p, p + at, end) != 0)
        return false;
    remove_between(x, at, size);
    return true;
}

/* ---- Words ----------------------------------------------------------------------------------- */

bool m5_fix_version_form(m5_fixing *x)
{
    m5_fix_replace(x, x->diag->at, "10", 2);
    return true;
}

static uint8_t lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + ('a' - 'A')) : c;
}

static bool is_same_but_case(const uint8_t *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != lower((uint8_t)word[i]))
            return false;
    return true;
}

bool m5_fix_key_case(m5_fixing *x)
{
    static const char *const words[] = {"MD5Version",
                                        "commandline",
                                        "numJoints",
                                        "numMeshes",
                                        "numFrames",
                                        "numCuts",
                                        "frameRate",
                                        "joints",
                                        "mesh",
                                        "shader",
                                        "numverts",
                                        "numtris",
                                        "numweights",
                                        "vert",
                                        "tri",
                                        "weight",
                                        "hierarchy",
                                        "bounds",
                                        "baseframe",
                                        "frame",
                                        "cuts",
                                        "camera",
                                        "numAnimatedComponents"};
    m5_span at = x->diag->at;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (length != at.length || !is_same_but_case(bytes_of(x) + at.offset, words[i], length))
            continue;
        m5_fix_replace(x, at, words[i], length);
        return true;
    }
    return false;
}

static bool is_of_name(uint8_t c)
{
    return m5_is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || memchr("_-.:/", c, 5) != NULL;
}

/* Replaces other quotes around a name. Other files may have the name with them, so that this is not
 * safe. Returns what is between the quotes, or all of it where there are none. */
static m5_span replace_quotes(m5_fixing *x, m5_span at)
{
    m5_span name = m5_lex_inside_quotes((const char *)bytes_of(x) + at.offset, at);
    if (name.length == at.length)
        return at;
    m5_fix_replace(x, (m5_span){at.offset, name.offset - at.offset}, "\"", 1);
    m5_fix_replace(x, (m5_span){end_of(name), end_of(at) - end_of(name)}, "\"", 1);
    x->unsafe = true;
    return name;
}

/* A word of letters and digits can only be meant as it is. One that ends at `//` may be a path with
 * an empty folder, and one with a quote after it the first of several words. */
bool m5_fix_quotes(m5_fixing *x)
{
    m5_span at = x->diag->at;
    for (uint32_t i = end_of(at); i < x->f->source.size && bytes_of(x)[i] != '\n'; i++)
        if (bytes_of(x)[i] == '"' || (bytes_of(x)[i] == '/' && i == end_of(at)))
            return false;
    m5_span name = replace_quotes(x, at);
    for (uint32_t i = name.offset; i < end_of(name); i++)
        if (!is_of_name(bytes_of(x)[i]))
            return false;
    if (name.length == 0)
        return false;
    if (name.length == at.length) {
        insert(x, at.offset, "\"");
        insert(x, end_of(at), "\"");
    }
    return true;
}

bool m5_fix_commandline(m5_fixing *x)
{
    const uint8_t *p = bytes_of(x);
    uint32_t begin = x->diag->at.offset, end = begin;
    if (x->diag->at.length == 0) {
        while (end < x->f->source.size && m5_is_blank(p[end]))
            end++;
        insert(x, begin, " \"\"");
        return end < x->f->source.size && p[end] != '"'; /* no text on the next line */
    }
    for (; end < x->f->source.size && p[end] != '\n'; end++)
        if (memchr("\"'`{}", p[end], 5) != NULL || p[end] >= 0x7f ||
            (p[end] == '/' && end > begin && p[end - 1] == '/') ||
            (p[end] == '*' && end > begin && p[end - 1] == '/')) /* a comment, maybe */
            return false;
    if (end == x->f->source.size) /* and the rest of the file is lost */
        return false;
    while (m5_is_blank(p[end - 1]))
        end--;
    insert(x, begin, "\"");
    insert(x, end, "\"");
    return true;
}

static const uint8_t *pass_blanks(const uint8_t *p, const uint8_t *end)
{
    while (p < end && m5_is_blank(*p))
        p++;
    return p;
}

static const uint8_t *pass_integer(const uint8_t *p, const uint8_t *end)
{
    if (*p == '-')
        p = pass_blanks(p + 1, end);
    while (p < end && m5_is_digit(*p))
        p++;
    return pass_blanks(p, end);
}

/* Whether what follows the name of a joint or a shader fits: the parent and a position; parent,
 * flags and startIndex; or nothing. With one number more the name may have had two words. */
static bool is_rest_of_name(const uint8_t *rest, const uint8_t *end, bool joint)
{
    unsigned integers = 0;
    rest = pass_blanks(rest, end);
    for (; rest < end && (*rest == '-' || m5_is_digit(*rest)); integers++)
        rest = pass_integer(rest, end);
    if (!joint)
        return integers == 0 && rest == end;
    return (integers == 1 && rest < end && *rest == '(') ||
           (integers == 3 && (rest == end || *rest == '/'));
}

/* The word after a quote without another one is the name, in the line of a joint or shader. At the
 * end of the file the name may be cut. */
static bool close_quote(m5_fixing *x, m5_span at)
{
    const uint8_t *p = bytes_of(x), *line = p + line_start(x, at.offset), *quote = p + at.offset;
    while (line < quote && m5_is_blank(*line))
        line++;
    bool joint = line == quote, shader = quote - line > 6 && memcmp(line, "shader", 6) == 0;
    const uint8_t *end = quote + at.length, *word = quote + 1;
    while (word < end && !m5_is_blank(*word))
        word++;
    insert(x, (uint32_t)(word - p), "\"");
    return (joint || shader) && word > quote + 1 && end_of(at) < x->f->source.size &&
           is_rest_of_name(word, end, joint);
}

bool m5_fix_one_quote(m5_fixing *x)
{
    m5_span at = x->diag->at;
    if (bytes_of(x)[at.offset] == '"')
        return close_quote(x, at);
    insert(x, at.offset, "\"");
    return true;
}

/* ---- Braces ---------------------------------------------------------------------------------- */

/* Not after a comment, which the brace would belong to, or which may begin on another line; nor if
 * the keyword is indented, which is reported once the brace is beside it. */
bool m5_fix_brace_newline(m5_fixing *x)
{
    const uint8_t *p = bytes_of(x);
    uint32_t at = x->diag->at.offset, end = at;
    while (end > 0 && p[end - 1] <= ' ')
        end--;
    uint32_t begin = line_start(x, end);
    if (begin == end || p[begin] <= ' ' || !is_of_name(p[end - 1]))
        return false;
    for (uint32_t i = begin; i + 1 < end; i++)
        if ((p[i] == '/' && (p[i + 1] == '/' || p[i + 1] == '*')) ||
            (p[i] == '*' && p[i + 1] == '/'))
            return false;
    m5_fix_replace(x, (m5_span){end, at - end}, " ", 1);
    return true;
}

/* The brace goes to the start of its line, or of a new one that ends as the one before. */
bool m5_fix_brace_column(m5_fixing *x)
{
    const uint8_t *p = bytes_of(x);
    uint32_t at = x->diag->at.offset, start = line_start(x, at), end = at;
    while (end > start && m5_is_blank(p[end - 1]))
        end--;
    bool crlf = start > 1 && p[start - 2] == '\r';
    if (end == start)
        remove_between(x, start, at);
    else
        m5_fix_replace(x, (m5_span){end, at - end}, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
    return true;
}
