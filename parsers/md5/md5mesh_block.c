/* Parses a mesh of an md5mesh: shader, and the lists of vertices, triangles and weights. */
#include "md5mesh_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <math.h>
#include <string.h>

enum { KEY_SHADER, KEY_NUMVERTS, KEY_NUMTRIS, KEY_NUMWEIGHTS };
static const m5_md5_key mesh_keys[] = {
    [KEY_SHADER] = {"shader", M5_KEY_TEXT, false, false, NULL},
    [KEY_NUMVERTS] = {"numverts", M5_KEY_NUMBER, true, false, NULL},
    [KEY_NUMTRIS] = {"numtris", M5_KEY_NUMBER, true, false, NULL},
    [KEY_NUMWEIGHTS] = {"numweights", M5_KEY_NUMBER, true, false, NULL},
};

/* The least text each takes, which bounds the memory a count may claim:
 *   vert 0(0 0)0 1   tri 0 0 0 0   weight 0 0 1(0 0 0) */
enum { MIN_VERT = 14, MIN_TRI = 11, MIN_WEIGHT = 19 };

static const char *const record_words[] = {
    [KEY_NUMVERTS] = "vert", [KEY_NUMTRIS] = "tri", [KEY_NUMWEIGHTS] = "weight"};

/* ---- Lists of records: vert, tri, weight ---------------------------------------------------- */

/* What the loop below needs to know of a kind of record. Each record begins with its offset. */
typedef struct record_kind {
    const char *word;
    size_t length;  /* of the word */
    size_t size;    /* of the record in memory */
    uint32_t least; /* of text that it takes */
    bool (*read)(m5_lex *lx, int32_t *number, void *record);
    void (*spoil)(void *record); /* marks what could not be read */
    const char *key, *plural;    /* for messages */
} record_kind;

/* -1 would be read as M5_BROKEN. -2 is just as wrong where neither is allowed. */
static uint32_t not_broken(int32_t index)
{
    return index == -1 ? (uint32_t)-2 : (uint32_t)index;
}

static bool read_vert(m5_lex *lx, int32_t *number, void *record)
{
    m5_md5mesh_vert *v = record;
    int32_t start, count;
    if (!(m5_lex_int(lx, number) && m5_lex_paren(lx, '(') && m5_lex_float(lx, &v->st[0]) &&
          m5_lex_float(lx, &v->st[1]) && m5_lex_paren(lx, ')') && m5_lex_int(lx, &start) &&
          m5_lex_int(lx, &count)))
        return false;
    v->start = not_broken(start);
    v->count = (uint32_t)count;
    return true;
}

static void spoil_vert(void *record)
{
    m5_md5mesh_vert *v = record;
    v->start = M5_BROKEN;
    v->count = 0;
}

static bool read_tri(m5_lex *lx, int32_t *number, void *record)
{
    m5_md5mesh_tri *t = record;
    int32_t vert[3];
    if (!(m5_lex_int(lx, number) && m5_lex_int(lx, &vert[0]) && m5_lex_int(lx, &vert[1]) &&
          m5_lex_int(lx, &vert[2])))
        return false;
    for (int i = 0; i < 3; i++)
        t->vert[i] = not_broken(vert[i]);
    return true;
}

static void spoil_tri(void *record)
{
    m5_md5mesh_tri *t = record;
    t->vert[0] = t->vert[1] = t->vert[2] = M5_BROKEN;
}

static bool read_weight(m5_lex *lx, int32_t *number, void *record)
{
    m5_md5mesh_weight *x = record;
    int32_t joint;
    if (!(m5_lex_int(lx, number) && m5_lex_int(lx, &joint) && m5_lex_float(lx, &x->bias) &&
          m5_lex_vector(lx, x->pos)))
        return false;
    x->joint = (uint32_t)joint;
    return true;
}

static void spoil_weight(void *record)
{
    m5_md5mesh_weight *x = record;
    x->joint = M5_BROKEN;
    x->bias = (float)NAN;
}

