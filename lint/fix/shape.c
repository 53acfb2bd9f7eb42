/* Counts lines, records, frames and meshes by their tokens alone. */
#include "shape.h"

#include <string.h>

/* ---- Tokens ---------------------------------------------------------------------------------- */

typedef struct reader {
    m5_report silent;
    m5_lex lx;
    bool *used; /* vertices that are in triangles; may be NULL */
    uint32_t num_used;
} reader;

static void start(reader *r, const m5_source *source, uint32_t offset)
{
    *r = (reader){.silent = {.source = source}};
    m5_lex_init(&r->lx, &r->silent, true);
    r->lx.p = r->lx.last = r->lx.base + offset;
}

static bool is(reader *r, m5_token t, const char *word)
{
    return t.kind == M5_TOKEN_WORD && m5_lex_is(&r->lx, t, word);
}

static bool take(reader *r, m5_token_kind kind)
{
    return m5_lex_next(&r->lx).kind == kind;
}

static bool value_of(const reader *r, m5_token t, int32_t *out)
{
    const uint8_t *text = r->lx.base + t.span.offset;
    return t.kind == M5_TOKEN_WORD && m5_read_int(text, t.span.length, out) == M5_NUMBER_FINE;
}

/* An integer of 0 or more. */
static bool take_index(reader *r, int32_t *out)
{
    return value_of(r, m5_lex_next(&r->lx), out) && *out >= 0;
}

/* ---- Lists of a mesh ------------------------------------------------------------------------- */

/* A record: its word, how many tokens, and which of them, from `first` on, are indices. A vertex
 * has the first of its weights and their number there. */
typedef struct record {
    const char *key, *word;
    unsigned tokens, first, last;
} record;

static const record records[M5_SHAPE_LISTS] = {
    {"numverts", "vert", 8, 6, 7}, {"numtris", "tri", 5, 2, 4}, {"numweights", "weight", 9, 2, 2}};

/* Reads the tokens after the word. */
static bool read_record(reader *r, int list, m5_mesh_shape *out)
{
    const record *kind = &records[list];
    uint32_t number = out->count[list];
    uint64_t *needs = &out->needs[list];
    int32_t value, sum = 0;
    for (unsigned k = 1; k < kind->tokens; k++) {
        m5_token t = m5_lex_next(&r->lx);
        if (t.new_line || t.kind == M5_TOKEN_END)
            return false;
        if (k == 1 && !(value_of(r, t, &value) && value >= 0 && (uint32_t)value == number))
            return false;
        if (k < kind->first || k > kind->last)
            continue;
        if (!value_of(r, t, &value) || value < 0)
            return false;
        bool length = list == M5_SHAPE_VERTS && k == kind->last;
        out->gap |= list == M5_SHAPE_VERTS && !length && (uint64_t)value > *needs;
        if (list == M5_SHAPE_TRIS && (uint32_t)value < r->num_used)
            r->used[value] = true;
        uint64_t end = length ? (uint64_t)sum + (uint64_t)value : (uint64_t)value + 1;
        sum = value;
        *needs = end > *needs ? end : *needs;
    }
    return true;
}

static bool read_list(reader *r, int list, m5_mesh_shape *out)
{
    for (;; out->count[list]++) {
        m5_token t = m5_lex_peek(&r->lx);
        if (!is(r, t, records[list].word))
            return true;
        m5_lex_take(&r->lx, t);
        if (!t.new_line || !read_record(r, list, out))
            return false;
    }
}

static bool read_mesh(reader *r, m5_mesh_shape *out)
{
    bool seen[M5_SHAPE_LISTS] = {false};
    int32_t declared;
    memset(out, 0, sizeof *out);
    if (!take(r, M5_TOKEN_OPEN_BRACE))
        return false;
    for (;;) {
        m5_token t = m5_lex_next(&r->lx);
        int list = 0;
        if (t.kind == M5_TOKEN_CLOSE_BRACE)
            return seen[0] && seen[1] && seen[2];
        if (is(r, t, "shader")) {
            m5_lex_next(&r->lx);
            continue;
        }
        while (list < M5_SHAPE_LISTS && !is(r, t, records[list].key))
            list++;
        if (list == M5_SHAPE_LISTS || seen[list] || !take_index(r, &declared) ||
            !read_list(r, list, out))
            return false;
        seen[list] = true;
    }
}

bool m5_shape_of_mesh(const m5_source *source, uint32_t offset, m5_mesh_shape *out)
{
    reader r;
    start(&r, source, offset);
    return is(&r, m5_lex_next(&r.lx), "mesh") && read_mesh(&r, out);
}

bool m5_shape_uses_all(const m5_source *source, uint32_t offset, const m5_mesh_shape *shape,
                       bool *used)
{
    reader r;
    m5_mesh_shape again;
    if (used == NULL || shape->gap ||
        shape->needs[M5_SHAPE_VERTS] != shape->count[M5_SHAPE_WEIGHTS])
        return false;
    memset(used, 0, shape->count[M5_SHAPE_VERTS] * sizeof *used);
    start(&r, source, offset);
    r.used = used;
    r.num_used = shape->count[M5_SHAPE_VERTS];
    bool all = is(&r, m5_lex_next(&r.lx), "mesh") && read_mesh(&r, &again);
    for (uint32_t i = 0; i < r.num_used; i++)
        all &= used[i];
    return all;
}

/* ---- Blocks of lines ------------------------------------------------------------------------- */

