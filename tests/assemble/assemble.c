/* Assembles a binary case of the corpus from its readable source: assemble.h has the grammar. */
#include "assemble.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 512, MAX_WORDS = 64, MAX_SIZE = 1 << 24 };

/* The state. Bytes are written at `at`, up to `limit`, which is the end of the file in a patch. */
typedef struct assembly {
    const char *folder, *next; /* the next line of the source */
    int line;
    int64_t turn, start; /* of the innermost repeat */
    uint8_t *bytes;
    size_t room, size, at, limit;
    char *error;
} assembly;

/* One line. A word that was quoted begins with its quote. */
typedef struct words {
    char text[MAX_LINE], *word[MAX_WORDS];
    int count;
} words;

typedef bool statement(assembly *a, const words *w);

static bool fail(assembly *a, const char *format, ...)
{
    va_list args;
    int n = snprintf(a->error, ASSEMBLE_ERROR, "%d: ", a->line);
    va_start(args, format);
    vsnprintf(a->error + n, ASSEMBLE_ERROR - (size_t)n, format, args);
    va_end(args);
    return false;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Makes room for so many bytes. */
static bool reach(assembly *a, size_t size)
{
    if (size <= a->room)
        return true;
    size_t room = 2 * size + 4096;
    uint8_t *bytes = realloc(a->bytes, room);
    if (bytes == NULL)
        return fail(a, "out of memory");
    a->bytes = bytes;
    a->room = room;
    return true;
}

static bool put(assembly *a, uint8_t byte)
{
    if (a->at >= a->limit)
        return fail(a, a->limit == MAX_SIZE ? "the file is too large"
                       : a->limit == 0      ? "expected patch or append before values"
                                            : "the patch runs past the end of the file");
    if (!reach(a, a->at + 1))
        return false;
    a->bytes[a->at++] = byte;
    if (a->size < a->at)
        a->size = a->at;
    return true;
}

static bool put32(assembly *a, uint32_t bits)
{
    return put(a, (uint8_t)bits) && put(a, (uint8_t)(bits >> 8)) && put(a, (uint8_t)(bits >> 16)) &&
           put(a, (uint8_t)(bits >> 24));
}

static void *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long end = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *bytes = end >= 0 && end < MAX_SIZE ? malloc((size_t)end + 1) : NULL;
    bool whole = bytes != NULL && fseek(file, 0, SEEK_SET) == 0 &&
                 fread(bytes, 1, (size_t)end, file) == (size_t)end;
    if (file != NULL)
        fclose(file);
    if (!whole) {
        free(bytes);
        return NULL;
    }
    bytes[end] = '\0'; /* a source is text */
    *size = (size_t)end;
    return bytes;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Splits the next line into words. */
static bool read_line(assembly *a, words *w)
{
    size_t n = strcspn(a->next, "\n");
    w->count = 0;
    a->line++;
    if (n >= MAX_LINE)
        return fail(a, "the line is too long");
    memcpy(w->text, a->next, n);
    w->text[n] = '\0';
    a->next += n + (a->next[n] == '\n');
    char *s = w->text;
    for (s += strspn(s, " \t\r"); *s != '\0' && *s != '#'; s += strspn(s, " \t\r")) {
        if (w->count == MAX_WORDS)
            return fail(a, "too many words in a line");
        w->word[w->count++] = s;
        char *end = s + 1 + strcspn(s + 1, *s == '"' ? "\"" : " \t\r");
        if (*s == '"' && *end == '\0')
            return fail(a, "the quote has no end");
        s = end + (*end != '\0');
        *end = '\0';
    }
    return true;
}

/* Reads an integer, or `turn` or `start`, within limits. */
static bool read_int(assembly *a, const char *word, int64_t min, int64_t max, int64_t *value)
{
    const char *plain = word + (*word == '-');
    char *end;
    errno = 0;
    if (strcmp(plain, "turn") == 0 || strcmp(plain, "start") == 0) {
        *value = *plain == 't' ? a->turn : a->start;
        *value = plain == word ? *value : -*value;
    } else {
        *value = strtoll(word, &end, strncmp(plain, "0x", 2) == 0 ? 16 : 10);
        if (end == word || *end != '\0')
            return fail(a, "not an integer: %s", word);
    }
    if (errno != 0 || *value < min || *value > max)
        return fail(a, "out of range: %s", word);
    return true;
}

/* The only operand of a statement: a size or an offset. */
static bool read_size(assembly *a, const words *w, int at, int count, size_t *size)
{
    int64_t value;
    if (w->count != count)
        return fail(a, "%s: expected %d operand%s", w->word[0], count - 1, count == 2 ? "" : "s");
    if (!read_int(a, w->word[at], 0, MAX_SIZE, &value))
        return false;
    *size = (size_t)value;
    return true;
}

/* ---- Statements ------------------------------------------------------------------------------ */

static bool run_int(assembly *a, const words *w)
{
    bool ok = true;
    int64_t value;
    for (int i = 1; ok && i < w->count; i++)
        ok = read_int(a, w->word[i], INT32_MIN, UINT32_MAX, &value) && put32(a, (uint32_t)value);
    return ok;
}

static bool run_short(assembly *a, const words *w)
{
    bool ok = true;
    int64_t value;
    for (int i = 1; ok && i < w->count; i++)
        ok = read_int(a, w->word[i], INT16_MIN, UINT16_MAX, &value) && put(a, (uint8_t)value) &&
             put(a, (uint8_t)(value >> 8));
    return ok;
}

static bool run_float(assembly *a, const words *w)
{
    for (int i = 1; i < w->count; i++) {
        char *end;
        float value = strtof(w->word[i], &end);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (end == w->word[i] || *end != '\0')
            return fail(a, "not a number: %s", w->word[i]);
        if (!put32(a, isnan(value) ? 0x7fc00000 : bits))
            return false;
    }
    return true;
}

static bool run_byte(assembly *a, const words *w)
{
    for (int i = 1; i < w->count; i++) {
        const char *hex = w->word[i];
        if (strlen(hex) != 2 || strspn(hex, "0123456789abcdef") != 2)
            return fail(a, "not two hex digits: %s", hex);
        if (!put(a, (uint8_t)strtoul(hex, NULL, 16)))
            return false;
    }
    return true;
}

static bool run_zero(assembly *a, const words *w)
{
    size_t n = 0;
    bool ok = read_size(a, w, 1, 2, &n);
    while (ok && n-- != 0)
        ok = put(a, 0);
    return ok;
}

static bool run_name(assembly *a, const words *w)
{
    size_t size = 0, n = 0;
    char text[MAX_LINE + 24];
    if (!read_size(a, w, 1, 3, &size))
        return false;
    if (*w->word[2] != '"')
        return fail(a, "expected a name in quotes");
    for (const char *s = w->word[2] + 1; *s != '\0' && n < MAX_LINE; s++)
        if (*s == '%')
            n += (size_t)snprintf(text + n, sizeof text - n, "%lld", (long long)a->turn);
        else
            text[n++] = *s;
    if (n > size)
        return fail(a, "the name is longer than %zu bytes", size);
    for (size_t i = 0; i < size; i++)
        if (!put(a, i < n ? (uint8_t)text[i] : 0))
            return false;
    return true;
}

static bool run_at(assembly *a, const words *w)
{
    size_t at = 0;
    if (!read_size(a, w, 1, 2, &at))
        return false;
    return at == a->at || fail(a, "the offset is 0x%zx, expected %s", a->at, w->word[1]);
}

static bool run_from(assembly *a, const words *w)
{
    char path[2 * MAX_LINE];
    if (w->count != 2 || a->size != 0)
        return fail(a, "expected `from FILE` as the first statement only");
    snprintf(path, sizeof path, "%s/%s", a->folder, w->word[1]);
    free(a->bytes);
    a->bytes = load(path, &a->size);
    a->room = a->size;
    a->limit = 0;
    return a->bytes != NULL || fail(a, "cannot read %s", path);
}

static bool run_file(assembly *a, const words *w)
{
    char path[2 * MAX_LINE];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", a->folder, w->word[1]);
    uint8_t *bytes = load(path, &size);
    bool ok = bytes != NULL || fail(a, "cannot read %s", path);
    for (size_t i = 0; ok && i < size; i++)
        ok = put(a, bytes[i]);
    free(bytes);
    return ok;
}

static bool run_patch(assembly *a, const words *w)
{
    a->limit = a->size;
    return read_size(a, w, 1, 2, &a->at) &&
           (a->at < a->size || fail(a, "the file ends at 0x%zx", a->size));
}

static bool run_append(assembly *a, const words *w)
{
    a->at = a->size;
    a->limit = MAX_SIZE;
    return w->count == 1 || fail(a, "append has no operands");
}

/* Sets the length of the file. A new patch or append is needed before values. */
static void resize(assembly *a, size_t size)
{
    a->at = a->size = size;
    a->limit = 0;
}

static bool run_cut(assembly *a, const words *w)
{
    size_t size = 0;
    if (!read_size(a, w, 1, 2, &size))
        return false;
    if (size > a->size)
        return fail(a, "the file ends at 0x%zx already", a->size);
    resize(a, size);
    return true;
}

/* Removes bytes, or inserts zeros. */
static bool run_lose(assembly *a, const words *w)
{
    size_t at = 0, count = 0;
    if (!read_size(a, w, 1, 3, &at) || !read_size(a, w, 2, 3, &count))
        return false;
    if (at > a->size || count > a->size - at)
        return fail(a, "the file ends at 0x%zx", a->size);
    memmove(a->bytes + at, a->bytes + at + count, a->size - at - count);
    resize(a, a->size - count);
    return true;
}

static bool run_gain(assembly *a, const words *w)
{
    size_t at = 0, count = 0;
    if (!read_size(a, w, 1, 3, &at) || !read_size(a, w, 2, 3, &count))
        return false;
    if (at > a->size)
        return fail(a, "the file ends at 0x%zx", a->size);
    if (count > MAX_SIZE - a->size)
        return fail(a, "the file is too large");
    if (!reach(a, a->size + count))
        return false;
    memmove(a->bytes + at + count, a->bytes + at, a->size - at);
    memset(a->bytes + at, 0, count);
    resize(a, a->size + count);
    return true;
}

/* ---- The whole source ------------------------------------------------------------------------ */

static bool run_line(assembly *a, const words *w)
{
    static const struct {
        const char *word;
        statement *run;
    } statements[] = {{"int", run_int},     {"float", run_float}, {"byte", run_byte},
                      {"name", run_name},   {"zero", run_zero},   {"at", run_at},
                      {"from", run_from},   {"patch", run_patch}, {"append", run_append},
                      {"cut", run_cut},     {"lose", run_lose},   {"gain", run_gain},
                      {"short", run_short}, {"file", run_file}};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strcmp(w->word[0], statements[i].word) == 0)
            return w->count > 1 || statements[i].run == run_append
                       ? statements[i].run(a, w)
                       : fail(a, "%s: missing operands", w->word[0]);
    return fail(a, "unknown statement: %s", w->word[0]);
}