static const record_kind verts = {
    "vert", 4, sizeof(m5_md5mesh_vert), MIN_VERT, read_vert, spoil_vert, "numverts", "vertices"};
static const record_kind tris = {
    "tri", 3, sizeof(m5_md5mesh_tri), MIN_TRI, read_tri, spoil_tri, "numtris", "triangles"};
static const record_kind weights = {"weight",     6,           sizeof(m5_md5mesh_weight),
                                    MIN_WEIGHT,   read_weight, spoil_weight,
                                    "numweights", "weights"};

typedef union any_record {
    uint32_t offset;
    m5_md5mesh_vert vert;
    m5_md5mesh_tri tri;
    m5_md5mesh_weight weight;
} any_record;

/* ---- What belongs to no list ----------------------------------------------------------------- */

static bool is_mesh_key(const m5_md5mesh_state *w, m5_token t)
{
    return m5_md5_find_exactly(w->p, &w->keys, t) != M5_KEY_NONE;
}

/* The keyword whose list a stray record belongs to, if that keyword has not come yet. */
static int missing_key(const m5_md5mesh_state *w, m5_token t)
{
    for (int key = KEY_NUMVERTS; key <= KEY_NUMWEIGHTS; key++)
        if (w->keys.seen[key].length == 0 && m5_lex_is(&w->p->lx, t, record_words[key]))
            return key;
    return M5_KEY_NONE;
}

static m5_md5_count *count_of(m5_md5mesh_state *w, int key)
{
    return key == KEY_NUMVERTS ? &w->verts : key == KEY_NUMTRIS ? &w->tris : &w->weights;
}

/* A run of lines that begin with the same stray word is reported once. Returns the keyword that the
 * word is a misspelling of. */
static int skip_stray(m5_md5mesh_state *w, m5_token t)
{
    m5_lex *lx = &w->p->lx;
    const char *word = m5_lex_text(lx, t.span);
    int meant = M5_KEY_NONE, missing = missing_key(w, t);
    if (m5_lex_is_cut(lx, t))
        return M5_KEY_NONE;
    if (missing != M5_KEY_NONE && w->keys.instead[missing].length == 0)
        w->keys.instead[missing] = t.span;
    else if (missing == M5_KEY_NONE)
        meant = m5_md5_say_unknown(w->p, &w->keys, t);
    if (meant != M5_KEY_NONE) {
        m5_lex_take(lx, t);
        return meant;
    }
    m5_md5_pass_stray(w->p, t);
    if (is_mesh_key(w, m5_lex_peek(lx)))
        return M5_KEY_NONE;
    for (m5_token next = t;; m5_lex_take(lx, next)) {
        if (missing != M5_KEY_NONE)
            count_of(w, missing)->early++;
        m5_lex_skip_line(lx);
        next = m5_lex_peek(lx);
        if (next.kind != M5_TOKEN_WORD || next.span.length != t.span.length ||
            memcmp(word, m5_lex_text(lx, next.span), t.span.length) != 0)
            return M5_KEY_NONE;
    }
}

static bool is_record_word(const m5_md5mesh_state *w, m5_token t)
{
    for (int key = KEY_NUMVERTS; key <= KEY_NUMWEIGHTS; key++)
        if (m5_lex_is(&w->p->lx, t, record_words[key]))
            return true;
    return false;
}

/* Whether the line below one that begins with `t` is a record of the list. */
static bool goes_on_below(const m5_md5mesh_state *w, const char *word, m5_token t)
{
    m5_report silent;
    m5_lex look = m5_lex_ahead(&w->p->lx, &silent);
    m5_lex_take(&look, t);
    m5_lex_skip_line(&look);
    return m5_lex_is(&look, m5_lex_peek(&look), word);
}

