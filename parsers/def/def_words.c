/* The words of declarations: types, keywords of a model, and lines that begin with one. */
#include "def_parser.h"

#include <string.h>

m5_def_token m5_def_after(const m5_def_parser *p, m5_def_token t)
{
    return m5_def_scan(p->source, m5_def_end(t));
}

bool m5_def_is_sign(const m5_def_parser *p, m5_def_token t, char sign)
{
    return t.kind == M5_DEF_SIGN && t.span.length == 1 &&
           p->source->bytes[t.span.offset] == (uint8_t)sign;
}

bool m5_def_is_brace(const m5_def_parser *p, m5_def_token t)
{
    return m5_def_is_sign(p, t, '{') || m5_def_is_sign(p, t, '}');
}

bool m5_def_is_name(m5_def_token t)
{
    return t.kind != M5_DEF_END && t.kind != M5_DEF_SIGN;
}

/* ---- Types of declarations ---------------------------------------------------------------------
 */

/* The types of idDeclManagerLocal::Init and idGameLocal::Init, whose names may have any case. */
static const struct {
    const char *name;
    m5_def_type type;
} types[] = {
    {"model", M5_DEF_MODEL},  {"entityDef", M5_DEF_ENTITY}, {"material", M5_DEF_OTHER},
    {"skin", M5_DEF_OTHER},   {"table", M5_DEF_OTHER},      {"sound", M5_DEF_OTHER},
    {"mapDef", M5_DEF_OTHER}, {"fx", M5_DEF_OTHER},         {"particle", M5_DEF_OTHER},
    {"pda", M5_DEF_OTHER},    {"email", M5_DEF_OTHER},      {"video", M5_DEF_OTHER},
    {"audio", M5_DEF_OTHER},  {"export", M5_DEF_OTHER},     {"articulatedFigure", M5_DEF_OTHER},
};
enum { TYPES = sizeof types / sizeof *types };

m5_def_type m5_def_type_of(const m5_source *s, m5_def_token t)
{
    for (unsigned i = 0; i < TYPES && t.kind == M5_DEF_WORD; i++)
        if (m5_def_is_like(s, t.text, types[i].name))
            return types[i].type;
    return M5_DEF_UNKNOWN;
}

m5_def_type m5_def_type_meant(const m5_source *s, m5_def_token t, const char **name)
{
    for (unsigned i = 0; i < TYPES && t.kind == M5_DEF_WORD; i++)
        if (m5_def_is_misspelt(s, t.text, types[i].name)) {
            *name = types[i].name;
            return types[i].type;
        }
    return M5_DEF_UNKNOWN;
}

bool m5_def_begins_declaration(const m5_def_parser *p, m5_def_token t)
{
    if (!t.new_line || m5_def_type_of(p->source, t) == M5_DEF_UNKNOWN)
        return false;
    m5_def_token name = m5_def_after(p, t);
    return m5_def_is_name(name) && m5_def_is_sign(p, m5_def_after(p, name), '{');
}

/* ---- Lines of a model --------------------------------------------------------------------------
 */

static const char *const keys[] = {"inherit", "skin",   "mesh", "offset",
                                   "channel", "remove", "anim"};
enum { KEYS = sizeof keys / sizeof *keys };

const char *m5_def_model_key(const m5_def_parser *p, m5_span text, bool misspelt)
{
    for (unsigned i = 0; i < KEYS; i++)
        if (misspelt ? m5_def_is_misspelt(p->source, text, keys[i])
                     : m5_def_is(p->source, text, keys[i]))
            return keys[i];
    return NULL;
}

bool m5_def_is_file(const m5_def_parser *p, m5_def_token t, const char *extension)
{
    return m5_def_is_name(t) &&
           m5_def_is_like(p->source, m5_def_extension(p->source, t.text), extension);
}

bool m5_def_begins_model_line(const m5_def_parser *p, m5_def_token t)
{
    const char *key = t.new_line && t.kind == M5_DEF_WORD ? m5_def_model_key(p, t.text, false)
                                                          : NULL;
    if (key == NULL)
        return false;
    m5_def_token name = m5_def_after(p, t), third = m5_def_after(p, name);
    if (strcmp(key, "mesh") == 0)
        return m5_def_is_file(p, name, ".md5mesh");
    if (strcmp(key, "channel") == 0)
        return m5_def_is_sign(p, third, '(');
    return strcmp(key, "anim") == 0 && m5_def_is_file(p, third, ".md5anim");
}
