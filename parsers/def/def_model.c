/* Reads the body of a model declaration, as idDeclModelDef::Parse does:
 *
 *     { inherit MODEL | skin SKIN | mesh FILE | offset ( x y z ) | channel NAME ( joints )
 *       | remove ANIM | anim NAME FILES [{ ... }]  in any number and order, mesh first } */
#include "def_parser.h"
#include "../core/number.h"

#include <math.h>
#include <string.h>

/* Which meshes and skeletons are known so far: an animation needs one. */
typedef struct body {
    m5_span name;
    bool has_mesh;
    m5_once said_order;
} body;

/* ---- inherit, skin, mesh, remove ---------------------------------------------------------------
 */

static void read_line(m5_def_parser *p, m5_span keyword, m5_def_line_kind kind, const char *what)
{
    m5_def *d = p->def;
    m5_name name;
    if (!m5_def_read_name(p, keyword, what, &name))
        return;
    if (p->storing)
        d->lines[d->num_lines] = (m5_def_line){kind, name};
    d->num_lines++;
}

/* ---- offset ( x y z ) --------------------------------------------------------------------------
 */

/* Reports what is missing in the parentheses, and leaves the line. */
static bool refuse_vector(m5_def_parser *p, m5_def_token t, const char *what)
{
    bool ends = t.new_line || t.kind == M5_DEF_END;
    m5_diag d = m5_def_found(p, M5_ROW(def_vector), ends ? (m5_span){p->at, 0} : t.span);
    m5_def_report(p, &d, 0, "expected %s, found %s%.*s%s", what, ends ? "the end of the line" : "'",
                  ends ? 0 : (int)t.span.length, (const char *)p->source->bytes + t.span.offset,
                  ends ? "" : "'");
    m5_def_skip_line(p);
    return false;
}

static bool read_sign(m5_def_parser *p, char sign, const char *what)
{
    m5_def_token t = m5_def_peek(p);
    if (!m5_def_is_sign(p, t, sign))
        return refuse_vector(p, t, what);
    m5_def_next(p);
    return true;
}

/* The length of a number without the suffix that C and Doom 3 allow: 1.5f, 3ul */
static uint32_t length_of_number(const m5_source *s, m5_span text)
{
    uint32_t length = text.length;
    while (length > 1 && memchr("fFlLuU", s->bytes[text.offset + length - 1], 6) != NULL)
        length--;
    return length;
}

/* Doom 3 reads a minus sign and then the number; there is no plus sign. */
static bool read_float(m5_def_parser *p, float *out)
{
    m5_def_token t = m5_def_peek(p);
    bool negative = m5_def_is_sign(p, t, '-');
    if (negative) {
        m5_def_next(p);
        t = m5_def_peek(p);
    }
    m5_number_flaw flaw = M5_NUMBER_SYNTAX;
    if (t.kind == M5_DEF_NUMBER)
        flaw = m5_read_float(p->source->bytes + t.text.offset, length_of_number(p->source, t.text),
                             out);
    if (flaw >= M5_NUMBER_OVERFLOW || !isfinite(*out))
        return refuse_vector(p, t, "a number");
    m5_def_next(p);
    *out = negative ? -*out : *out;
    return true;
}

static void read_offset(m5_def_parser *p, m5_span keyword)
{
    m5_def *d = p->def;
    m5_def_offset o = {.offset = keyword.offset};
    bool read = read_sign(p, '(', "'(' after 'offset'");
    for (unsigned i = 0; read && i < 3; i++)
        read = read_float(p, &o.value[i]);
    if (!read || !read_sign(p, ')', "')' after the third number"))
        return;
    if (p->storing)
        d->offsets[d->num_offsets] = o;
    d->num_offsets++;
}

/* ---- channel NAME ( joints ) -------------------------------------------------------------------
 */

static bool is_joint_sign(const m5_source *s, m5_def_token t)
{
    return t.kind == M5_DEF_SIGN && (m5_def_is(s, t.text, "*") || m5_def_is(s, t.text, "-"));
}