/* Whether the rest of the line that begins with `t` is what a record has. */
static bool has_record(const m5_md5mesh_state *w, const record_kind *kind, m5_token t)
{
    m5_report silent;
    m5_lex look = m5_lex_ahead(&w->p->lx, &silent);
    any_record spare;
    int32_t number;
    m5_lex_begin(&look, t);
    m5_lex_take(&look, t);
    return kind->read(&look, &number, &spare);
}

/* Whether a word that is not a keyword is a misspelt record word: the record's numbers come after
 * it, or any number where the next line is no record either. */
static bool is_misspelt_record(const m5_md5mesh_state *w, const record_kind *kind, m5_token t)
{
    if (t.kind != M5_TOKEN_WORD || !t.new_line || is_mesh_key(w, t) || is_record_word(w, t))
        return false;
    m5_token second = m5_lex_peek_behind(&w->p->lx, t, 2);
    return !is_record_word(w, m5_lex_peek_behind(&w->p->lx, t, 1)) && /* which has its own line */
           (m5_lex_begins_like_number(&w->p->lx, second) || second.kind == M5_TOKEN_OPEN_PAREN) &&
           (has_record(w, kind, t) || !goes_on_below(w, kind->word, t));
}

/* Something on the line of the record before that neither ends the list nor goes on with it; or a
 * line or a brace between records. */
static bool is_leftover(const m5_md5mesh_state *w, const char *word, m5_token t)
{
    m5_token behind = m5_lex_peek_behind(&w->p->lx, t, 1);
    if (t.kind == M5_TOKEN_CLOSE_BRACE)
        return m5_lex_is(&w->p->lx, behind, word);
    if (t.kind == M5_TOKEN_WORD)
        return !is_mesh_key(w, t) && (!t.new_line || goes_on_below(w, word, t));
    return t.kind != M5_TOKEN_END;
}

static void skip_leftover(m5_md5mesh_state *w, const char *word, m5_token t)
{
    m5_lex *lx = &w->p->lx;
    bool unknown = t.new_line && t.kind == M5_TOKEN_WORD;
    m5_lex_say(lx, unknown ? M5_ROW(md5_key_unknown) : M5_ROW(md5_record_syntax), t.span,
               "expected %s, found '%.*s'", t.new_line ? word : "the end of the line",
               (int)t.span.length, m5_lex_text(lx, t.span));
    m5_md5_pass_stray(w->p, t);
    if (!m5_lex_is(lx, m5_lex_peek(lx), word))
        m5_lex_skip_line(lx);
}

/* Where a record's word was expected: takes another word in its place, or skips records of another
 * kind. `taken` says which; false if it is neither. `more`: more records are expected. */
static bool mend_list(m5_md5mesh_state *w, const record_kind *kind, bool more, bool *taken)
{
    m5_lex *lx = &w->p->lx;
    const char *word = kind->word;
    m5_token t = m5_lex_peek(lx);
    *taken = more && is_misspelt_record(w, kind, t);
    if (*taken) {
        m5_lex_say(
            lx,
            m5_md5_same_but_case(w->p, t, word) ? M5_ROW(md5_key_case) : M5_ROW(md5_key_unknown),
            t.span, "expected %s, found '%.*s'", word, (int)t.span.length, m5_lex_text(lx, t.span));
        m5_lex_begin(lx, t);
        m5_lex_take(lx, t);
        return true;
    }
    for (int key = KEY_NUMVERTS; key <= KEY_NUMWEIGHTS; key++)
        if (strcmp(record_words[key], word) != 0 && m5_lex_is(lx, t, record_words[key])) {
            skip_stray(w, t);
            return true;
        }
    if (!is_leftover(w, word, t) || m5_lex_is_cut(lx, t))
        return false;
    skip_leftover(w, word, t);
    return true;
}

/* The next record's start; false where the list ends. A record `before` with extra numbers is
 * marked. */