static const struct {
    const char *word;
    unsigned tokens; /* of each line */
} blocks[M5_SHAPE_BLOCKS] = {
    [M5_SHAPE_JOINTS] = {"joints", 12}, [M5_SHAPE_HIERARCHY] = {"hierarchy", 4},
    [M5_SHAPE_BOUNDS] = {"bounds", 10}, [M5_SHAPE_BASEFRAME] = {"baseframe", 10},
    [M5_SHAPE_CUTS] = {"cuts", 1},      [M5_SHAPE_CAMERA] = {"camera", 11}};

/* Reads the rest of a line of joints: the parent comes before. */
static bool read_line(reader *r, m5_file_shape *out, int block)
{
    int32_t value;
    for (unsigned k = 1; k < blocks[block].tokens; k++) {
        m5_token t = m5_lex_next(&r->lx);
        if (t.new_line || t.kind == M5_TOKEN_END)
            return false;
        bool parent = k == 1 && (block == M5_SHAPE_JOINTS || block == M5_SHAPE_HIERARCHY);
        bool flags = k == 2 && block == M5_SHAPE_HIERARCHY;
        if ((parent || flags) && !value_of(r, t, &value))
            return false;
        if ((parent && value >= (int32_t)out->lines[block]) || (flags && (value < 0 || value > 63)))
            return false;
        for (int bit = 0; bit < 6 && flags; bit++)
            out->flags += value >> bit & 1;
    }
    return true;
}

static void note_box(m5_file_shape *out, m5_token t)
{
    if (t.kind == M5_TOKEN_CLOSE_BRACE) {
        out->boxes_end = t.span.offset;
        return;
    }
    out->last_box = t.span.offset;
    if (out->lines[M5_SHAPE_BOUNDS] == out->num_frames)
        out->extra_box = t.span.offset;
}

/* From a token to here. */
static void note_twin(const reader *r, m5_file_shape *out, m5_token first)
{
    const uint8_t *base = r->lx.base;
    m5_span last = out->last, at = first.span;
    at.length = (uint32_t)(r->lx.p - base) - at.offset;
    out->twins |= at.length == last.length &&
                  memcmp(base + at.offset, base + last.offset, at.length) == 0;
    out->last = at;
}

static bool read_block(reader *r, m5_file_shape *out, int block)
{
    int32_t cut = 0;
    if (out->lines[block] != 0 || !take(r, M5_TOKEN_OPEN_BRACE))
        return false;
    for (;; out->lines[block]++) {
        m5_token t = m5_lex_next(&r->lx);
        if (block == M5_SHAPE_BOUNDS)
            note_box(out, t);
        if (t.kind == M5_TOKEN_CLOSE_BRACE)
            return true;
        if (t.kind == M5_TOKEN_END || !t.new_line || !read_line(r, out, block))
            return false;
        if (block == M5_SHAPE_CAMERA)
            note_twin(r, out, t);
        if (block == M5_SHAPE_CUTS && !(value_of(r, t, &cut) && cut >= (int64_t)out->last_cut))
            return false;
        out->last_cut = block == M5_SHAPE_CUTS ? (uint64_t)cut + 1 : out->last_cut;
    }
}

static bool read_frame(reader *r, m5_file_shape *out)
{
    int32_t number;
    uint32_t values = 0;
    if (!take_index(r, &number) || (uint32_t)number != out->frames || !take(r, M5_TOKEN_OPEN_BRACE))
        return false;
    m5_token t;
    while ((t = m5_lex_next(&r->lx)).kind == M5_TOKEN_WORD)
        values += !is(r, t, "-"); /* which is of the next number */
    bool same = out->frames == 0 || values == out->values;
    out->values = values;
    out->frames++;
    return same && t.kind == M5_TOKEN_CLOSE_BRACE;
}

/* ---- The file -------------------------------------------------------------------------------- */

static bool read_part(reader *r, m5_token key, m5_file_shape *out)
{
    static const char *const numbers[] = {
        "MD5Version",           "numJoints", "numMeshes", "numFrames", "frameRate", "numCuts",
        "numAnimatedComponents"};
    m5_mesh_shape mesh;
    int32_t value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (is(r, key, numbers[i])) {
            bool known = take_index(r, &value);
            out->num_frames = known && is(r, key, "numFrames") ? (uint32_t)value : out->num_frames;
            return known;
        }
    for (int i = 0; i < M5_SHAPE_BLOCKS; i++)
        if (is(r, key, blocks[i].word))
            return read_block(r, out, i);
    if (is(r, key, "commandline"))
        return take(r, M5_TOKEN_STRING);
    if (is(r, key, "frame"))
        return read_frame(r, out);
    if (!is(r, key, "mesh") || !read_mesh(r, &mesh))
        return false;
    note_twin(r, out, key);
    out->meshes++;
    uint64_t needs = mesh.needs[M5_SHAPE_WEIGHTS];
    out->needs = needs > out->needs ? needs : out->needs;
    return true;
}

bool m5_shape_of_file(const m5_source *source, m5_file_shape *out)
{
    reader r;
    bool mark = source->size >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0;
    memset(out, 0, sizeof *out);
    start(&r, source, mark ? 3 : 0);
    for (;;) {
        m5_token key = m5_lex_next(&r.lx);
        if (key.kind == M5_TOKEN_END)
            return true;
        if (!read_part(&r, key, out))
            return false;
    }
}
