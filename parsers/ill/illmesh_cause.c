/* Finds out which word of the header may be wrong where the number of words in an illmesh does not
 * match it. A hypothesis is accepted if everything else in the file fits it. */
#include "illmesh_state.h"
#include "../core/emit.h"

#include <string.h>

typedef enum cause_kind { WRONG_FLAG, WRONG_VERTS, WRONG_INDICES, SWAPPED } cause_kind;

typedef struct cause {
    cause_kind kind;
    unsigned flag; /* the wrong one */
    uint32_t verts, indices;
} cause;

/* How lines may hold a vertex: a vector or a vertex a line, in either order. */
enum { WAYS = 4, MOST_CAUSES = M5_ILL_FLAGS + 3 };

static void set_way(m5_illmesh_state *w, int way)
{
    w->engine = way & 1;
    w->merged = way & 2;
    w->ill->plan = m5_illmesh_plan(w);
}

/* ---- An extra number ------------------------------------------------------------------------- */

static bool read_index(const m5_source *s, m5_span word, uint32_t *out)
{
    int32_t value = 0;
    bool fine = m5_words_is_index(s, word) &&
                m5_read_int(s->bytes + word.offset, word.length, &value) == M5_NUMBER_FINE;
    *out = (uint32_t)value;
    return fine;
}

/* One of seven flags is extra: tries to leave out each, and counts how many different sets of six
 * account for all words. */
static unsigned find_six(const m5_illmesh_state *w, uint32_t words, uint32_t indices, cause *out)
{
    bool seven[M5_ILL_FLAGS + 1], six[2][M5_ILL_FLAGS];
    unsigned ways = 0;
    memcpy(seven, w->flag, sizeof w->flag);
    seven[M5_ILL_FLAGS] = w->verts.value != 0;
    for (unsigned k = 0; k <= M5_ILL_FLAGS; k++) {
        for (unsigned i = 0; i < M5_ILL_FLAGS; i++)
            six[1][i] = seven[i + (i >= k)];
        if ((uint64_t)w->indices.value * m5_illmesh_vertex_words(six[1]) + indices + 1 != words ||
            (ways != 0 && memcmp(six[0], six[1], sizeof six[0]) == 0))
            continue;
        memcpy(six[0], six[1], sizeof six[0]);
        out->flag = k;
        ways++;
    }
    return ways;
}

static void leave_out_flag(m5_illmesh_state *w, unsigned which)
{
    for (unsigned i = which; i < M5_ILL_FLAGS; i++) {
        bool last = i + 1 == M5_ILL_FLAGS;
        w->flag[i] = last ? w->verts.value != 0 : w->flag[i + 1];
        w->mesh->flags[i] = last ? w->verts.at : w->mesh->flags[i + 1];
    }
}

static void say_too_many(const m5_illmesh_state *w, m5_span at, m5_span first, const char *first_is,
                         const char *what)
{
    m5_diag d = m5_found(M5_ROW(ill_token_count), at);
    m5_relate(&d, w->mesh->source, first, first_is);
    if (!w->bad_flag) /* otherwise the bad flag may be the extra number, and it was reported */
        m5_emit(w->ill->report, &d, 0, "%s", what);
}

/* Whether a number is alone on its line, or on the line of the counts: otherwise it begins a
 * vertex. */
static bool stands_alone(const m5_illmesh_state *w, uint32_t from)
{
    const m5_source *s = w->mesh->source;
    m5_span word = m5_words_nth(s, from, 0), next = m5_words_nth(s, from, 1);
    return !m5_words_line_ends(s->bytes, w->indices.at.offset, word.offset) ||
           m5_words_line_ends(s->bytes, word.offset, next.offset);
}

bool m5_illmesh_leave_out_number(m5_illmesh_state *w)
{
    uint32_t words = m5_ill_words_left(w->ill), indices, verts = w->indices.value;
    uint32_t each = m5_illmesh_vertex_words(w->flag);
    uint32_t here = (uint32_t)(w->ill->words.p - w->mesh->source->bytes);
    bool flag = w->verts.value <= 1 && w->verts.at.length == 1;
    cause seventh;
    if ((uint64_t)w->verts.value * each + verts == words ||
        !read_index(w->mesh->source, m5_words_nth(w->mesh->source, here, 0), &indices))
        return true;
    bool first = (uint64_t)verts * each + indices + 1 == words;
    bool second = (uint64_t)w->verts.value * each + indices + 1 == words && stands_alone(w, here);
    unsigned ways = flag ? find_six(w, words, indices, &seventh) : first || second;
    if (ways == 0)
        return true;
    if (flag)
        say_too_many(w, w->verts.at, w->mesh->flags[0], "the first flag",
                     "7 flags before the counts, expected 6");
    else
        say_too_many(w, w->indices.at, w->verts.at, "the first count",
                     "3 counts after the flags, expected 2 (vertices, indices)");
    if (flag)
        leave_out_flag(w, seventh.flag);
    if (flag || first)
        w->verts = w->indices;
    m5_ill_read_count(w->ill, &w->indices);
    return ways == 1 && !w->bad_flag;
}

