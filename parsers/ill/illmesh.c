/* Parses illmesh: flags and counts, vertices in either layout, indices. */
#include "illmesh_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <math.h>

/* ---- ILLMESH0 flag * 6 vertex-count index-count ---------------------------------------------- */

/* flag: 1 where vertices have a position, a normal, a tangent and a bitangent, texture coordinates,
 * bones and weights, a color; else 0. */

/* A number above 1 is probably the first count, after too few flags: flags after it are not
 * reported. */
static void say_flag(m5_illmesh_state *w, unsigned i, m5_span word, double measure)
{
    bool told = w->behind_flags;
    w->behind_flags |= measure == M5_GRAVE && m5_words_is_index(w->ill->report->source, word);
    if (told || m5_words_goes_on(&w->ill->words, word))
        return;
    m5_diag d = m5_found(M5_ROW(illmesh_flag_value), word);
    d.path = m5_path1("flag", i);
    m5_emit(w->ill->report, &d, measure, "the flag is '%.*s', expected 0 or 1", (int)word.length,
            (const char *)w->ill->report->source->bytes + word.offset);
}

/* C++'s >> reads a bool as an integer, and accepts only 0 and 1, also when written as 01 or +1. */
static void read_flag(m5_illmesh_state *w, unsigned i)
{
    m5_span word = m5_words_number(&w->ill->words);
    const uint8_t *text = w->ill->report->source->bytes + word.offset;
    if (word.length == 0) {
        m5_ill_say_end(w->ill);
        return;
    }
    w->mesh->flags[i] = word;
    w->flag[i] = text[0] != '0' && text[0] != 'f';
    if (word.length == 1 && (text[0] == '0' || text[0] == '1'))
        return;
    uint32_t zeros = text[0] == '+' || text[0] == '-';
    while (zeros < word.length && text[zeros] == '0')
        zeros++;
    bool one = zeros + 1 == word.length && text[zeros] == '1' && text[0] != '-';
    bool zero = zeros == word.length && text[zeros - 1] == '0';
    say_flag(w, i, word, one || zero ? M5_MILD : M5_GRAVE);
    w->flag[i] = one || (!zero && w->flag[i]);
    w->bad_flag |= !one && !zero;
}

static void check_count(m5_illmesh_state *w)
{
    uint64_t bytes = (uint64_t)w->verts.value * m5_illmesh_vertex_words(w->flag) * sizeof(float);
    m5_diag d = m5_found(M5_ROW(illmesh_vertex_count), w->verts.at);
    if (w->verts.value == 0)
        m5_emit(w->ill->report, &d, 0, "0 vertices, expected at least 1");
    else if (bytes > UINT32_MAX)
        m5_emit(
            w->ill->report, &d, 0,
            "%u vertices of %u bytes each need %llu bytes, expected at most 4294967295 (32 bits)",
            w->verts.value, m5_illmesh_vertex_words(w->flag) * (unsigned)sizeof(float),
            (unsigned long long)bytes);
    w->verts.told = w->verts.value == 0 || bytes > UINT32_MAX;
}

static bool counts_follow(m5_illmesh_state *w)
{
    const m5_source *s = w->mesh->source;
    uint32_t at = m5_words_peek(&w->ill->words).offset;
    return m5_words_is_index(s, m5_words_nth(s, at, 0)) &&
           m5_words_is_index(s, m5_words_nth(s, at, 1));
}

static bool read_header(m5_illmesh_state *w)
{
    for (unsigned i = 0; i < M5_ILL_FLAGS; i++) {
        if (i == M5_ILL_FLAGS - 1 && w->ill->loud && m5_illmesh_lacks_flag(w))
            return false;
        read_flag(w, i);
    }
    w->ill->ended |= w->bad_flag && !counts_follow(w); /* then a flag is missing or extra */
    if (w->ill->ended || !m5_ill_read_count(w->ill, &w->verts) ||
        (w->ill->loud && m5_illmesh_lacks_count(w)) || !m5_ill_read_count(w->ill, &w->indices))
        return false;
    if (w->ill->loud && !m5_illmesh_leave_out_number(w))
        return false;
    w->mesh->num_verts_at = w->verts.at;
    w->mesh->num_indices_at = w->indices.at;
    check_count(w);
    if (m5_ill_can_hold(w->ill, &w->verts, m5_illmesh_vertex_words(w->flag)))
        m5_ill_can_hold(w->ill, &w->indices, 1);
    w->index_limit = w->verts.value;
    return true;
}

/* ---- vertex * vertex-count ------------------------------------------------------------------- */

/* vertex, in the text's layout (in the engine's, uv comes after the weights):
 *   [x y z] [nx ny nz] [tx ty tz  bx by bz] [u v] [bone * 4  weight * 4] [r g b a] */

