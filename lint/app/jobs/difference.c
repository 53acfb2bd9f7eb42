/* A unified diff, or the words of a binary that differ. Fixes change single lines, so that it is
 * enough to look for the next lines that are the same a few lines ahead. */
#include "difference.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 64, CONTEXT = 3 };

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Where each line begins, and after the last one the end. */
typedef struct lines {
    const uint8_t *bytes;
    size_t *at;
    size_t count;
} lines;

static size_t next_line(m5_content v, size_t at)
{
    const uint8_t *end = memchr(v.bytes + at, '\n', v.size - at);
    return end != NULL ? (size_t)(end - v.bytes) + 1 : v.size;
}

static bool find_lines(lines *l, m5_content v)
{
    size_t count = 0;
    for (size_t at = 0; at < v.size; at = next_line(v, at))
        count++;
    *l = (lines){v.bytes, malloc((count + 1) * sizeof *l->at), 0};
    if (l->at == NULL)
        return false;
    for (size_t at = 0; at < v.size; at = next_line(v, at))
        l->at[l->count++] = at;
    l->at[count] = v.size;
    return true;
}

/* Words of four bytes in the place of lines. */
static bool find_words(lines *l, m5_content v)
{
    *l = (lines){v.bytes, malloc((v.size / 4 + 2) * sizeof *l->at), (v.size + 3) / 4};
    for (size_t i = 0; i <= l->count && l->at != NULL; i++)
        l->at[i] = 4 * i < v.size ? 4 * i : v.size;
    return l->at != NULL;
}

static size_t length_of(const lines *l, size_t i)
{
    return l->at[i + 1] - l->at[i];
}

/* Also true where both are past the end. */
static bool are_same(const lines *a, size_t i, const lines *b, size_t k)
{
    if (i >= a->count || k >= b->count)
        return i >= a->count && k >= b->count;
    return length_of(a, i) == length_of(b, k) &&
           memcmp(a->bytes + a->at[i], b->bytes + b->at[k], length_of(a, i)) == 0;
}

/* ---- Changes --------------------------------------------------------------------------------- */

/* Lines of the first version that are replaced by lines of the second. */
typedef struct change {
    size_t from, to, by_from, by_to;
} change;

typedef struct difference {
    lines before, after;
    size_t same_end; /* so many lines at the end are the same */
    change *list;
    size_t count, room;
} difference;

/* Finds where the lines are the same again: the fewest lines ahead, or at the ends. */
static change find_change(const difference *d, size_t i, size_t k)
{
    const lines *a = &d->before, *b = &d->after;
    size_t end = a->count - d->same_end, by_end = b->count - d->same_end;
    for (size_t ahead = 1; ahead <= 2 * AHEAD; ahead++)
        for (size_t by = 0; by <= ahead; by++) {
            size_t to = i + (ahead - by), by_to = k + by;
            if (to <= end && by_to <= by_end && are_same(a, to, b, by_to) &&
                are_same(a, to + 1, b, by_to + 1))
                return (change){i, to, k, by_to};
        }
    if (end - i == by_end - k) /* line by line */
        return (change){i, i + 1, k, k + 1};
    return (change){i, end, k, by_end};
}

static bool add_change(difference *d, change c)
{
    change *last = d->count != 0 ? &d->list[d->count - 1] : NULL;
    if (last != NULL && last->to == c.from && last->by_to == c.by_from) {
        last->to = c.to;
        last->by_to = c.by_to;
        return true;
    }
    if (d->count == d->room) {
        size_t room = d->room != 0 ? 2 * d->room : 64;
        change *list = realloc(d->list, room * sizeof *list);
        if (list == NULL)
            return false;
        d->list = list;
        d->room = room;
    }
    d->list[d->count++] = c;
    return true;
}

static bool find_changes(difference *d)
{
    const lines *a = &d->before, *b = &d->after;
    size_t i = 0, k = 0, least = a->count < b->count ? a->count : b->count;
    while (i < least && are_same(a, i, b, i))
        i++;
    while (d->same_end < least - i &&
           are_same(a, a->count - 1 - d->same_end, b, b->count - 1 - d->same_end))
        d->same_end++;
    k = i;
    while (i < a->count - d->same_end || k < b->count - d->same_end) {
        if (i < a->count - d->same_end && k < b->count - d->same_end && are_same(a, i, b, k)) {
            i++, k++;
            continue;
        }
        change c = find_change(d, i, k);
        if (!add_change(d, c))
            return false;
        i = c.to;
        k = c.by_to;
    }
    return true;
}

/* ---- Hunks ----------------------------------------------------------------------------------- */