/* ---- A missing number ------------------------------------------------------------------------ */

/* Whether five flags account for all words once a sixth is added somewhere among them; `words`
 * follow the counts. */
static bool is_sixth_lost(const m5_illmesh_state *w, uint32_t verts, uint32_t indices,
                          uint32_t words)
{
    bool found = false;
    for (unsigned i = 0; i < 2 * M5_ILL_FLAGS; i++) {
        unsigned lost = i / 2;
        bool six[M5_ILL_FLAGS];
        for (unsigned k = 0; k < M5_ILL_FLAGS; k++)
            six[k] = k == lost ? i % 2 : w->flag[k - (k > lost)];
        found |= (uint64_t)verts * m5_illmesh_vertex_words(six) + indices == words;
    }
    return found;
}

bool m5_illmesh_lacks_flag(m5_illmesh_state *w)
{
    const m5_source *s = w->mesh->source;
    m5_span word = m5_words_peek(&w->ill->words), next = m5_words_nth(s, word.offset, 1);
    uint32_t verts, indices, counts = 2, words = m5_ill_words_left(w->ill);
    if (!read_index(s, word, &verts) || verts < 2 || !read_index(s, next, &indices) ||
        w->bad_flag || !is_sixth_lost(w, verts, indices, words - counts))
        return false;
    m5_diag d = m5_found(M5_ROW(ill_token_count), word);
    m5_relate(&d, s, w->mesh->flags[0], "the first flag");
    m5_emit(w->ill->report, &d, 0, "5 flags before the counts, expected 6");
    w->ill->ended = w->ill->told = true;
    return true;
}

/* Whether a vertex, on a line of its own, is where the number of indices is expected, and this
 * accounts for all words. */
bool m5_illmesh_lacks_count(m5_illmesh_state *w)
{
    const m5_source *s = w->mesh->source;
    m5_span word = m5_words_peek(&w->ill->words), next = m5_words_nth(s, word.offset, 1);
    uint64_t due = (uint64_t)w->verts.value * m5_illmesh_vertex_words(w->flag);
    uint32_t words = m5_ill_words_left(w->ill);
    m5_span last[M5_ILL_MAX_SECTIONS];
    m5_illmesh_state with = *w;
    if (due == 0 || words < due || (words - due) % 3 != 0 ||
        !m5_words_line_ends(s->bytes, w->verts.at.offset, word.offset) ||
        m5_words_line_ends(s->bytes, word.offset, next.offset))
        return false;
    with.indices.value = (uint32_t)(words - due);
    m5_ill_plan plan = m5_illmesh_plan(&with);
    if (m5_ill_fits(w->ill, &plan, last) != M5_FITS)
        return false;
    m5_diag d = m5_found(M5_ROW(ill_token_count), word);
    m5_emit(w->ill->report, &d, 0,
            "the number of indices is missing, expected %u: a vertex begins in its place",
            with.indices.value);
    w->ill->ended = w->ill->told = true;
    return true;
}

/* ---- Hypotheses ------------------------------------------------------------------------------ */

static unsigned list_flags(m5_illmesh_state *w, uint32_t words, cause *out)
{
    unsigned n = 0;
    for (unsigned k = 1; k <= M5_ILL_FLAGS; k++) {
        unsigned i = k % M5_ILL_FLAGS; /* positions are tried last: meshes always have them */
        w->flag[i] = !w->flag[i];
        if ((uint64_t)w->verts.value * m5_illmesh_vertex_words(w->flag) + w->indices.value == words)
            out[n++] = (cause){WRONG_FLAG, i, w->verts.value, w->indices.value};
        w->flag[i] = !w->flag[i];
    }
    return n;
}

/* Where either count could be wrong, the one that puts the boundary between floats and integers
 * earlier is tried first. */