static bool next_record_slow(m5_md5mesh_state *w, const record_kind *kind, bool more, void *before,
                             uint32_t *offset)
{
    bool taken = false;
    if (!m5_lex_end_record(&w->p->lx) && before != NULL)
        kind->spoil(before);
    while (!m5_lex_record(&w->p->lx, kind->word, kind->length, offset)) {
        if (!mend_list(w, kind, more, &taken))
            return false;
        *offset = (uint32_t)(w->p->lx.record - w->p->lx.base);
        if (taken)
            return true;
    }
    return true;
}

/* How many more records are in the one that was just skipped: two lines that were joined have a
 * number and the next record's word in one. */
static uint32_t count_joined(const m5_lex *lx, const record_kind *kind)
{
    uint32_t joined = 0;
    const uint8_t *p = lx->record + kind->length;
    for (; p + kind->length <= lx->p && !(p[0] == '/' && p[1] == '/'); p++)
        joined += m5_is_digit(p[-1]) && memcmp(p, kind->word, kind->length) == 0;
    return joined;
}

static const m5_md5_number_rules number_rules = {
    M5_ROW(md5mesh_index_range), M5_ROW(md5mesh_index_duplicate), M5_ROW(md5mesh_index_order)};

/* ---- Reading a list -------------------------------------------------------------------------- */

/* Reads records as long as they come and keeps those that were declared. This is where the time
 * goes: inlined, so that each kind gets a loop of its own. */
M5_INLINE void *read_list(m5_md5mesh_state *w, const record_kind *kind, m5_md5_count *declared,
                          uint32_t *stored)
{
    m5_md5_parser *p = w->p;
    m5_lex *lx = &p->lx;
    uint32_t capacity = declared->known ? (uint32_t)declared->value : 0, found = 0, offset;
    bool out_of_turn = false;
    const uint8_t *start = lx->p;
    uint8_t *array = m5_md5_array(p, capacity, kind->size);
    lx->path.step[1].name = kind->word;
    p->strays = declared->early;
    any_record spare;
    void *record = NULL;
    for (; array != NULL && (m5_lex_record_fast(lx, kind->word, kind->length, &offset) ||
                             next_record_slow(w, kind, found < capacity, record, &offset));
         found++) {
        record = found < capacity ? array + found * kind->size : (void *)&spare;
        int32_t number;
        lx->path.step[1].index = found;
        *(uint32_t *)record = offset;
        if (kind->read(lx, &number, record)) {
            out_of_turn |= number != (int32_t)found;
        } else {
            kind->spoil(record);
            m5_lex_skip_record(lx);
            p->strays += count_joined(lx, kind);
            if (found < capacity && !m5_md5_may_keep(p, start, found, kind->least))
                capacity = found;
        }
    }
    *stored = found < capacity ? found : capacity;
    m5_arena_trim(p->arena, array, *stored * kind->size);
    declared->found = found;
    declared->in_place = !out_of_turn && found == capacity;
    if (out_of_turn)
        m5_md5_check_numbers(p, array, kind->size, *stored, declared, &number_rules);
    lx->path.step[1].name = NULL;
    m5_token next = m5_lex_peek(lx);
    bool goes_on = next.kind != M5_TOKEN_END && !m5_md5_file_restarts(p, next);
    if (goes_on && (is_mesh_key(w, next) || !m5_lex_is_cut(lx, next))) /* else that is reported */
        m5_md5_check_count(p, w->count_rule, declared, found, kind->key, kind->plural);
    return array;
}

static void read_verts(m5_md5mesh_state *w)
{
    w->count_rule = M5_ROW(md5mesh_vert_count);
    w->mesh->verts = read_list(w, &verts, &w->verts, &w->mesh->num_verts);
    w->mesh->verts_in_place = w->verts.in_place;
}

static void read_tris(m5_md5mesh_state *w)
{
    w->count_rule = M5_ROW(md5mesh_tri_count);
    w->mesh->tris = read_list(w, &tris, &w->tris, &w->mesh->num_tris);
}

static void read_weights(m5_md5mesh_state *w)
{
    w->count_rule = M5_ROW(md5mesh_weight_count);
    w->mesh->weights = read_list(w, &weights, &w->weights, &w->mesh->num_weights);
    w->mesh->weights_in_place = w->weights.in_place;
}

