/* Parses illskel: matrices, parents and names of bones, and whether they make a tree. */
#include "illskel.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include "ill.h"

#include <float.h>
#include <math.h>

enum { MATRICES, PARENTS, NAMES };

typedef struct skel_state {
    m5_ill *ill;
    m5_illskel *skel;
    m5_ill_count bones;
} skel_state;

/* ---- ILLSKEL0 bone-count matrix * n parent * n name * n -------------------------------------- */

/* matrix: 16 numbers, row by row, relative to the parent; parent: a bone's index, or -1 or the bone
 * itself for the root; name: anything but white space. */

static m5_ill_plan make_plan(uint32_t bones, bool merged)
{
    m5_ill_plan plan = {.num_sections = 3, .cycles = 1};
    m5_ill_section *s = plan.section;
    s[MATRICES] = (m5_ill_section){
        .record = "matrix",
        .kind = M5_ILL_FLOATS,
        .count = bones,
        .num_rows = 4,
        .row = {{"row 0", 4, NULL}, {"row 1", 4, NULL}, {"row 2", 4, NULL}, {"row 3", 4, NULL}}};
    if (merged) {
        s[MATRICES].num_rows = 1;
        s[MATRICES].row[0].width = 16;
    }
    s[PARENTS] = (m5_ill_section){.record = "parent",
                                  .kind = M5_ILL_INTS,
                                  .count = bones,
                                  .num_rows = 1,
                                  .row = {{"parent", 1, NULL}}};
    s[NAMES] = (m5_ill_section){.record = "name",
                                .kind = M5_ILL_NAMES,
                                .count = bones,
                                .num_rows = 1,
                                .row = {{"name", 1, NULL}},
                                .missing = M5_ROW(illskel_name_missing)};
    return plan;
}

static bool read_header(skel_state *w)
{
    enum { WORDS = 18 }; /* of a bone */
    if (!m5_ill_read_count(w->ill, &w->bones))
        return false;
    w->skel->num_bones_at = w->bones.at;
    m5_diag d = m5_found(M5_ROW(illskel_bone_count), w->bones.at);
    if (w->bones.value == 0)
        m5_emit(w->ill->report, &d, DBL_MAX, "0 bones, expected at least 1");
    else if (m5_ill_can_hold(w->ill, &w->bones, WORDS))
        m5_emit(w->ill->report, &d, w->bones.value,
                "%u bones, expected at most 128 (the limit of illEngine's shader)", w->bones.value);
    w->bones.told |= w->bones.value == 0;
    return true;
}

/* Whether there are whole bones in the file, but not as many as the header says. Where numbers end
 * and names begin shows how many there are. */
static bool find_cause(skel_state *w)
{
    m5_span last[M5_ILL_MAX_SECTIONS] = {{0, 0}};
    uint32_t words = m5_ill_words_left(w->ill),
             each = m5_ill_record_words(&w->ill->plan.section[0]) + 2;
    if (words % each != 0 || words == 0)
        return false;
    m5_ill_plan plan = make_plan(words / each, w->ill->plan.section[0].num_rows == 1);
    if (m5_ill_fits(w->ill, &plan, last) != M5_FITS)
        return false;
    w->ill->plan = plan;
    m5_ill_settle(w->ill);
    m5_ill_say_count(w->ill, &w->bones, words / each, "bones", last[NAMES]);
    w->bones.value = words / each;
    return true;
}

/* Whether there are whole bones from the count on, line by line: then the count is missing. */
static bool lacks_count(skel_state *w)
{
    m5_span last[M5_ILL_MAX_SECTIONS] = {{0, 0}};
    m5_ill from = *w->ill;
    uint32_t words = m5_ill_words_left(w->ill) + 1, each = 18;
    m5_ill_plan plan = make_plan(words / each, false);
    from.words.p = from.words.base + w->bones.at.offset - 1;
    from.rows = true;
    if (words % each != 0 || m5_ill_fits(&from, &plan, last) != M5_FITS)
        return false;
    m5_diag d = m5_found(M5_ROW(ill_token_count), w->bones.at);
    m5_emit(w->ill->report, &d, 0,
            "the number of bones is missing, expected %u: a matrix begins in its place",
            words / each);
    w->ill->ended = w->ill->told = true;
    return true;
}