/* Whether `next` belongs to the entry of a list that `t` is the last token of: * and - belong to
 * the name after them, and - to a * after it. */
static bool continues_joint(const m5_source *s, m5_def_token t, m5_def_token next)
{
    return is_joint_sign(s, t) &&
           (m5_def_is_name(next) || (next.kind == M5_DEF_SIGN && m5_def_is(s, t.text, "-") &&
                                     m5_def_is(s, next.text, "*")));
}

static void read_joint(m5_def_parser *p)
{
    m5_def *d = p->def;
    if (p->storing)
        d->joints[d->num_joints] = m5_def_peek(p).span.offset;
    d->num_joints++;
    m5_def_token t = m5_def_next(p);
    while (continues_joint(p->source, t, m5_def_peek(p)))
        t = m5_def_next(p);
}

/* Whether a list without its closing parenthesis ends here. */
static bool ends_list(const m5_def_parser *p, m5_def_token t)
{
    return t.kind == M5_DEF_END || m5_def_is_brace(p, t) || m5_def_begins_model_line(p, t) ||
           m5_def_begins_declaration(p, t);
}

static void say_paren(m5_def_parser *p, m5_span name, const char *message)
{
    m5_diag d = m5_def_found(p, M5_ROW(def_paren_missing), (m5_span){p->at, 0});
    m5_relate(&d, p->source, name, "the channel");
    m5_def_report(p, &d, 0, "%s the joints of channel '%.*s'", message, M5_DEF_TEXT(p, name));
}

static void read_channel(m5_def_parser *p, m5_span keyword)
{
    m5_def *d = p->def;
    m5_def_channel c = {.first_joint = d->num_joints};
    if (!m5_def_read_name(p, keyword, "a name", &c.name))
        return;
    m5_def_token t = m5_def_peek(p);
    if (m5_def_is_sign(p, t, '('))
        m5_def_next(p);
    else
        say_paren(p, c.name, "'(' is missing before");
    if (!m5_def_is_sign(p, t, '(') && t.new_line)
        return;
    for (t = m5_def_peek(p); !m5_def_is_sign(p, t, ')') && !ends_list(p, t); t = m5_def_peek(p))
        read_joint(p);
    if (m5_def_is_sign(p, t, ')'))
        m5_def_next(p);
    else
        say_paren(p, c.name, "')' is missing after");
    c.num_joints = d->num_joints - c.first_joint;
    if (p->storing)
        d->channels[d->num_channels] = c;
    d->num_channels++;
}

/* The signs of an entry may also be in its quotes: "*hips". */
static void read_inner_signs(const m5_source *s, m5_def_joint *joint)
{
    for (; joint->name.length != 0; joint->name.offset++, joint->name.length--) {
        uint8_t c = s->bytes[joint->name.offset];
        if (c != '*' && c != '-')
            return;
        joint->removes |= c == '-';
        joint->children |= c == '*';
    }
}

m5_def_joint m5_def_joint_at(const m5_def *def, uint32_t i)
{
    const m5_source *s = def->source;
    m5_def_token t = m5_def_scan(s, def->joints[i]), next;
    m5_def_joint joint = {.at = t.span};
    for (; continues_joint(s, t, next = m5_def_scan(s, m5_def_end(t))); t = next)
        joint.removes |= m5_def_is(s, t.text, "-"), joint.children |= m5_def_is(s, t.text, "*");
    joint.at.length = m5_def_end(t) - joint.at.offset;
    joint.name = t.text;
    read_inner_signs(s, &joint);
    return joint;
}

/* ---- The body -------------------------------------------------------------------------------- */

static void say_order(m5_def_parser *p, body *b, m5_span keyword)
{
    if (b->has_mesh || !m5_once_open(&b->said_order, keyword))
        return;
    m5_diag d = m5_def_found(p, M5_ROW(def_mesh_first), keyword);
    m5_relate(&d, p->source, b->name, "the model");
    m5_def_report(p, &d, 0, "'%.*s' comes before the mesh of '%.*s'", M5_DEF_TEXT(p, keyword),
                  M5_DEF_TEXT(p, b->name));
    m5_once_done(&b->said_order, p->report);
}

