/* Tells the cases of a rule apart, by the text that a finding is about. */
#include "targets.h"

#include <string.h>

static const char *const names[M5_TAGS] = {
    [M5_TAG_none] = NULL,
#define M5_TAG(symbol, name) [M5_TAG_##symbol] = name,
#include "parsers/core/tags.def"
#undef M5_TAG
};

const char *m5_tag_name(m5_tag tag)
{
    return names[tag];
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

/* Whether nothing but blanks follows. Only the few bytes that can end a file are looked at. */
static bool ends_file(const m5_source *s, uint32_t at)
{
    enum { MOST = 16 };
    if (s->size - at > MOST)
        return false;
    while (at < s->size && is_blank(s->bytes[at]))
        at++;
    return at == s->size;
}

static m5_tag tag_of_byte(uint8_t c)
{
    if (c == '-')
        return M5_TAG_negative;
    if (c == '+')
        return M5_TAG_plus;
    if (c == '"')
        return M5_TAG_string;
    if (c == '(' || c == ')')
        return M5_TAG_paren;
    if (c == '{' || c == '}')
        return c == '{' ? M5_TAG_open : M5_TAG_close;
    return (c >= '0' && c <= '9') || c == '.' ? M5_TAG_number : M5_TAG_word;
}

m5_tag m5_tag_of(const m5_source *s, const m5_diag *d)
{
    if (d->tag != M5_TAG_none)
        return d->tag;
    if (ends_file(s, d->at.offset + d->at.length) || d->at.offset >= s->size)
        return M5_TAG_at_end;
    uint8_t c = s->bytes[d->at.offset],
            before = d->at.offset > 0 ? s->bytes[d->at.offset - 1] : ' ';
    if (!is_blank(before) && (c == '{' || c == '}' || c == '/'))
        return M5_TAG_glued;
    return d->at.length == 0 ? M5_TAG_nothing : tag_of_byte(s->bytes[d->at.offset]);
}

static bool same_letter(uint8_t a, uint8_t b)
{
    return a == b || ((a | 0x20) == (b | 0x20) && (a | 0x20) >= 'a' && (a | 0x20) <= 'z');
}

static bool begins_with(const uint8_t *bytes, const char *keyword, size_t length)
{
    size_t i = 0;
    while (i < length && same_letter(bytes[i], (uint8_t)keyword[i]))
        i++;
    return i == length;
}

/* The keyword that begins a line, in capitals or not, if the line is not too long to go back to its
 * start. */
static const char *keyword_of(const m5_source *s, uint32_t at)
{
    static const char *const keywords[] = {"MD5Version",
                                           "commandline",
                                           "numJoints",
                                           "numMeshes",
                                           "joints",
                                           "mesh",
                                           "shader",
                                           "numverts",
                                           "numtris",
                                           "numweights",
                                           "numFrames",
                                           "frameRate",
                                           "vert",
                                           "tri",
                                           "weight",
                                           "hierarchy",
                                           "numAnimatedComponents",
                                           "bounds",
                                           "baseframe",
                                           "frame"};
    enum { MOST = 64 };
    uint32_t begin = at, least = at > MOST ? at - MOST : 0;
    while (begin > least && s->bytes[begin - 1] != '\n' && s->bytes[begin - 1] != '\r')
        begin--;
    while (begin < s->size && (s->bytes[begin] == ' ' || s->bytes[begin] == '\t'))
        begin++;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        size_t length = strlen(keywords[i]);
        if (s->size - begin < length || !begins_with(s->bytes + begin, keywords[i], length))
            continue;
        uint8_t behind = s->size - begin > length ? s->bytes[begin + length] : ' ';
        if (is_blank(behind) || behind == '{')
            return keywords[i];
    }
    return "";
}

const char *m5_record_of(const m5_source *s, const m5_diag *d)
{
    const char *record = "";
    for (int i = 0; i < M5_PATH_STEPS && d->path.step[i].name != NULL; i++)
        record = d->path.step[i].name;
    if (*record != '\0' && strcmp(record, "mesh") != 0)
        return record;
    const char *keyword = d->at.offset <= s->size ? keyword_of(s, d->at.offset) : "";
    return *keyword != '\0' ? keyword : record;
}
