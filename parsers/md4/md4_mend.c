/* Finds the single offset or count of an MD4 that is wrong.
 *
 * One wrong offset or count makes blocks overlap, leave gaps or run past the end of the file, and
 * everything that is read with it is nonsense. The blocks of a healthy file usually follow each
 * other without a gap. If they do not, but would if a single field had another value, then this
 * field is wrong. */
#include "md4_state.h"
#include "../core/emit.h"

typedef struct m5_md4_layout layout;
typedef struct m5_md4_block block;

/* Returns the size of a block, limited to a size that no file has. */
static int64_t size_of(const block *b)
{
    static const uint64_t most = (uint64_t)1 << 33;
    return (int64_t)(b->count > most / b->size ? most : b->count * b->size);
}

/* Returns where the next block after this one begins, or the end of all blocks if there is none. */
static int64_t next_behind(const layout *l, const block *b)
{
    int64_t next = l->end;
    for (unsigned i = 0; i < l->num_blocks; i++) {
        const block *other = &l->block[i];
        bool there = other->count != 0 || other->num == b->num; /* it is there if b is */
        if (other != b && there && other->at >= b->at && other->at < next)
            next = other->at;
    }
    return next;
}

static int64_t end_of(const layout *l, const block *b, bool strict)
{
    if (!b->loose)
        return b->at + size_of(b);
    int64_t next = next_behind(l, b);
    if (strict)
        return l->natural_end(l, b);
    return next - b->at >= size_of(b) ? next : -1;
}

/* Zero bytes up to a multiple of 4 are padding, not a gap. Returns where the padding at `at`
 * ends, or `at` if there is none. */
static int64_t behind_padding(const layout *l, int64_t at, int64_t next)
{
    enum { MOST = 64 };
    const m5_source *s = l->w->source;
    if (next <= at || next - at >= MOST || (next - l->in.offset) % 4 != 0)
        return at;
    for (int64_t i = at; i < next && i < s->size; i++)
        if (s->bytes[i] != 0)
            return at;
    return next;
}

static const block *block_at(const layout *l, int64_t at)
{
    const block *next = NULL;
    for (unsigned i = 0; i < l->num_blocks; i++) {
        const block *b = &l->block[i];
        if (b->count != 0 && b->at >= at && (next == NULL || b->at < next->at))
            next = b;
    }
    return next != NULL && behind_padding(l, at, next->at) == next->at ? next : NULL;
}

/* Whether the blocks follow each other from `begin` to `end`. A loose block, of which only the
 * smallest size is known, reaches to the next block; if `strict`, its contents must end exactly
 * there. */
bool m5_md4_tiles(const layout *l, bool strict)
{
    int64_t at = l->begin;
    unsigned left = 0;
    for (unsigned i = 0; i < l->num_blocks; i++)
        left += l->block[i].count != 0;
    for (; left > 0; left--) {
        const block *here = block_at(l, at);
        int64_t end = here != NULL ? end_of(l, here, strict) : -1;
        if (end <= at)
            return false;
        at = end;
    }
    return behind_padding(l, at, l->end) == l->end;
}

bool m5_md4_collide(const layout *l)
{
    for (unsigned i = 0; i < l->num_blocks; i++) {
        const block *b = &l->block[i];
        if (b->count == 0)
            continue;
        int64_t end = b->at + size_of(b);
        if (b->at < l->begin || end > l->end || end > next_behind(l, b))
            return true;
    }
    return false;
}

/* ---- Hypotheses ------------------------------------------------------------------------------ */

/* What a hypothesis is tested by: the sizes; also the contents of the loose blocks; or the
 * contents of all blocks. */
typedef enum demand { BY_SIZE, STRICTLY, WITH_SENSE } demand;

static bool holds(const layout *l, demand by)
{
    return m5_md4_tiles(l, by != BY_SIZE) && (by != WITH_SENSE || l->makes_sense(l, false));
}