/* Most matrices end in the row 0 0 0 1: expecting it shows in which matrix a row is missing or
 * extra. False if no matrix ends in it. */
static bool expect_last_rows(skel_state *w)
{
    static const float last[] = {0, 0, 0, 1};
    m5_ill_section *matrices = &w->ill->plan.section[MATRICES];
    uint64_t lines = m5_ill_count_lines(w->ill, last, 4);
    if (lines * 4 >= (uint64_t)matrices->count * 3)
        matrices->row[3].are = last;
    return lines != 0;
}

static void survey(skel_state *w)
{
    m5_ill_plan usual = w->ill->plan;
    bool known = expect_last_rows(w), amiss = m5_ill_survey(w->ill);
    if (amiss && !w->ill->rows) {
        w->ill->plan = make_plan(w->bones.value, true);
        amiss = m5_ill_survey(w->ill);
    }
    m5_ill_count *const counts[] = {&w->bones};
    if (!amiss || find_cause(w) || lacks_count(w) ||
        (!known && (m5_ill_find_slip(w->ill, &usual) || m5_ill_find_slip(w->ill, &w->ill->plan))))
        return;
    m5_ill_give_up(w->ill, counts, 1);
}

/* ---- matrix * bone-count, parent * bone-count, name * bone-count ----------------------------- */

static void mark_matrices(m5_illskel *m)
{
    for (uint32_t i = 0; i < m->num_bones; i++)
        for (int k = 0; k < 16; k++)
            m->bones[i].matrix[k / 4][k % 4] = NAN;
}

static void read_matrices(skel_state *w)
{
    m5_illskel *m = w->skel;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        m->bones[i].matrix_at = m5_words_here(&w->ill->words);
        m->matrices_whole &= m5_ill_floats(w->ill, MATRICES, &m->bones[i].matrix[0][0]) ==
                             M5_WORD_FINE;
    }
}

/* Returns whether the parent can be used. */
static bool judge_parent(skel_state *w, uint32_t i, int64_t parent)
{
    m5_span word = m5_words_nth(w->skel->source, w->skel->bones[i].parent_at, 0);
    m5_report *r = w->ill->report;
    if (parent >= (int64_t)w->skel->num_bones) {
        m5_diag d = m5_found(M5_ROW(illskel_parent_range), word);
        d.path = m5_path2("bone", i, "parent", M5_NO_INDEX);
        m5_emit(r, &d, 0, "parent %d, expected -1 to %u", (int)parent, w->skel->num_bones - 1);
        return false;
    }
    if (parent < -1) {
        m5_diag d = m5_found(M5_ROW(illskel_parent_negative), word);
        d.path = m5_path2("bone", i, "parent", M5_NO_INDEX);
        m5_emit(r, &d, 0, "parent %d, expected -1 (no parent) or a bone", (int)parent);
    }
    return true;
}

static void read_parents(skel_state *w)
{
    m5_illskel *m = w->skel;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        int64_t parent = 0;
        m->bones[i].parent_at = m5_words_here(&w->ill->words);
        bool sound = m5_ill_int(w->ill, PARENTS, &parent) == M5_WORD_FINE &&
                     judge_parent(w, i, parent);
        m->parents_whole &= sound;
        m->bones[i].parent = !sound                      ? M5_BROKEN_PARENT
                             : parent < 0 || parent == i ? -1
                                                         : (int32_t)parent;
    }
}

static bool is_again(skel_state *w, m5_span name)
{
    const uint8_t *bytes = w->skel->source->bytes;
    m5_span next = m5_words_peek(&w->ill->words);
    return next.length == name.length &&
           memcmp(bytes + next.offset, bytes + name.offset, name.length) == 0;
}