/* Lines were missing or extra: what was read for this vertex and the one before is only a guess. */
static void forget(m5_illmesh_state *w)
{
    m5_illmesh *m = w->mesh;
    uint32_t count = m->num_verts > 1 ? 2 : 1;
    float *from = m->verts + (size_t)(m->num_verts - count) * m->stride;
    for (uint32_t i = 0; i < count * m->stride; i++)
        from[i] = NAN;
    m->verts_whole = w->ill->slipped = false;
}

static void read_vertices(m5_illmesh_state *w)
{
    m5_illmesh *m = w->mesh;
    uint32_t words = m5_illmesh_vertex_words(w->flag), least = 2 * words;
    uint32_t room = (uint32_t)(w->ill->words.end - w->ill->words.p), count = w->verts.value;
    m->stride = words;
    m->verts_whole = true;
    if (words == 0)
        return;
    uint32_t most = room / least + 1, capacity = count < most ? count : most;
    m->vert_offsets = m5_ill_array(w->ill, capacity, sizeof *m->vert_offsets);
    if (m->vert_offsets == NULL)
        return;
    m->verts = m5_ill_array(w->ill, capacity, words * sizeof *m->verts);
    while (m->num_verts < capacity && !w->ill->ended) {
        m->vert_offsets[m->num_verts] = m5_words_here(&w->ill->words);
        m5_word_status status = m5_ill_floats(w->ill, M5_ILLMESH_VERTS,
                                              m->verts + (size_t)m->num_verts * words);
        m->verts_whole &= status == M5_WORD_FINE;
        if (status == M5_WORD_END)
            break;
        m->num_verts++;
        if (w->ill->slipped)
            forget(w);
    }
    m->verts_whole &= m->num_verts == count;
    m5_arena_trim(w->ill->arena, m->verts, (size_t)m->num_verts * words * sizeof *m->verts);
}

/* Without any flag the vertices have no data. Reported only if nothing was reported that may
 * explain it, such as a flag that should be 1. */
static void check_stride(m5_illmesh_state *w)
{
    if (w->mesh->stride != 0 || w->verts.value == 0 || w->bad_flag || w->ill->told)
        return;
    m5_diag d = m5_found(M5_ROW(illmesh_vertex_count), w->mesh->flags[0]);
    m5_emit(w->ill->report, &d, 0, "all flags are 0: the file has no data for its vertices (%u)",
            w->verts.value);
}

/* ---- Which layout ---------------------------------------------------------------------------- */

static void place_parts(m5_illmesh_state *w, bool engine)
{
    int32_t *at = w->mesh->at, next = 0;
    for (unsigned i = 0; i < M5_ILL_PARTS; i++) {
        at[i] = w->flag[m5_illmesh_flag_of[i]] ? next : -1;
        next += w->flag[m5_illmesh_flag_of[i]] ? m5_illmesh_width[i] : 0;
    }
    if (!engine)
        return;
    at[M5_ILL_BONES] = at[M5_ILL_TEXCOORD];
    at[M5_ILL_WEIGHTS] = at[M5_ILL_BONES] + 4;
    at[M5_ILL_TEXCOORD] = at[M5_ILL_BONES] + 8;
}

/* How many vertices could only be in the text's layout, or only in the engine's. */
typedef struct votes {
    uint32_t text, engine;
} votes;

/* The vertices vote by bones and weights. If none of them can, because the weights may be wrong in
 * all of them, they vote by bones alone, which are integers. */
static votes take_votes(const m5_illmesh *m, uint32_t first)
{
    votes v = {0, 0};
    for (int by_bones = 0; by_bones < 2 && v.text + v.engine == 0; by_bones++)
        for (uint32_t i = 0; i < m->num_verts; i++) {
            const float *f = m->verts + (size_t)i * m->stride + first;
            bool as_text = by_bones ? m5_illmesh_are_bones(f + 2) : m5_illmesh_is_blend(f + 2);
            bool as_engine = by_bones ? m5_illmesh_are_bones(f) : m5_illmesh_is_blend(f);
            v.text += as_text && !as_engine;
            v.engine += as_engine && !as_text;
        }
    return v;
}

static bool has_two_layouts(const m5_illmesh *m)
{
    return m->at[M5_ILL_TEXCOORD] >= 0 && m->at[M5_ILL_BONES] >= 0 && m->num_verts != 0;
}

/* Whether a word of the first vertex begins a line. */
static bool begins_line(const m5_illmesh *m, uint32_t word)
{
    m5_span before = m5_words_nth(m->source, m->vert_offsets[0], word - 1);
    m5_span own = m5_words_nth(m->source, m->vert_offsets[0], word);
    return m5_words_line_ends(m->source->bytes, before.offset + before.length, own.offset);
}