static bool try_count(const layout *l, unsigned i, demand by, uint64_t *found)
{
    layout with = *l;
    block *b = &with.block[i];
    int64_t room = next_behind(l, &l->block[i]) - b->at;
    if (b->num == NULL || b->loose || (b->miscounted != NULL && by == BY_SIZE) ||
        b->at < l->begin || room <= 0)
        return false;
    *found = (uint64_t)room / b->size;
    if (*found == 0 || *found == b->count)
        return false;
    l->set_count(&with, i, *found);
    return holds(&with, by);
}

static bool try_offset_at(const layout *l, unsigned i, demand by, int64_t at)
{
    layout with = *l;
    with.block[i].at = at;
    return at != l->block[i].at && at >= l->begin && holds(&with, by);
}

/* Tries the place after data that ends at `end`: directly there, or at the next multiple of 16
 * or 32. */
static bool try_offset_behind(const layout *l, unsigned i, demand by, int64_t end, int64_t *found)
{
    for (int64_t round = 1; round <= 32; round *= round < 16 ? 16 : 2) {
        *found = (end + round - 1) / round * round;
        if (end >= l->begin && try_offset_at(l, i, by, *found))
            return true;
    }
    return false;
}

/* Tries the beginning, the end, and the places after and before each other block. */
static bool try_offset(const layout *l, unsigned i, demand by, int64_t *found)
{
    int64_t size = size_of(&l->block[i]);
    if (l->block[i].count == 0)
        return false;
    if (try_offset_behind(l, i, by, l->begin, found))
        return true;
    for (unsigned k = 0; k < l->num_blocks; k++) {
        const block *other = &l->block[k];
        if (k == i || other->count == 0)
            continue;
        if (try_offset_behind(l, i, by, end_of(l, other, by != BY_SIZE), found))
            return true;
        *found = other->at - size;
        if (try_offset_at(l, i, by, *found))
            return true;
    }
    *found = l->end - size;
    return try_offset_at(l, i, by, *found);
}

/* ---- Reports --------------------------------------------------------------------------------- */

static const m5_rule *rule_for(const layout *l, const block *b, bool collision)
{
    if (b->at < l->begin)
        return l->below;
    if (b->at + size_of(b) > l->end || !collision)
        return l->beyond;
    return l->overlap;
}

/* Whether one of the offsets from block `first` on may be wrong. */
static bool may_be_offset(const layout *l, unsigned first, demand by)
{
    int64_t found;
    for (unsigned i = first; i < l->num_blocks; i++)
        if (try_offset(l, i, by, &found))
            return true;
    return false;
}

/* How sure it is that the field is wrong whose number was changed in a layout. Where blocks only
 * have the right sizes, any other field may be. */
static m5_knows how_sure(const layout *mended, demand by)
{
    if (by == BY_SIZE)
        return M5_KNOWS_NOTHING;
    bool sure = by == WITH_SENSE || mended->makes_sense(mended, true);
    return sure ? M5_KNOWS_NUMBER : M5_KNOWS_GUESS;
}

/* A count that is lowered may hide that a record is lost, unless all else makes sense. */
static m5_knows how_sure_of_count(const layout *l, unsigned i, demand by, uint64_t found)
{
    layout with = *l;
    l->set_count(&with, i, found);
    m5_knows how = how_sure(&with, by);
    bool lowered = found < l->block[i].count && by != WITH_SENSE;
    return lowered && how == M5_KNOWS_NUMBER ? M5_KNOWS_GUESS : how;
}

static const m5_rule *rule_for_count(const layout *l, const block *b, bool collision)
{
    const m5_rule *rule = collision ? rule_for(l, b, collision) : M5_ROW(md4_block_gap);
    return b->miscounted != NULL ? b->miscounted : rule;
}

static void say_count(const layout *l, const block *b, uint64_t found, bool collision, m5_knows how)
{
    if (b->told)
        return;
    m5_diag d = m5_md4_found_field(rule_for_count(l, b, collision), l->in, b->num);
    m5_relate(&d, l->w->source, (m5_span){l->in.offset + b->ofs->at, 4},
              "the offset of this block");
    m5_md4_know(&d, how, (int64_t)found);
    m5_emit(l->w->report, &d, M5_GRAVE,
            "%s is %llu, expected %llu, the number of %s between %s and what comes next",
            b->num->name, (unsigned long long)b->count, (unsigned long long)found, b->what,
            b->ofs->name);
}