/* If there are extra words, a name that is followed by itself is one of them. */
static void skip_again(skel_state *w, uint32_t i)
{
    m5_span name = w->skel->bones[i].name;
    while (w->ill->surplus > 0 && name.length != 0 && is_again(w, name)) {
        m5_diag d = m5_found(M5_ROW(ill_token_count), m5_words_next(&w->ill->words));
        m5_relate(&d, w->skel->source, name, "first occurrence");
        m5_emit(w->ill->report, &d, 0, "the name of bone %u is written twice", i);
        w->ill->surplus--;
        w->ill->told = true;
    }
}

static void read_names(skel_state *w)
{
    m5_illskel *m = w->skel;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        m->names_whole &= m5_ill_name(w->ill, NAMES, &m->bones[i].name) == M5_WORD_FINE;
        skip_again(w, i);
    }
}

/* How many words are left over, if each is on a line of its own and looks like a name. */
static uint32_t count_names_left(skel_state *w)
{
    enum { MOST = 4 };
    m5_report silent;
    m5_words words = m5_ill_look_ahead(w->ill, &silent);
    const m5_illskel *m = w->skel;
    const m5_source *s = m->source;
    m5_span before = m->num_bones != 0 ? m->bones[m->num_bones - 1].name : (m5_span){0, 0};
    uint32_t count = 0;
    for (m5_span word = m5_words_next(&words); word.length != 0; word = m5_words_next(&words)) {
        const uint8_t *text = s->bytes + word.offset;
        if (count == MOST || before.length == 0 || *text < ' ' || m5_words_is_number(s, word) ||
            m5_words_at_comment(&words, text) ||
            !m5_words_line_ends(s->bytes, before.offset + before.length, word.offset))
            return 0;
        before = word;
        count++;
    }
    return count;
}

/* Any name can be the extra one, and then the names after it belong to the wrong bones. */
static void skip_names_left(skel_state *w)
{
    m5_ill *ill = w->ill;
    uint32_t left = w->ill->told ? 0 : count_names_left(w), bones = w->skel->num_bones;
    m5_diag d = m5_found(M5_ROW(illskel_name_surplus), m5_words_peek(&ill->words));
    if (left == 0)
        return;
    m5_relate(&d, w->skel->source, w->skel->bones[0].name, "the first name");
    m5_emit(ill->report, &d, 0, "%u names for %u bone%s: %s extra", bones + left, bones,
            bones == 1 ? "" : "s",
            left == 1 ? "this name or an earlier one is"
                      : "these names or as many earlier ones are");
    w->skel->names_whole = false;
    while (m5_words_next(&ill->words).length != 0)
        continue;
}

/* ---- The tree -------------------------------------------------------------------------------- */

/* The lowest bone of a loop, and how many are in it. */
static uint32_t lowest_of(const m5_illskel *m, uint32_t in_it, uint32_t *length)
{
    uint32_t lowest = in_it;
    *length = 1;
    for (uint32_t i = (uint32_t)m->bones[in_it].parent; i != in_it; ++*length) {
        lowest = i < lowest ? i : lowest;
        i = (uint32_t)m->bones[i].parent;
    }
    return lowest;
}

static void say_loop(skel_state *w, uint32_t in_it, bool any_root)
{
    const m5_illskel *m = w->skel;
    uint32_t length, lowest = lowest_of(m, in_it, &length);
    const m5_rule *rule = any_root ? M5_ROW(illskel_cycle) : M5_ROW(illskel_root_missing);
    m5_diag d = m5_found(rule, m5_words_nth(m->source, m->bones[lowest].parent_at, 0));
    d.path = m5_path2("bone", lowest, "parent", M5_NO_INDEX);
    m5_emit(w->ill->report, &d, 0, "%sbone %u has parent %d, which makes a loop of %u bones",
            any_root ? "" : "no bone is a root: ", lowest, m->bones[lowest].parent, length);
}

/* Goes up from every bone to a root or a bone already visited, and comes down again, so that each
 * bone is put in order after its parent. `way[i]` is the bone from which i was visited first. If
 * there are several loops and no root, the loop with the lowest bone is reported. */