/* The numbers of a vertex with one bone may fit both layouts. Exporters fill the first place first,
 * so that the first weight is not 0. */
static votes take_votes_by_first_weight(const m5_illmesh *m, uint32_t first)
{
    votes v = {0, 0};
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const float *f = m->verts + (size_t)i * m->stride + first;
        v.text += f[2 + 4] > 0;
        v.engine += f[4] > 0;
    }
    return v;
}

/* Where lines show a layout, only a vote of over half of the vertices overrules them. Where nothing
 * shows it, it is the text's. */
static bool is_engine_layout(const m5_illmesh *m)
{
    uint32_t first = (uint32_t)m->at[M5_ILL_TEXCOORD], half = m->num_verts / 2;
    votes v = take_votes(m, first);
    bool pair = begins_line(m, first + 2), four = begins_line(m, first + 4);
    if (pair == four && v.engine == v.text)
        v = take_votes_by_first_weight(m, first);
    if (pair == four)
        return v.engine > v.text;
    return four ? v.text <= half : v.engine > half;
}

static void choose_layout(m5_illmesh_state *w)
{
    m5_ill_layout forced = m5_settings_of(w->ill->report)->ill_layout;
    place_parts(w, false);
    if (!has_two_layouts(w->mesh))
        return;
    w->mesh->engine_layout = forced == M5_ILL_ENGINE ||
                             (forced == M5_ILL_AUTO && is_engine_layout(w->mesh));
    place_parts(w, w->mesh->engine_layout);
}

/* Reports the layout, or that the requested one does not fit. */
static void say_layout(m5_report *report, const m5_illmesh *m)
{
    if (!has_two_layouts(m))
        return;
    uint32_t first = (uint32_t)(m->engine_layout ? m->at[M5_ILL_BONES] : m->at[M5_ILL_TEXCOORD]);
    votes v = take_votes(m, first);
    bool against = m5_settings_of(report)->ill_layout != M5_ILL_AUTO &&
                   (m->engine_layout ? v.text > v.engine : v.engine > v.text);
    m5_diag d = m5_found(M5_ROW(illmesh_layout),
                         m5_words_nth(m->source, m->vert_offsets[0], first));
    d.path = m5_path1("vertex", 0);
    if (against)
        m5_emit(report, &d, M5_GRAVE,
                "the requested layout does not fit %u of %u vertices, but the other layout does",
                m->engine_layout ? v.text : v.engine, m->num_verts);
    else if (m->engine_layout)
        m5_emit(report, &d, M5_MILD,
                "bones and weights come before texture coordinates (illEngine's order); the format "
                "text puts them after");
}

static void check_bones(m5_illmesh_state *w)
{
    m5_illmesh *m = w->mesh;
    for (uint32_t i = 0; i < m->num_verts && m->at[M5_ILL_BONES] >= 0; i++) {
        float *bone = m->verts + (size_t)i * m->stride + m->at[M5_ILL_BONES];
        for (uint32_t k = 0; k < 4; k++) {
            if (isnan(bone[k]) ||
                (bone[k] >= 0 && bone[k] < 4294967296.0F && bone[k] == (float)(uint32_t)bone[k]))
                continue;
            m5_diag d = m5_found(
                M5_ROW(illmesh_bone_index_integral),
                m5_words_nth(m->source, m->vert_offsets[i], (uint32_t)m->at[M5_ILL_BONES] + k));
            d.path = m5_path2("vertex", i, "bones", k);
            m5_emit(w->ill->report, &d, 0, "bone index %.7g, expected an integer of 0 or more",
                    (double)bone[k]);
            bone[k] = NAN;
            m->verts_whole = false;
            break;
        }
    }
}

/* ---- index * index-count, three a triangle --------------------------------------------------- */

/* Whether the file has UINT32_MAX there. It also marks an index that could not be read. */
static bool is_written(const m5_source *s, m5_span word)
{
    m5_report silent = {.source = s};
    m5_words w = {.report = &silent,
                  .base = s->bytes,
                  .p = s->bytes + word.offset,
                  .end = s->bytes + word.offset + word.length};
    int64_t value;
    return m5_words_int_slow(&w, 0, UINT32_MAX, &value) == M5_WORD_FINE && value == UINT32_MAX;
}

/* Whether no index is 0, and the highest is one above the last vertex. */
static bool count_from_one(const m5_illmesh_state *w)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < w->mesh->num_indices; i++) {
        uint32_t index = w->mesh->indices[i];
        least = index < least ? index : least;
        most = index > most ? index : most;
    }
    return least == 1 && most == w->index_limit && w->mesh->num_indices > 3 && !w->ill->told;
}