static unsigned list_counts(const m5_illmesh_state *w, uint32_t words, cause *out)
{
    uint32_t verts = w->verts.value, indices = w->indices.value;
    uint32_t each = m5_illmesh_vertex_words(w->flag);
    uint64_t before = (uint64_t)verts * each; /* the indices */
    bool few = words < before + indices;
    unsigned n = 0;
    for (int turn = 0; turn < 2; turn++) {
        if ((turn == 0) == few && words >= indices && each != 0 && (words - indices) % each == 0)
            out[n++] = (cause){WRONG_VERTS, 0, (words - indices) / each, indices};
        if ((turn == 1) == few && words >= before && (words - before) % 3 == 0)
            out[n++] = (cause){WRONG_INDICES, 0, verts, (uint32_t)(words - before)};
    }
    if ((uint64_t)indices * each + verts == words)
        out[n++] = (cause){SWAPPED, 0, indices, verts};
    return n;
}

/* ---- Evidence -------------------------------------------------------------------------------- */

/* Whether the file fits a header like this; `last` gets the last word of each section. Where words
 * are missing the file may only be cut off. */
static bool holds(m5_illmesh_state *w, const cause *c, bool few, bool lines,
                  m5_span last[M5_ILL_MAX_SECTIONS])
{
    m5_illmesh_state with = *w;
    m5_report silent;
    m5_words words = m5_ill_look_ahead(w->ill, &silent);
    if (c->verts == 0)
        return false;
    with.verts.value = c->verts;
    with.indices.value = c->indices;
    if (c->kind == WRONG_FLAG)
        with.flag[c->flag] = !with.flag[c->flag];
    m5_ill_plan plan = m5_illmesh_plan(&with);
    bool by_lines = lines && w->ill->rows && !w->merged && c->kind != WRONG_FLAG;
    uint32_t limit = c->kind == WRONG_VERTS && c->verts < w->verts.value ? w->verts.value
                                                                         : c->verts;
    if (m5_ill_fits(w->ill, &plan, last) != M5_FITS)
        return false;
    uint64_t with_sense = m5_illmesh_vertices_with_sense(&with, c->verts, &words);
    return (by_lines || with_sense * 10 >= (uint64_t)c->verts * 9) && /* nine of ten */
           ((lines && !few) || m5_illmesh_are_triangles(&words, c->indices, limit, 9));
}

/* ---- Reporting ------------------------------------------------------------------------------- */

/* Tangents without normals are unlikely. If a vertex with both has three numbers too few, its
 * bitangent is probably missing, which many formats do not have, and no flag is wrong. */
static void say_flag(m5_illmesh_state *w, unsigned i)
{
    enum { NORMALS = 1, TANGENTS = 2 };
    uint32_t words = m5_illmesh_vertex_words(w->flag);
    bool bitangents = i == NORMALS && w->flag[NORMALS] && w->flag[TANGENTS];
    m5_diag d = m5_found(M5_ROW(ill_token_count), w->mesh->flags[bitangents ? TANGENTS : i]);
    d.path = m5_path1("flag", bitangents ? TANGENTS : i);
    w->flag[i] = !w->flag[i];
    if (bitangents)
        m5_emit(
            w->ill->report, &d, 0,
            "the flags give each vertex %u numbers, but the file has %u: bitangents, which this "
            "flag also requires, seem to be missing",
            words, m5_illmesh_vertex_words(w->flag));
    else
        m5_emit(
            w->ill->report, &d, 0,
            "the flags give each vertex %u numbers, but the file has %u: this flag should be %d",
            words, m5_illmesh_vertex_words(w->flag), (int)w->flag[i]);
    w->ill->told = true;
}

static void say_swapped(m5_illmesh_state *w)
{
    m5_diag d = m5_found(M5_ROW(ill_token_count), w->verts.at);
    m5_relate(&d, w->ill->report->source, w->indices.at, "the number of indices");
    m5_emit(w->ill->report, &d, 0, "the numbers of vertices (%u) and indices (%u) are swapped",
            w->verts.value, w->indices.value);
    w->ill->told = true;
}

static void adopt(m5_illmesh_state *w, const cause *c, const m5_span last[M5_ILL_MAX_SECTIONS])
{
    if (c->kind == WRONG_FLAG)
        say_flag(w, c->flag);
    if (c->kind == WRONG_VERTS)
        m5_ill_say_count(w->ill, &w->verts, c->verts, "vertices", last[M5_ILLMESH_VERTS]);
    if (c->kind == WRONG_INDICES)
        m5_ill_say_count(w->ill, &w->indices, c->indices, "indices", last[M5_ILLMESH_TRIANGLES]);
    if (c->kind == SWAPPED)
        say_swapped(w);
    w->verts.value = c->verts;
    w->indices.value = c->indices;
    if (w->index_limit < w->verts.value || c->kind == SWAPPED)
        w->index_limit = w->verts.value;
}