static void put_in_order(skel_state *w, uint32_t *way, bool any_root)
{
    m5_illskel *m = w->skel;
    uint32_t placed = 0, lowest = UINT32_MAX, unused;
    for (uint32_t i = 0; i < m->num_bones; i++)
        way[i] = UINT32_MAX;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        int32_t up = (int32_t)i;
        uint32_t steps = 0;
        while (up >= 0 && way[up] == UINT32_MAX) {
            way[up] = i;
            up = m->bones[up].parent;
            steps++;
        }
        if (up >= 0 && way[up] == i) {
            uint32_t low = lowest_of(m, (uint32_t)up, &unused);
            lowest = low < lowest ? low : lowest;
            if (any_root)
                say_loop(w, low, true);
            m->parents_whole = false;
        }
        up = (int32_t)i;
        for (uint32_t k = steps; k > 0; k--, up = m->bones[up].parent)
            m->order[placed + k - 1] = (uint32_t)up;
        placed += steps;
    }
    if (!any_root) /* then every way up ends in a loop */
        say_loop(w, lowest, false);
}

static void check_tree(skel_state *w)
{
    m5_illskel *m = w->skel;
    bool any_root = false;
    for (uint32_t i = 0; i < m->num_bones; i++)
        any_root |= m->bones[i].parent == -1;
    if (!m->parents_whole)
        return;
    m->order = m5_ill_array(w->ill, m->num_bones, sizeof *m->order);
    size_t mark = w->ill->arena->used;
    uint32_t *way = m5_ill_array(w->ill, m->num_bones, sizeof *way);
    if (m->order != NULL && way != NULL)
        put_in_order(w, way, any_root);
    m5_arena_release(w->ill->arena, mark);
}

/* ---- The whole file -------------------------------------------------------------------------- */

static void read_bones(skel_state *w)
{
    enum { SHORTEST = 36 }; /* bytes of a bone: 18 words of one character */
    uint32_t most = (uint32_t)(w->ill->words.end - w->ill->words.p) / SHORTEST + 1;
    m5_illskel *m = w->skel;
    uint32_t count = w->bones.value < most ? w->bones.value : most;
    m->bones = m5_ill_array(w->ill, count, sizeof *m->bones);
    if (m->bones == NULL)
        return;
    memset(m->bones, 0, count * sizeof *m->bones);
    m->num_bones = count;
    mark_matrices(m);
    m->matrices_whole = m->parents_whole = m->names_whole = count == w->bones.value;
    read_matrices(w);
    read_parents(w);
    if (w->ill->slipped) { /* all rows are alike: it is only noticed after the last of them */
        m->matrices_whole = false;
        mark_matrices(m);
    }
    w->ill->slipped = false;
    read_names(w);
    skip_names_left(w);
    m->parents_whole &= !w->ill->slipped;
}

static void *read_file(m5_ill *ill)
{
    skel_state w = {.ill = ill};
    w.skel = m5_ill_array(ill, 1, sizeof *w.skel);
    if (w.skel == NULL)
        return NULL;
    *w.skel = (m5_illskel){.source = ill->report->source};
    if (ill->ended || !read_header(&w))
        return w.skel;
    ill->plan = make_plan(w.bones.value, false);
    if (ill->loud)
        survey(&w);
    ill->at = m5_ill_first(&ill->plan);
    if (!ill->ended)
        read_bones(&w);
    if (!m5_ill_finish(ill))
        w.skel->num_bones = 0;
    else if (w.bones.told)
        w.skel->parents_whole = false; /* a missing or extra bone mixes up the parents */
    else
        check_tree(&w);
    return w.skel;
}

m5_status m5_illskel_parse(m5_report *report, m5_arena *arena, const m5_illskel **out)
{
    void *model;
    m5_status status = m5_ill_parse(report, arena, "ILLSKEL0", read_file, &model);
    *out = model;
    return status;
}