/* ---- mesh { shader "..." numverts n vert ... numtris n tri ... numweights n weight ... } ----- */

/* Returns where the number is. */
static uint32_t read_count(m5_md5mesh_state *w, m5_md5_count *count, uint32_t bytes,
                           const char *key)
{
    m5_md5_parser *p = w->p;
    if (m5_md5_int(p, count) && count->value < 0) {
        m5_diag d = m5_found(M5_ROW(md5_int_negative), count->at);
        d.path = p->lx.path;
        m5_emit(p->report, &d, 0, "%s is %d, expected 0 or more", key, count->value);
        count->known = false;
    }
    m5_md5_fits(p, count, bytes, m5_lex_offset(&p->lx));
    return count->at.offset;
}

static void read_shader(m5_md5mesh_state *w)
{
    m5_name name;
    if (m5_lex_name(&w->p->lx, &name))
        w->mesh->shader = name;
    else
        m5_lex_skip_line(&w->p->lx);
}

/* `numverts 8` twice in a row: reports and skips the second one. */
static void pass_doubled_key(m5_md5mesh_state *w, int key)
{
    m5_lex *lx = &w->p->lx;
    m5_token t = m5_lex_peek(lx);
    while (t.new_line && m5_lex_is(lx, t, mesh_keys[key].name)) {
        m5_lex_take(lx, t);
        m5_md5_see(w->p, &w->keys, key, t);
        m5_lex_skip_line(lx);
        t = m5_lex_peek(lx);
    }
}

static void read_mesh_key(m5_md5mesh_state *w, int key)
{
    switch (key) {
    case KEY_NUMVERTS:
        w->mesh->num_verts_at = read_count(w, &w->verts, MIN_VERT, "numverts");
        pass_doubled_key(w, key);
        read_verts(w);
        break;
    case KEY_NUMTRIS:
        w->mesh->num_tris_at = read_count(w, &w->tris, MIN_TRI, "numtris");
        pass_doubled_key(w, key);
        read_tris(w);
        break;
    case KEY_NUMWEIGHTS:
        w->mesh->num_weights_at = read_count(w, &w->weights, MIN_WEIGHT, "numweights");
        pass_doubled_key(w, key);
        read_weights(w);
        break;
    default: read_shader(w);
    }
}

/* Skips the rest of a keyword that is not read, with its records. */
static void skip_duplicate(m5_md5_parser *p, int key)
{
    m5_lex_skip_line(&p->lx);
    while (key >= KEY_NUMVERTS && m5_lex_is(&p->lx, m5_lex_peek(&p->lx), record_words[key])) {
        m5_lex_next(&p->lx);
        m5_lex_skip_line(&p->lx);
    }
}

/* Where a keyword comes a second time, but the line below begins the list of another one: returns
 * that one, which was meant, else the same. */
static int key_meant(m5_md5mesh_state *w, int key, m5_token t)
{
    m5_lex *lx = &w->p->lx;
    m5_report silent;
    m5_lex look = m5_lex_ahead(lx, &silent);
    if (key < KEY_NUMVERTS || w->keys.seen[key].length == 0)
        return key;
    m5_lex_take(&look, t);
    m5_lex_skip_line(&look);
    int meant = missing_key(w, m5_lex_peek(&look));
    if (meant == M5_KEY_NONE)
        return key;
    m5_lex_say(lx, M5_ROW(md5_key_unknown), t.span, "expected %s, found '%.*s'",
               mesh_keys[meant].name, (int)t.span.length, m5_lex_text(lx, t.span));
    return meant;
}

/* Doom 3 knows this key, the format text does not. */
static void read_name_key(m5_md5mesh_state *w, m5_token t)
{
    m5_name name;
    m5_lex_say(
        &w->p->lx, M5_ROW(md5mesh_name_key), t.span,
        "'name' is not part of the format: Doom 3 reads it, but vkQuake, Ironwail, Daemon and FTE "
        "refuse the file");
    m5_lex_take(&w->p->lx, t);
    if (!m5_lex_name(&w->p->lx, &name))
        m5_lex_skip_line(&w->p->lx);
}