/* Lines are the best evidence, unless `lines` is false; where there are none, the numbers alone
 * must do. */
static bool find_cause(m5_illmesh_state *w, bool lines)
{
    cause causes[MOST_CAUSES];
    uint32_t words = m5_ill_words_left(w->ill);
    bool few = words < m5_ill_plan_words(&w->ill->plan);
    unsigned n = list_flags(w, words, causes), ways = w->ill->rows ? WAYS : WAYS + 1;
    n += list_counts(w, words, causes + n);
    for (unsigned way = 0; way < ways; way++) {
        w->ill->rows = way < WAYS;
        set_way(w, (int)way % WAYS);
        for (unsigned i = 0; i < n; i++) {
            m5_span last[M5_ILL_MAX_SECTIONS] = {{0, 0}};
            if (!holds(w, &causes[i], few, lines, last))
                continue;
            adopt(w, &causes[i], last);
            m5_ill_settle(w->ill);
            return true;
        }
    }
    return false;
}

/* Whether the number of words is wrong; if so, the plan is set to the rows that the file has, if
 * any. */
static bool look_for_rows(m5_illmesh_state *w)
{
    bool amiss = true;
    w->ill->rows = false;
    for (int way = 0; way < WAYS && amiss && !w->ill->rows; way++) {
        set_way(w, way);
        amiss = m5_ill_survey(w->ill);
    }
    if (!w->ill->rows)
        set_way(w, 0);
    return amiss;
}

/* Lines that are all alike are poor evidence: they are used only if there is nothing better. */
static bool find_defect(m5_illmesh_state *w)
{
    bool alike = m5_illmesh_lines_are_alike(w);
    if (!alike)
        return find_cause(w, true);
    if (m5_illmesh_find_lines(w) || find_cause(w, false))
        return true;
    look_for_rows(w);
    return find_cause(w, true);
}

static m5_ill_plan plan_of_way(const m5_illmesh_state *w, int way)
{
    m5_illmesh_state with = *w;
    with.engine = way & 1;
    with.merged = way & 2;
    return m5_illmesh_plan(&with);
}

/* Whether flags are the file's with at most two of them changed, or in another order. */
static bool are_near(const bool *own, const bool *other)
{
    unsigned changed = 0;
    int more = 0;
    for (unsigned i = 0; i < M5_ILL_FLAGS; i++) {
        changed += own[i] != other[i];
        more += (int)other[i] - (int)own[i];
    }
    return changed <= 2 || more == 0;
}

/* Whether the lines fit other flags: then the flags are wrong, and not the vertices. */
static bool fit_other_flags(m5_illmesh_state *w)
{
    m5_span last[M5_ILL_MAX_SECTIONS];
    bool fit = false;
    w->ill->rows = true;
    for (unsigned flags = 0; flags < 1U << M5_ILL_FLAGS; flags++)
        for (int way = 0; way < WAYS && !fit; way++) {
            m5_illmesh_state with = *w;
            for (unsigned i = 0; i < M5_ILL_FLAGS; i++)
                with.flag[i] = flags >> i & 1;
            m5_ill_plan plan = plan_of_way(&with, way);
            fit = are_near(w->flag, with.flag) && m5_ill_plan_words(&plan) == w->ill->words_found &&
                  m5_ill_fits(w->ill, &plan, last) == M5_FITS;
        }
    return fit;
}

/* If it reports a mistake, reading ends, and m5_ill_give_up does nothing. */
static void find_slip(m5_illmesh_state *w)
{
    bool rows = w->ill->rows, found = fit_other_flags(w);
    w->ill->rows = rows;
    for (int way = 0; way < WAYS && !found; way++) {
        m5_ill_plan usual = plan_of_way(w, way);
        found = m5_ill_find_slip(w->ill, &usual);
    }
}

void m5_illmesh_survey(m5_illmesh_state *w)
{
    m5_ill_count flags = {.told = w->bad_flag}, *counts[] = {&flags, &w->verts, &w->indices};
    if (look_for_rows(w) && (w->bad_flag || !find_defect(w))) {
        look_for_rows(w);
        if (!w->bad_flag)
            find_slip(w);
        m5_ill_give_up(w->ill, counts, sizeof counts / sizeof *counts);
    }
    w->ill->plan = m5_illmesh_plan(w);
}