static void put_lines(const m5_writer *out, const char *sign, const lines *l, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to; i++) {
        const char *line = (const char *)l->bytes + l->at[i];
        m5_output_string(out, sign);
        m5_output_bytes(out, line, length_of(l, i));
        if (line[length_of(l, i) - 1] != '\n')
            m5_output_string(out, "\n\\ No newline at end of file\n");
    }
}

/* `12,3`, where lines count from 1; before the first line is 0. */
static void put_range(const m5_writer *out, const char *sign, size_t from, size_t to)
{
    m5_write(out, " %s%llu,%llu", sign, (unsigned long long)(from + (to > from)),
             (unsigned long long)(to - from));
}

/* Changes with few lines between them, from the first to before the last. */
static void put_hunk(const difference *d, const m5_writer *out, size_t first, size_t last)
{
    const change *a = &d->list[first], *b = &d->list[last - 1];
    size_t lead = a->from < CONTEXT ? a->from : CONTEXT;
    size_t left = d->before.count - b->to, trail = left < CONTEXT ? left : CONTEXT;
    size_t at = a->from - lead;
    m5_output_string(out, "@@");
    put_range(out, "-", at, b->to + trail);
    put_range(out, "+", a->by_from - lead, b->by_to + trail);
    m5_output_string(out, " @@\n");
    for (size_t i = first; i < last; i++) {
        const change *c = &d->list[i];
        put_lines(out, " ", &d->before, at, c->from);
        put_lines(out, "-", &d->before, c->from, c->to);
        put_lines(out, "+", &d->after, c->by_from, c->by_to);
        at = c->to;
    }
    put_lines(out, " ", &d->before, at, at + trail);
}

static void put_name(const m5_writer *out, const char *sign, const char *name)
{
    m5_output_string(out, sign);
    m5_output_safe(out, name, strlen(name));
    m5_output_string(out, "\n");
}

static void free_difference(difference *d)
{
    free(d->before.at);
    free(d->after.at);
    free(d->list);
}

bool m5_difference_put(const m5_writer *out, const char *name, m5_content before, m5_content after)
{
    difference d = {.count = 0};
    bool room = find_lines(&d.before, before);
    room = find_lines(&d.after, after) && room && find_changes(&d);
    if (room && d.count != 0) {
        put_name(out, "--- ", name);
        put_name(out, "+++ ", name);
    }
    for (size_t first = 0, last; room && first < d.count; first = last) {
        last = first + 1;
        while (last < d.count && d.list[last].from - d.list[last - 1].to <= 2 * CONTEXT)
            last++;
        put_hunk(&d, out, first, last);
    }
    free_difference(&d);
    return room;
}

/* ---- Binaries -------------------------------------------------------------------------------- */

static void put_word(const m5_writer *out, const lines *l, size_t i)
{
    const uint8_t *p = l->bytes + l->at[i];
    for (size_t k = 0; k < length_of(l, i); k++) {
        char hex[3] = {' ', "0123456789abcdef"[p[k] >> 4], "0123456789abcdef"[p[k] & 15]};
        m5_output_bytes(out, hex, 3);
    }
}

/* `name:@0x4c: 00 00 80 3f -> 00 00 00 40`; what is put in has no place before, and what is taken
 * out none after. */
static void put_change(const m5_writer *out, const char *name, const difference *d, const change *c)
{
    size_t i = c->from, k = c->by_from;
    while (i < c->to || k < c->by_to) {
        if (i < c->to && k < c->by_to && are_same(&d->before, i, &d->after, k)) {
            i++, k++;
            continue;
        }
        m5_output_place(out, &(m5_source){.name = name}, NULL, (uint32_t)d->before.at[i], false);
        m5_output_string(out, ":");
        if (i < c->to)
            put_word(out, &d->before, i++);
        m5_output_string(out, " ->");
        if (k < c->by_to)
            put_word(out, &d->after, k++);
        m5_output_string(out, "\n");
    }
}

/* Of two versions of a size, which have each word at the same place. */
static bool find_changed_words(difference *d)
{
    for (size_t i = 0; i < d->before.count; i++)
        if (!are_same(&d->before, i, &d->after, i) && !add_change(d, (change){i, i + 1, i, i + 1}))
            return false;
    return true;
}

bool m5_difference_put_binary(const m5_writer *out, const char *name, m5_content before,
                              m5_content after)
{
    difference d = {.count = 0};
    bool room = find_words(&d.before, before);
    room = find_words(&d.after, after) && room &&
           (before.size == after.size ? find_changed_words(&d) : find_changes(&d));
    for (size_t i = 0; room && i < d.count; i++)
        put_change(out, name, &d, &d.list[i]);
    free_difference(&d);
    return room;
}