static void say_offset(const layout *l, const block *b, int64_t found, bool collision, m5_knows how)
{
    m5_diag d = m5_md4_found_field(rule_for(l, b, collision), l->in, b->ofs);
    m5_md4_know(&d, how, found - l->in.offset);
    m5_emit(l->w->report, &d, 0, "%s is %lld, expected %lld, where the %s begin", b->ofs->name,
            (long long)(b->at - l->in.offset), (long long)(found - l->in.offset), b->what);
}

static bool mend_count(layout *l, demand by, bool collision)
{
    for (unsigned i = 0; i < l->num_blocks; i++) {
        uint64_t found;
        if (!try_count(l, i, by, &found))
            continue;
        m5_md4_more more = collision ? M5_MD4_MORE_IN_USE : l->more(l, i, l->block[i].count, found);
        if (more == M5_MD4_NO_MORE)
            continue;
        m5_knows how = more == M5_MD4_MORE_UNUSED ? M5_KNOWS_NOTHING
                                                  : how_sure_of_count(l, i, by, found);
        say_count(l, &l->block[i], found, collision, how);
        bool none = l->block[i].count == 0; /* an empty block is a defect, and this is its cause */
        if (more == M5_MD4_MORE_IN_USE || none || l->block[i].miscounted != NULL)
            l->set_count(l, i, found);
        return true;
    }
    return false;
}

static void say_exchanged(const layout *l, const block *b, const block *other, bool sure)
{
    m5_diag d = m5_md4_found_field(rule_for(l, b, true), l->in, b->ofs);
    m5_relate(&d, l->w->source, (m5_span){l->in.offset + other->ofs->at, 4}, "the other offset");
    if (sure)
        m5_md4_know(&d, M5_KNOWS_EXCHANGE, other->at - l->in.offset);
    m5_emit(l->w->report, &d, 0, "%s is %lld and %s is %lld: the two offsets are swapped",
            b->ofs->name, (long long)(b->at - l->in.offset), other->ofs->name,
            (long long)(other->at - l->in.offset));
}

static void say_counts_exchanged(const layout *l, const block *b, const block *other,
                                 bool collision)
{
    m5_diag d = m5_md4_found_field(rule_for_count(l, b, collision), l->in, b->num);
    m5_relate(&d, l->w->source, (m5_span){l->in.offset + other->num->at, 4}, "the other count");
    m5_md4_know(&d, M5_KNOWS_EXCHANGE, (int64_t)other->count);
    m5_emit(l->w->report, &d, M5_GRAVE, "%s is %llu and %s is %llu: the two counts are swapped",
            b->num->name, (unsigned long long)b->count, other->num->name,
            (unsigned long long)other->count);
}

/* Whether a block has a count of its own. */
static bool is_counted_alone(const layout *l, unsigned which)
{
    const m5_md4_field *num = l->block[which].num;
    bool alone = num != NULL && !l->block[which].told;
    for (unsigned i = 0; i < l->num_blocks; i++)
        alone &= i == which || l->block[i].num != num;
    return alone;
}

/* Mends two counts that are swapped. */
static bool mend_counts(layout *l, demand by, bool collision)
{
    for (unsigned i = 0; i < l->num_blocks; i++)
        for (unsigned k = i + 1; k < l->num_blocks; k++) {
            uint64_t one = l->block[i].count, other = l->block[k].count;
            if (one == other || one == 0 || other == 0 || !is_counted_alone(l, i) ||
                !is_counted_alone(l, k))
                continue;
            layout with = *l;
            l->set_count(&with, k, one); /* that of bones first: frames depend on it */
            l->set_count(&with, i, other);
            if (!holds(&with, by))
                continue;
            say_counts_exchanged(l, &l->block[i], &l->block[k], collision);
            *l = with;
            return true;
        }
    return false;
}

