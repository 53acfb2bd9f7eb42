/* Parses illanim: for each bone a name, then keys of position, rotation and scale. */
#include "illanim.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include "ill.h"

#include <math.h>
#include <string.h>

enum { NAME, KEYS, KEY_WORDS = 10 };

typedef struct anim_state {
    m5_ill *ill;
    m5_illanim *anim;
    m5_ill_count frames, bones;
} anim_state;

/* ---- ILLANIM0 frame-rate frame-count bone-count bone * n ------------------------------------- */

static m5_ill_plan make_plan(uint32_t bones, uint32_t frames, bool merged)
{
    m5_ill_plan plan = {.num_sections = 2, .cycles = bones, .cycle = "bone"};
    plan.section[NAME] = (m5_ill_section){.record = "name",
                                          .kind = M5_ILL_NAMES,
                                          .count = 1,
                                          .num_rows = 1,
                                          .row = {{"name", 1, NULL}}};
    plan.section[KEYS] = (m5_ill_section){
        .record = "key",
        .kind = M5_ILL_FLOATS,
        .count = frames,
        .num_rows = 3,
        .row = {{"position", 3, NULL}, {"rotation", 4, NULL}, {"scale", 3, NULL}}};
    if (merged) {
        plan.section[KEYS].num_rows = 1;
        plan.section[KEYS].row[0].width = KEY_WORDS;
    }
    return plan;
}

static bool read_frame_rate(anim_state *w)
{
    m5_words *words = &w->ill->words;
    m5_words_peek(words);
    uint32_t at = (uint32_t)(words->p - words->base);
    m5_word_status status = m5_words_float_slow(words, &w->anim->frame_rate);
    w->anim->frame_rate_at = m5_words_nth(w->anim->source, at, 0);
    if (status == M5_WORD_END) {
        w->anim->frame_rate_at.length = 0; /* the text there is a comment */
        m5_ill_say_end(w->ill);
    }
    if (status == M5_WORD_BAD)
        w->anim->frame_rate = 1; /* already reported */
    return status != M5_WORD_END;
}

static void check_not_zero(anim_state *w, m5_ill_count *count, const m5_rule *rule,
                           const char *what)
{
    m5_diag d = m5_found(rule, count->at);
    if (count->value != 0)
        return;
    m5_emit(w->ill->report, &d, 0, "0 %s, expected at least 1", what);
    count->told = true;
}

/* Whether the header has an extra number before the last two, which then account for all words. */
static bool has_four_numbers(const anim_state *w)
{
    m5_words ahead = w->ill->words;
    m5_report silent = {.source = w->anim->source};
    uint64_t words = m5_ill_words_left(w->ill), frames = w->bones.value;
    int64_t bones;
    ahead.report = &silent;
    return m5_words_int_slow(&ahead, 1, UINT32_MAX, &bones) == M5_WORD_FINE &&
           words == 1 + (uint64_t)bones * (1 + KEY_WORDS * frames);
}

/* Then the last two are the counts; which of the others is the frame rate is not known. */
static void leave_out_number(anim_state *w)
{
    m5_diag d = m5_found(M5_ROW(ill_token_count), w->frames.at);
    m5_relate(&d, w->anim->source, w->anim->frame_rate_at, "the first number");
    m5_emit(w->ill->report, &d, 0,
            "4 numbers before the first bone, expected 3 (frame rate, frames, bones)");
    w->anim->frame_rate = 1;
    w->frames = w->bones;
    m5_ill_read_count(w->ill, &w->bones);
}

/* Whether the first bone, a name followed by several numbers, is where another number of the header
 * is expected. */
static bool lacks_number(anim_state *w, unsigned numbers)
{
    const m5_source *s = w->anim->source;
    m5_span word = m5_words_peek(&w->ill->words), next = m5_words_nth(s, word.offset, 1);
    m5_span more = m5_words_nth(s, word.offset, 2);
    if (more.length == 0 || !m5_words_is_prose(s, word) || !m5_words_is_number(s, next) ||
        !m5_words_is_number(s, more))
        return false;
    m5_diag d = m5_found(M5_ROW(ill_token_count), word);
    m5_emit(w->ill->report, &d, 0,
            "%u number%s before the first bone, expected 3 (frame rate, frames, bones)", numbers,
            numbers == 1 ? "" : "s");
    w->ill->ended = w->ill->told = true;
    return true;
}