static void check_indices(m5_illmesh_state *w)
{
    m5_illmesh *m = w->mesh;
    bool from_one = false, told = false, all_known = m->indices_whole;
    for (uint32_t i = 0; i < m->num_indices; i++) {
        if (m->indices[i] < w->index_limit || from_one)
            continue;
        m5_span word = m5_words_nth(m->source, m->triangle_offsets[i / 3], i % 3);
        m->indices_whole = false;
        if (m->indices[i] == UINT32_MAX && !all_known && !is_written(m->source, word))
            continue; /* it was reported why it is not known */
        m5_diag d = m5_found(M5_ROW(illmesh_index_range), word);
        d.path = m5_path2("triangle", i / 3, "indices", i % 3);
        from_one = !told && count_from_one(w);
        m5_emit(w->ill->report, &d, 0, "index %u, expected less than %u, the number of vertices%s",
                m->indices[i], w->index_limit,
                from_one ? ": no index is 0, they seem to be counted from 1" : "");
        told = true;
    }
}

static void read_indices(m5_illmesh_state *w)
{
    m5_illmesh *m = w->mesh;
    uint32_t most = (uint32_t)(w->ill->words.end - w->ill->words.p) / 6 + 1;
    uint32_t count = w->indices.value / 3, capacity = count < most ? count : most, n = 0;
    m->triangle_offsets = m5_ill_array(w->ill, capacity, sizeof *m->triangle_offsets);
    if (m->triangle_offsets == NULL)
        return;
    m->indices = m5_ill_array(w->ill, capacity, 3 * sizeof *m->indices);
    m->indices_whole = true;
    for (; n < capacity && !w->ill->ended; n++) {
        m->triangle_offsets[n] = m5_words_here(&w->ill->words);
        m5_word_status status = m5_ill_unsigneds(w->ill, M5_ILLMESH_TRIANGLES,
                                                 m->indices + (size_t)n * 3);
        m->indices_whole &= status == M5_WORD_FINE;
        if (status == M5_WORD_END)
            break;
    }
    m->num_indices = n * 3;
    m->indices_whole &= n == count && w->indices.value % 3 == 0;
    m5_arena_trim(w->ill->arena, m->indices, (size_t)n * 3 * sizeof *m->indices);
}

/* Reads the one or two indices left over after the last whole triangle. */
static void read_odd_indices(m5_illmesh_state *w)
{
    uint32_t odd = w->indices.value % 3, unused;
    if (odd == 0 || w->ill->ended)
        return;
    if (!w->ill->told) {
        m5_diag d = m5_found(M5_ROW(illmesh_index_count_multiple), w->indices.at);
        m5_emit(w->ill->report, &d, 0,
                "the number of indices is %u, expected a multiple of 3 (remainder %u)",
                w->indices.value, odd);
    }
    while (odd-- > 0 && m5_ill_unsigneds(w->ill, M5_ILLMESH_ODD, &unused) != M5_WORD_END)
        continue;
}

/* ---- The whole file -------------------------------------------------------------------------- */

/* Words are missing or extra, and it is not known where: only what lines show is known. */
static void forget_all(m5_illmesh_state *w)
{
    if (w->ill->first_loose <= M5_ILLMESH_VERTS)
        w->mesh->num_verts = 0;
    w->mesh->num_indices = 0;
    w->mesh->indices_whole = false;
}

static void *read_file(m5_ill *ill)
{
    m5_illmesh_state w = {.ill = ill};
    w.mesh = m5_ill_array(ill, 1, sizeof *w.mesh);
    if (w.mesh == NULL)
        return NULL;
    *w.mesh = (m5_illmesh){.source = ill->report->source, .at = {-1, -1, -1, -1, -1, -1, -1, -1}};
    if (ill->ended || !read_header(&w))
        return w.mesh;
    ill->plan = m5_illmesh_plan(&w);
    if (ill->loud)
        m5_illmesh_survey(&w);
    ill->at = m5_ill_first(&ill->plan);
    read_vertices(&w);
    read_indices(&w);
    read_odd_indices(&w);
    if (ill->out_of_memory)
        return w.mesh;
    if (m5_ill_finish(ill))
        check_stride(&w);
    else
        forget_all(&w);
    choose_layout(&w);
    check_bones(&w);
    check_indices(&w);
    return w.mesh;
}

m5_status m5_illmesh_parse(m5_report *report, m5_arena *arena, const m5_illmesh **out)
{
    void *model;
    m5_status status = m5_ill_parse(report, arena, "ILLMESH0", read_file, &model);
    *out = model;
    if (*out != NULL)
        say_layout(report, *out);
    return status;
}