/* Mends two offsets that are swapped. */
static bool mend_exchange(layout *l, demand by)
{
    for (unsigned i = 0; i < l->num_blocks; i++)
        for (unsigned k = i + 1; k < l->num_blocks; k++) {
            layout with = *l;
            with.block[i].at = l->block[k].at;
            with.block[k].at = l->block[i].at;
            if (!holds(&with, by))
                continue;
            say_exchanged(l, &l->block[i], &l->block[k], !may_be_offset(l, 0, by));
            *l = with;
            return true;
        }
    return false;
}

static bool mend_offset(layout *l, demand by, bool collision)
{
    for (unsigned i = 0; i < l->num_blocks; i++) {
        int64_t found;
        if (!try_offset(l, i, by, &found))
            continue;
        layout with = *l;
        with.block[i].at = found;
        m5_knows how = how_sure(&with, by);
        if (how == M5_KNOWS_NUMBER && may_be_offset(l, i + 1, by))
            how = M5_KNOWS_GUESS;
        say_offset(l, &l->block[i], found, collision, how);
        *l = with;
        return true;
    }
    return false;
}

/* Whether no offset is wrong: there are gaps, but each block contains what it should. */
static bool are_in_place(const layout *l)
{
    for (unsigned i = 0; i < l->num_blocks; i++) {
        const block *b = &l->block[i];
        int64_t end = b->count != 0 ? end_of(l, b, true) : 0;
        if (end < 0 || end > next_behind(l, b))
            return false;
    }
    return l->makes_sense(l, true);
}

static bool mend(layout *l, demand by, bool collision)
{
    return mend_count(l, by, collision) || (by != BY_SIZE && mend_counts(l, by, collision)) ||
           ((collision || !are_in_place(l)) &&
            ((by != BY_SIZE && mend_exchange(l, by)) || mend_offset(l, by, collision)));
}

static bool know_count(const layout *l, const m5_md4_field *num, demand by, m5_diag *d)
{
    for (unsigned i = 0; i < l->num_blocks; i++) {
        layout with = *l;
        uint64_t found;
        if (l->block[i].num != num)
            continue;
        l->set_count(&with, i, 0); /* blocks that are there if this one is take their places */
        if (!try_count(&with, i, by, &found))
            continue;
        m5_md4_know(d, how_sure_of_count(l, i, by, found), (int64_t)found);
        return true;
    }
    return false;
}

void m5_md4_know_count(const layout *l, const m5_md4_field *num, m5_diag *d)
{
    if (l->w->loud && !know_count(l, num, WITH_SENSE, d))
        know_count(l, num, STRICTLY, d);
}

/* A count of two blocks is reported once. */
static bool is_counted_before(const layout *l, unsigned which)
{
    for (unsigned i = 0; i < which; i++)
        if (l->block[i].num == l->block[which].num)
            return true;
    return false;
}

bool m5_md4_say_negative(const layout *l)
{
    bool any = false;
    for (unsigned i = 0; i < l->num_blocks; i++) {
        const m5_md4_field *num = l->block[i].num;
        int32_t count = num != NULL ? m5_md4_field_int(l->w, l->in, num) : 0;
        if (count >= 0 || is_counted_before(l, i))
            continue;
        m5_diag d = m5_md4_found_field(M5_ROW(md4_count_negative), l->in, num);
        m5_md4_know_count(l, num, &d);
        m5_emit(l->w->report, &d, 0, "%s is %d, expected 0 or more", num->name, count);
        any = true;
    }
    return any;
}

/* In the first, silent parse it is enough that the blocks follow each other; in the second,
 * their contents are checked first. */
m5_md4_mended m5_md4_mend(m5_md4_layout *l)
{
    bool fine = m5_md4_tiles(l, false), collision = m5_md4_collide(l);
    if (l->w->loud && !holds(l, WITH_SENSE) && mend(l, WITH_SENSE, collision))
        return M5_MD4_MENDED;
    if (fine)
        return M5_MD4_AS_IT_WAS;
    if (mend(l, STRICTLY, collision))
        return M5_MD4_MENDED;
    return collision && mend(l, BY_SIZE, true) ? M5_MD4_GUESSED : M5_MD4_AS_IT_WAS;
}