/* Reported at what is in its place: the first other keyword. */
static void say_no_shader(m5_md5mesh_state *w)
{
    m5_diag d = m5_found(M5_ROW(md5mesh_shader_missing), w->keys.instead[KEY_SHADER]);
    d.path = w->p->lx.path;
    m5_emit(w->p->report, &d, 0, "the mesh has no shader, found '%.*s' in its place",
            (int)d.at.length, m5_lex_text(&w->p->lx, d.at));
}

/* If no other keyword came either, that is reported instead. */
static void finish_mesh_keys(m5_md5mesh_state *w, m5_span end)
{
    const m5_md5_keys *keys = &w->keys;
    m5_md5_finish_keys(w->p, keys, end);
    if (keys->seen[KEY_SHADER].length == 0 && keys->instead[KEY_SHADER].length != 0 &&
        !keys->told[KEY_SHADER])
        say_no_shader(w);
}

/* Skips a closing brace with a keyword after it that the mesh has not had. */
static void pass_early_brace(m5_md5mesh_state *w)
{
    m5_lex *lx = &w->p->lx;
    m5_token t = m5_lex_peek(lx);
    if (t.kind != M5_TOKEN_CLOSE_BRACE)
        return;
    int key = m5_md5_find_exactly(w->p, &w->keys, m5_lex_peek_behind(lx, t, 1));
    if (key == M5_KEY_NONE || w->keys.seen[key].length != 0)
        return;
    m5_lex_say(lx, M5_ROW(md5_record_syntax), t.span, "expected %s, found '}'",
               mesh_keys[key].name);
    m5_md5_pass_stray(w->p, t);
}

/* Whether a mesh that has all it needs is followed by another, without a brace between them. */
static bool runs_on(m5_md5mesh_state *w, m5_token t)
{
    m5_lex *lx = &w->p->lx;
    if (!m5_lex_is(lx, t, mesh_keys[KEY_SHADER].name) ||
        !m5_lex_is(lx, m5_lex_peek_behind(lx, t, 2), mesh_keys[KEY_NUMVERTS].name))
        return false;
    for (unsigned key = 0; key < w->keys.count; key++)
        if (w->keys.seen[key].length == 0)
            return false;
    m5_lex_say(lx, M5_ROW(md5_record_syntax), t.span, "expected '}' and 'mesh {', found 'shader'");
    return true;
}

void m5_md5mesh_read_block(m5_md5mesh_state *w)
{
    m5_md5_parser *p = w->p;
    m5_token t;
    w->keys.table = mesh_keys;
    w->keys.count = sizeof mesh_keys / sizeof *mesh_keys;
    while (!p->out_of_memory && (pass_early_brace(w), m5_md5_more(p, M5_TOKEN_WORD, false, &t)) &&
           !(w->runs_on = runs_on(w, t))) {
        int key = m5_md5_find_key(p, &w->keys, t);
        if (key == M5_KEY_NONE && m5_lex_is(&p->lx, t, "name")) {
            read_name_key(w, t);
        } else if (key == M5_KEY_NONE &&
                   (key = m5_md5_find_lost_key(p, &w->keys, t)) != M5_KEY_NONE) {
            m5_md5_see(p, &w->keys, key, t);
            read_mesh_key(w, key);
        } else if (key != M5_KEY_NONE || (key = skip_stray(w, t)) != M5_KEY_NONE) {
            key = key_meant(w, key, t);
            m5_lex_take(&p->lx, t);
            if (m5_md5_see(p, &w->keys, key, t))
                read_mesh_key(w, key);
            else
                skip_duplicate(p, key);
        }
    }
    if (!p->lx.ended)
        finish_mesh_keys(w, t.span);
}