static bool read_header(anim_state *w)
{
    if (!read_frame_rate(w) || lacks_number(w, 1) || !m5_ill_read_count(w->ill, &w->frames) ||
        lacks_number(w, 2) || !m5_ill_read_count(w->ill, &w->bones))
        return false;
    if (w->ill->loud && has_four_numbers(w))
        leave_out_number(w);
    w->anim->num_frames_at = w->frames.at;
    w->anim->num_bones_at = w->bones.at;
    check_not_zero(w, &w->frames, M5_ROW(illanim_frame_count), "frames");
    check_not_zero(w, &w->bones, M5_ROW(illanim_bone_count), "bones");
    if (w->bones.value == 0 || m5_ill_can_hold(w->ill, &w->frames, KEY_WORDS))
        m5_ill_can_hold(w->ill, &w->bones, 1 + (uint64_t)KEY_WORDS * w->frames.value);
    return true;
}

static bool is_merged(const anim_state *w)
{
    return w->ill->plan.section[KEYS].num_rows == 1;
}

static bool holds(anim_state *w, uint32_t bones, uint32_t frames, m5_span last[M5_ILL_MAX_SECTIONS])
{
    if (bones == 0 || frames == 0)
        return false;
    m5_ill_plan plan = make_plan(bones, frames, is_merged(w));
    if (m5_ill_fits(w->ill, &plan, last) != M5_FITS)
        return false;
    w->ill->plan = plan;
    return true;
}

/* Whether the number of frames is a usual frame rate, and the frame rate the number of frames. A
 * number that is wrong by 1 is no rate. */
static bool is_frame_rate(const anim_state *w, uint32_t found_frames)
{
    static const uint8_t usual[] = {10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 100, 120};
    uint32_t frames = w->frames.value;
    bool near = frames <= found_frames + 1 && found_frames <= frames + 1;
    bool is_usual = frames <= UINT8_MAX && memchr(usual, (int)frames, sizeof usual) != NULL;
    return w->anim->frame_rate == (float)found_frames && !near && is_usual;
}

static void say_frame_rate(anim_state *w, uint32_t found)
{
    m5_diag d = m5_found(M5_ROW(ill_token_count), w->frames.at);
    m5_relate(&d, w->ill->report->source, w->anim->frame_rate_at, "the frame rate");
    m5_emit(
        w->ill->report, &d, 0,
        "the number of frames is %u, but the file has %u, and its frame rate is %u: the two seem "
        "to be swapped",
        w->frames.value, found, found);
    w->ill->told = true;
}

static void say_swapped(anim_state *w)
{
    m5_diag d = m5_found(M5_ROW(ill_token_count), w->frames.at);
    m5_relate(&d, w->ill->report->source, w->bones.at, "the number of bones");
    m5_emit(w->ill->report, &d, 0, "the numbers of frames (%u) and bones (%u) are swapped",
            w->frames.value, w->bones.value);
    w->ill->told = true;
}

/* Finds out which of the counts may be wrong: a hypothesis is accepted if the file fits it exactly.
 */
static bool find_cause(anim_state *w)
{
    m5_span last[M5_ILL_MAX_SECTIONS] = {{0, 0}};
    uint32_t words = m5_ill_words_left(w->ill), frames = w->frames.value, bones = w->bones.value;
    uint32_t found_bones = (uint32_t)(words / (1 + KEY_WORDS * (uint64_t)frames));
    uint32_t found_frames = bones != 0 ? words / bones / KEY_WORDS : 0;
    if (holds(w, found_bones, frames, last)) {
        m5_ill_say_count(w->ill, &w->bones, found_bones, "bones", last[KEYS]);
        w->bones.value = found_bones;
    } else if (is_frame_rate(w, found_frames) && holds(w, bones, found_frames, last)) {
        say_frame_rate(w, found_frames);
        w->anim->frame_rate = (float)frames;
        w->frames.value = found_frames;
    } else if (holds(w, bones, found_frames, last)) {
        m5_ill_say_count(w->ill, &w->frames, found_frames, "frames", last[KEYS]);
        w->frames.value = found_frames;
    } else if (holds(w, frames, bones, last)) {
        say_swapped(w);
        w->bones.value = frames;
        w->frames.value = bones;
    } else {
        return false;
    }
    m5_ill_settle(w->ill);
    return true;
}

