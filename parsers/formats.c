/* Finds out which format a file is in, and parses it. */
#include "formats.h"
#include "core/magic.h"
#include "md5/lex.h"

#include <string.h>

#define M5_FORMAT(symbol, name, text)                                                              \
    static m5_status parse_##symbol(m5_report *report, m5_arena *arena, m5_model *out)             \
    {                                                                                              \
        return m5_##symbol##_parse(report, arena, &out->symbol);                                   \
    }
#include "formats.def"
#undef M5_FORMAT

#define M5_FORMAT(symbol, name, text) {name, text, parse_##symbol},
static const m5_format formats[] = {
#include "formats.def"
};

enum { FORMATS = sizeof formats / sizeof *formats, SNIFF_MAX = 65536 };

const m5_format *m5_format_at(unsigned i)
{
    return i < FORMATS ? &formats[i] : NULL;
}

unsigned m5_format_bit(const m5_format *format)
{
    return 1u << (unsigned)(format - formats);
}

static bool same_but_case(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a >= 'A' && *a <= 'Z' ? *a | 0x20 : *a) != *b)
            return false;
    return *a == *b;
}

static const m5_format *by_name(const char *name)
{
    for (unsigned i = 0; i < FORMATS; i++)
        if (same_but_case(name, formats[i].name))
            return &formats[i];
    return NULL;
}

static const m5_format *by_extension(const char *extension)
{
    static const char *const archives[] = {"pk4", "pk3", "dpk", "kpf", "zip", "pak"};
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++)
        if (same_but_case(extension, archives[i]))
            return &formats[M5_FORMAT_pack];
    const m5_format *format = by_name(extension);
    return format != &formats[M5_FORMAT_pack] ? format : NULL;
}

const m5_format *m5_format_by_name(const char *file_name)
{
    const char *dot = strrchr(file_name, '.');
    return dot != NULL ? by_extension(dot + 1) : NULL;
}

/* A word at the start of a line that shows which format an MD5 text is in. If it is not sure, a
 * later one decides. */
typedef struct telling_word {
    const char *word, *format;
    bool sure;
} telling_word;

static const telling_word *find_telling_word(const m5_lex *lx, m5_token t)
{
    static const telling_word words[] = {
        {"numMeshes", "md5mesh", true},
        {"joints", "md5mesh", true},
        {"mesh", "md5mesh", true},
        {"numFrames", "md5anim", false},
        {"frameRate", "md5anim", false},
        {"hierarchy", "md5anim", true},
        {"numAnimatedComponents", "md5anim", true},
        {"numCuts", "md5camera", true},
        {"cuts", "md5camera", true},
        {"camera", "md5camera", true},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (m5_lex_is(lx, t, words[i].word))
            return &words[i];
    return NULL;
}

static const m5_format *md5_kind(const m5_source *source)
{
    m5_report silent = {.source = source};
    m5_lex lx;
    m5_lex_init(&lx, &silent, false);
    const telling_word *found = NULL;
    for (m5_token t = m5_lex_next(&lx); t.kind != M5_TOKEN_END; t = m5_lex_next(&lx)) {
        const telling_word *here = t.new_line ? find_telling_word(&lx, t) : NULL;
        found = here != NULL && (here->sure || found == NULL) ? here : found;
        if (found != NULL && found->sure)
            break;
    }
    return found != NULL ? by_name(found->format) : NULL;
}

const m5_format *m5_format_by_content(const uint8_t *bytes, size_t count)
{
    if (count == 0)
        return NULL;
    m5_source start = {"", bytes, (uint32_t)(count < SNIFF_MAX ? count : SNIFF_MAX)};
    const m5_magic *magic = m5_magic_of(&start);
    return magic != NULL && magic->format != NULL ? by_name(magic->format) : md5_kind(&start);
}

m5_status m5_parse(const m5_format *format, m5_report *report, m5_arena *arena, m5_model *out)
{
    *out = (m5_model){.format = format};
    return format->parse(report, arena, out);
}