static bool run_repeat(assembly *a, const words *w);

/* The statements of a block: up to its brace, or the source's end for the outermost. */
static bool run_block(assembly *a, bool braced)
{
    words w;
    while (*a->next != '\0') {
        if (!read_line(a, &w))
            return false;
        if (w.count == 1 && strcmp(w.word[0], "}") == 0)
            return braced || fail(a, "} without repeat");
        bool repeat = w.count != 0 && strcmp(w.word[0], "repeat") == 0;
        if (w.count != 0 && !(repeat ? run_repeat(a, &w) : run_line(a, &w)))
            return false;
    }
    return !braced || fail(a, "missing } of repeat");
}

static bool run_repeat(assembly *a, const words *w)
{
    const assembly outer = *a;
    size_t turns = 0;
    if (!read_size(a, w, 1, 3, &turns))
        return false;
    if (turns == 0 || strcmp(w->word[2], "{") != 0)
        return fail(a, "expected, for example: repeat 3 {");
    for (size_t i = 0; i < turns; i++) {
        a->next = outer.next;
        a->line = outer.line;
        a->turn = (int64_t)i;
        a->start = (int64_t)a->at;
        if (!run_block(a, true))
            return false;
    }
    a->turn = outer.turn;
    a->start = outer.start;
    return true;
}

uint8_t *assemble(const char *source, const char *folder, size_t *size, char error[ASSEMBLE_ERROR])
{
    assembly a = {.folder = folder, .next = source, .limit = MAX_SIZE, .error = error};
    bool ok = run_block(&a, false) && reach(&a, 1);
    *size = a.size;
    if (ok)
        return a.bytes;
    free(a.bytes);
    return NULL;
}

uint8_t *assemble_file(const char *path, size_t *size, char error[ASSEMBLE_ERROR])
{
    const char *slash = strrchr(path, '/');
    char folder[MAX_LINE];
    size_t length;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) : 1,
             slash != NULL ? path : ".");
    char *source = load(path, &length);
    uint8_t *bytes = NULL;
    if (source != NULL)
        bytes = assemble(source, folder, size, error);
    else
        snprintf(error, ASSEMBLE_ERROR, "0: cannot read the source");
    free(source);
    return bytes;
}