static void survey(anim_state *w)
{
    m5_ill_count *const counts[] = {&w->frames, &w->bones};
    bool amiss = m5_ill_survey(w->ill);
    if (amiss && !w->ill->rows) {
        w->ill->plan = make_plan(w->bones.value, w->frames.value, true);
        amiss = m5_ill_survey(w->ill);
    }
    m5_ill_plan usual = make_plan(w->bones.value, w->frames.value, false);
    if (amiss && !m5_ill_find_slip(w->ill, &usual) && !m5_ill_find_slip(w->ill, &w->ill->plan) &&
        !find_cause(w))
        m5_ill_give_up(w->ill, counts, 2);
}

/* ---- bone: name key * frame-count ------------------------------------------------------------ */

/* key: a position x y z, a rotation x y z w, a scale x y z. */

/* How many still fit into the file from here on, so that no memory is reserved for more. */
static uint32_t at_most(const anim_state *w, uint32_t count, uint32_t bytes)
{
    uint32_t most = (uint32_t)(w->ill->words.end - w->ill->words.p) / bytes + 1;
    return count < most ? count : most;
}

static bool read_key(anim_state *w, m5_illanim_key *key)
{
    float f[KEY_WORDS];
    key->offset = m5_words_here(&w->ill->words);
    m5_word_status status = m5_ill_floats(w->ill, KEYS, f);
    memcpy(key->pos, f, sizeof key->pos);
    memcpy(key->rotation, f + 3, sizeof key->rotation);
    memcpy(key->scale, f + 7, sizeof key->scale);
    w->anim->whole &= status == M5_WORD_FINE;
    return status != M5_WORD_END;
}

static void make_unknown(m5_illanim_key *key)
{
    for (int i = 0; i < 3; i++)
        key->pos[i] = key->scale[i] = NAN;
    for (int i = 0; i < 4; i++)
        key->rotation[i] = NAN;
}

/* Lines were missing or extra: what was read for this key and the one before is only a guess. */
static void forget(anim_state *w, m5_illanim_key *keys, uint32_t i)
{
    make_unknown(&keys[i]);
    if (i > 0)
        make_unknown(&keys[i - 1]);
    w->anim->whole = w->ill->slipped = false;
}

/* False when the file ended within the bone: then the bone is not counted. */
static bool read_bone(anim_state *w, m5_illanim_bone *bone)
{
    m5_word_status name = m5_ill_name(w->ill, NAME, &bone->name);
    w->anim->whole &= name == M5_WORD_FINE;
    if (name == M5_WORD_END)
        return false;
    uint32_t capacity = at_most(w, w->frames.value, 2 * KEY_WORDS);
    bone->keys = m5_ill_array(w->ill, capacity, sizeof *bone->keys);
    for (uint32_t i = 0; bone->keys != NULL && i < w->frames.value; i++) {
        bool read = i < capacity && read_key(w, &bone->keys[i]);
        if (w->ill->slipped)
            forget(w, bone->keys, i);
        if (read)
            continue;
        m5_arena_trim(w->ill->arena, bone->keys, 0);
        return false;
    }
    return bone->keys != NULL;
}

static void read_bones(anim_state *w)
{
    m5_illanim *m = w->anim;
    uint32_t capacity = at_most(w, w->bones.value, 2 + 2 * KEY_WORDS);
    m->bones = m5_ill_array(w->ill, capacity, sizeof *m->bones);
    m->num_frames = w->frames.value;
    m->whole = m->bones != NULL;
    while (m->num_bones < capacity && !w->ill->ended && read_bone(w, &m->bones[m->num_bones]))
        m->num_bones++;
    m->whole &= m->num_bones == w->bones.value;
}

static void *read_file(m5_ill *ill)
{
    anim_state w = {.ill = ill};
    w.anim = m5_ill_array(ill, 1, sizeof *w.anim);
    if (w.anim == NULL)
        return NULL;
    *w.anim = (m5_illanim){.source = ill->report->source};
    if (ill->ended || !read_header(&w))
        return w.anim;
    ill->plan = make_plan(w.bones.value, w.frames.value, false);
    if (ill->loud)
        survey(&w);
    ill->at = m5_ill_first(&ill->plan);
    if (ill->ended || w.frames.value == 0 || w.bones.value == 0)
        return w.anim;
    read_bones(&w);
    if (!m5_ill_finish(ill))
        w.anim->num_bones = 0;
    return w.anim;
}

m5_status m5_illanim_parse(m5_report *report, m5_arena *arena, const m5_illanim **out)
{
    void *model;
    m5_status status = m5_ill_parse(report, arena, "ILLANIM0", read_file, &model);
    *out = model;
    return status;
}
