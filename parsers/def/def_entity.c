/* Reads the body of an entityDef, as idDeclEntityDef::Parse does: { "key" value ... }, where a
 * value is mostly in quotes but may be any token. Only keys that name models, animations or joints
 * are kept. */
#include "def_parser.h"
#include "../core/number.h"

#include <string.h>

/* Keys by what they begin with, with the function of Doom 3 that reads them. Keys have any case. */
static const struct {
    const char *prefix;
    m5_def_key_kind kind;
    bool whole; /* it is the whole key, but for a number after it */
} kinds[] = {
    {"inherit", M5_DEF_KEY_INHERIT, false},  /* idDeclEntityDef::Parse */
    {"model", M5_DEF_KEY_MODEL, true},       /* idEntity::Spawn */
    {"model_gib", M5_DEF_KEY_MODEL, true},   /* idAFEntity_Gibbable::InitSkeletonModel */
    {"model_view", M5_DEF_KEY_MODEL, true},  /* idWeapon::GetWeaponDef */
    {"model_world", M5_DEF_KEY_MODEL, true}, /* idWeapon::GetWeaponDef */
    {"anim", M5_DEF_KEY_ANIM, true},         /* idAnimated::Spawn */
    {"start_anim", M5_DEF_KEY_ANIM, true},   /* idAnimated::Spawn */
    {"ik_foot", M5_DEF_KEY_JOINT, true},     /* idIK_Walk::Init, and all down to ik_waist */
    {"ik_ankle", M5_DEF_KEY_JOINT, true},     {"ik_knee", M5_DEF_KEY_JOINT, true},
    {"ik_hip", M5_DEF_KEY_JOINT, true},       {"ik_dir", M5_DEF_KEY_JOINT, true},
    {"ik_waist", M5_DEF_KEY_JOINT, true},     {"ik_numLegs", M5_DEF_KEY_LIMBS, true},
    {"ik_hand", M5_DEF_KEY_JOINT, true}, /* idIK_Reach::Init */
    {"ik_elbow", M5_DEF_KEY_JOINT, true},     {"ik_shoulder", M5_DEF_KEY_JOINT, true},
    {"ik_numArms", M5_DEF_KEY_LIMBS, true},   {"bone_orientation", M5_DEF_KEY_JOINT, true},
    {"bone_flytilt", M5_DEF_KEY_JOINT, true}, /* idAI::Spawn, and bone_orientation */
    {"bone_hips", M5_DEF_KEY_JOINT, true},    /* idPlayer::Init */
    {"bone_chest", M5_DEF_KEY_JOINT, true},   {"bone_head", M5_DEF_KEY_JOINT, true},
    {"def_", M5_DEF_KEY_OPEN, false},   /* def_head is a model: idActor::SetupHead */
    {"model_", M5_DEF_KEY_OPEN, false}, /* model_detonate: idProjectile::Explode */
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Whether a key is `prefix`, with anything or only digits after it. */
static bool is_key(const m5_source *s, m5_span key, const char *prefix, bool whole)
{
    uint32_t length = (uint32_t)strlen(prefix);
    if (key.length < length || !m5_def_is_like(s, (m5_span){key.offset, length}, prefix))
        return false;
    for (uint32_t i = length; whole && i < key.length; i++)
        if (!m5_is_digit(s->bytes[key.offset + i]))
            return false;
    return true;
}

static void add_key(m5_def_parser *p, m5_name key, m5_name value)
{
    m5_def *d = p->def;
    for (unsigned i = 0; i < KINDS; i++) {
        if (!is_key(p->source, key, kinds[i].prefix, kinds[i].whole))
            continue;
        if (p->storing)
            d->keys[d->num_keys] = (m5_def_key){kinds[i].kind, key, value};
        d->num_keys++;
        return;
    }
}

/* ---- Keys and values ------------------------------------------------------------------------- */

static bool is_quoted(m5_def_token t)
{
    return t.kind == M5_DEF_STRING || t.kind == M5_DEF_LITERAL;
}

/* Whether a line has an even number of values from its first token on, up to a brace. What is glued
 * together is one value: -5 */
static bool is_line_of_pairs(const m5_def_parser *p, m5_def_token t)
{
    bool even = true, first = true;
    for (; (first || !t.new_line) && t.kind != M5_DEF_END && !m5_def_is_brace(p, t);
         t = m5_def_after(p, t), first = false)
        even ^= first || !t.glued || is_quoted(t);
    return even;
}

/* A value may be on the next line, which then has an odd number of strings; if it has a key and a
 * value of its own, the value is missing. */
static bool lacks_value(const m5_def_parser *p, m5_def_token t)
{
    return m5_def_is_brace(p, t) || t.kind == M5_DEF_END || m5_def_begins_declaration(p, t) ||
           (t.new_line && is_line_of_pairs(p, t));
}

/* Takes what belongs to an unquoted value with signs in it: -5, models/my-mod */
static void read_rest_of_value(m5_def_parser *p, m5_def_token t)
{
    m5_def_token more = m5_def_peek(p);
    while (!is_quoted(t) && more.glued && more.kind != M5_DEF_END && !is_quoted(more) &&
           !m5_def_is_brace(p, more)) {
        m5_def_next(p);
        more = m5_def_peek(p);
    }
}

static void read_value(m5_def_parser *p, m5_def_token key)
{
    m5_def_token t = m5_def_peek(p);
    if (lacks_value(p, t)) {
        m5_diag d = m5_def_found(p, M5_ROW(def_value_missing), key.span);
        m5_def_report(p, &d, 0, "the key '%.*s' has no value", M5_DEF_TEXT(p, key.text));
        return;
    }
    m5_def_next(p);
    read_rest_of_value(p, t);
    m5_span whole = {t.span.offset, p->at - t.span.offset};
    add_key(p, key.text, is_quoted(t) ? t.text : whole);
}

/* Whether a string on this line has no closing quote: then the quotes of the line are shifted, and
 * only that is reported. Found once for each line. */
static bool has_open_string(m5_def_parser *p, m5_def_token t)
{
    if (t.span.offset < p->line_end)
        return p->line_open;
    p->line_open = false;
    for (bool first = true; t.kind != M5_DEF_END && (first || !t.new_line);
         t = m5_def_after(p, t), first = false) {
        p->line_open |= t.flaw == M5_DEF_OPEN_STRING;
        p->line_end = m5_def_end(t);
    }
    return p->line_open;
}

/* A brace on such a line may be part of a string. */
static void skip_shifted_line(m5_def_parser *p)
{
    do
        m5_def_next(p);
    while (!m5_def_peek(p).new_line && m5_def_peek(p).kind != M5_DEF_END);
}

static void skip_unquoted_line(m5_def_parser *p)
{
    m5_def_next(p);
    m5_def_skip_line(p);
}

/* Where a key should be. */
static void read_unquoted(m5_def_parser *p, m5_def_token t, m5_span name)
{
    bool shifted = has_open_string(p, t);
    m5_diag d = m5_def_found(p, M5_ROW(def_key_unquoted), t.span);
    if (!shifted)
        m5_def_report(p, &d, 0, "expected a key in quotes, found '%.*s'", M5_DEF_TEXT(p, t.span));
    if (shifted)
        skip_shifted_line(p);
    else if (m5_def_is_sign(p, t, '{'))
        m5_def_skip_block(p, name);
    else
        skip_unquoted_line(p);
}

static void read_pairs(m5_def_parser *p, m5_span name)
{
    for (;;) {
        m5_def_token t = m5_def_peek_sound(p);
        if (t.kind == M5_DEF_END || m5_def_begins_declaration(p, t)) {
            m5_def_say_no_end(p, name);
            return;
        }
        if (m5_def_is_sign(p, t, '}')) {
            m5_def_next(p);
            return;
        }
        if (t.kind != M5_DEF_STRING) {
            read_unquoted(p, t, name);
            continue;
        }
        if (has_open_string(p, t)) {
            skip_shifted_line(p);
            continue;
        }
        m5_def_next(p);
        read_value(p, t);
    }
}

void m5_def_read_entity(m5_def_parser *p, m5_span name)
{
    m5_def *d = p->def;
    p->path = m5_path_to((m5_path){0}, "entity", d->num_entities, p->source, name);
    if (p->storing)
        d->entities[d->num_entities] = (m5_def_entity){name, d->num_keys};
    d->num_entities++;
    if (m5_def_is_sign(p, m5_def_peek(p), '{'))
        m5_def_next(p);
    read_pairs(p, name);
}