static void read_key(m5_def_parser *p, body *b, const char *key, m5_span keyword)
{
    if (strcmp(key, "inherit") == 0) {
        read_line(p, keyword, M5_DEF_INHERIT, "the name of a model");
        b->has_mesh = true;
    } else if (strcmp(key, "mesh") == 0) {
        read_line(p, keyword, M5_DEF_MESH, "the path of a mesh");
        b->has_mesh = true;
    } else if (strcmp(key, "skin") == 0) {
        read_line(p, keyword, M5_DEF_SKIN, "the name of a skin");
    } else if (strcmp(key, "remove") == 0) {
        read_line(p, keyword, M5_DEF_REMOVE, "the name of an animation");
    } else if (strcmp(key, "offset") == 0) {
        read_offset(p, keyword);
    } else if (strcmp(key, "channel") == 0) {
        say_order(p, b, keyword);
        read_channel(p, keyword);
    } else {
        say_order(p, b, keyword);
        m5_def_read_anim(p, keyword);
    }
}

/* Anything else: a keyword misspelt, or of another engine, whose line and block are passed over. */
static void read_unknown(m5_def_parser *p, body *b, m5_def_token t)
{
    const char *meant = m5_def_is_name(t) ? m5_def_model_key(p, t.text, true) : NULL;
    bool known = meant != NULL || !m5_def_is_name(t);
    m5_diag d = m5_def_found(p, M5_ROW(def_key_unknown), t.span);
    if (meant != NULL)
        m5_def_report(p, &d, M5_GRAVE, "'%.*s' is no keyword of a model, expected '%s'",
                      M5_DEF_TEXT(p, t.text), meant);
    else
        m5_def_report(p, &d, known ? M5_GRAVE : M5_MILD,
                      "'%.*s' is no keyword of a model in Doom 3", M5_DEF_TEXT(p, t.span));
    if (m5_def_is_sign(p, t, '{')) {
        m5_def_skip_block(p, b->name);
        return;
    }
    m5_def_next(p);
    if (meant != NULL) {
        read_key(p, b, meant, t.text);
        return;
    }
    m5_def_skip_line(p);
    if (m5_def_is_sign(p, m5_def_peek(p), '{'))
        m5_def_skip_block(p, b->name);
}

static void read_lines(m5_def_parser *p, body *b)
{
    for (;;) {
        m5_def_token t = m5_def_peek_sound(p);
        if (t.kind == M5_DEF_END || m5_def_begins_declaration(p, t)) {
            m5_def_say_no_end(p, b->name);
            return;
        }
        if (m5_def_is_sign(p, t, '}'))
            return;
        const char *key = m5_def_is_name(t) ? m5_def_model_key(p, t.text, false) : NULL;
        if (key != NULL)
            read_key(p, b, key, m5_def_next(p).text);
        else
            read_unknown(p, b, t);
    }
}

void m5_def_read_model(m5_def_parser *p, m5_span name)
{
    m5_def *d = p->def;
    body b = {.name = name};
    m5_def_model m = {.name = name,
                      .first_line = d->num_lines,
                      .first_offset = d->num_offsets,
                      .first_channel = d->num_channels,
                      .first_anim = d->num_anims};
    p->path = m5_path_to((m5_path){0}, "model", d->num_models, p->source, name);
    if (m5_def_is_sign(p, m5_def_peek(p), '{'))
        m5_def_next(p);
    read_lines(p, &b);
    bool closed = m5_def_is_sign(p, m5_def_peek(p), '}');
    m.end = closed ? m5_def_peek(p).span.offset : p->at;
    if (closed)
        m5_def_next(p);
    if (p->storing)
        d->models[d->num_models] = m;
    d->num_models++;
}
