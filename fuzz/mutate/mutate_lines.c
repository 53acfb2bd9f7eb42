/* Crosses texts line by line, whether they are models or not. A record is a line, and a block lasts
 * from `{` to `}`. Lines of one text replace lines of the same kind in the other. */
#include "mutate.h"

#include <string.h>

typedef struct line {
    uint32_t at, length; /* with its end */
    uint32_t kind;       /* 0: blank, or a comment */
    bool opens, closes;  /* a block */
} line;

typedef struct text {
    const m5_source *source;
    line *lines;
    uint32_t count;
} text;

/* If there are more lines than MOST_LINES, the rest of the text counts as part of the last. */
enum { MOST_LINES = 1 << 13, MOST_MOVED = 100 };

/* ---- Reading --------------------------------------------------------------------------------- */

static bool is_blank(uint8_t byte)
{
    return byte <= ' ';
}

static bool is_letter(uint8_t byte)
{
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

static uint8_t class_of(uint8_t byte)
{
    if ((byte >= '0' && byte <= '9') || byte == '-' || byte == '+' || byte == '.')
        return '0';
    return is_letter(byte) ? 'a' : byte;
}

/* Lines of the same kind have the same number of words; their first words are the same, or both are
 * numbers, names or strings. */
static uint32_t kind_of(const uint8_t *s, uint32_t length)
{
    uint32_t words = 0, first = 0, hash = 0;
    for (uint32_t i = 0; i < length && !(s[i] == '/' && i + 1 < length && s[i + 1] == '/'); i++) {
        if (is_blank(s[i]))
            continue;
        words += i == 0 || is_blank(s[i - 1]);
        first = first == 0 ? class_of(s[i]) : first;
        hash = words == 1 ? hash * 31 + s[i] : hash;
    }
    return words > 1 && first == 'a' ? hash * 64 + words : first * 64 + words;
}

static line read_line(const uint8_t *s, uint32_t at, uint32_t length)
{
    line l = {at, length, kind_of(s + at, length), false, false};
    uint32_t first = 0;
    while (first < length && is_blank(s[at + first]))
        first++;
    l.opens = memchr(s + at, '{', length) != NULL;
    l.closes = first < length && s[at + first] == '}';
    return l;
}

static bool is_separator(const text *t, uint32_t i)
{
    const line *l = &t->lines[i];
    return l->length >= 2 && memcmp(t->source->bytes + l->at, "%%", 2) == 0;
}

static text read_text(const m5_source *source, line *lines)
{
    text t = {source, lines, 0};
    const uint8_t *s = source->bytes;
    for (uint32_t at = 0, end; at < source->size; at = end) {
        end = t.count == MOST_LINES - 1 ? source->size : at + 1;
        while (end < source->size && s[end - 1] != '\n' && (s[end - 1] != '\r' || s[end] == '\n'))
            end++;
        lines[t.count++] = read_line(s, at, end - at);
    }
    return t;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static bool begins_file(const text *t, uint32_t i)
{
    return i > 0 && is_separator(t, i - 1);
}

/* The number of lines of the file (of a group) or of the block that begins at a line. */
static uint32_t block_length(const text *t, uint32_t i)
{
    uint32_t end = i + 1;
    if (begins_file(t, i))
        while (end < t->count && !is_separator(t, end))
            end++;
    else if (t->lines[i].opens)
        while (end < t->count && !t->lines[end++].closes)
            ;
    return end - i;
}

/* Chooses a line that is not blank, or one that begins a block; any line if there is none. */
static uint32_t choose(mutate_chance *c, const text *t, bool block)
{
    uint32_t start = mutate_below(c, t->count);
    for (uint32_t k = 0; k < t->count; k++) {
        uint32_t i = (start + k) % t->count;
        if (block ? t->lines[i].opens || begins_file(t, i) : t->lines[i].kind != 0)
            return i;
    }
    return start;
}

static uint32_t choose_alike(mutate_chance *c, const text *t, uint32_t kind)
{
    uint32_t start = mutate_below(c, t->count);
    for (uint32_t k = 0; k < t->count; k++)
        if (t->lines[(start + k) % t->count].kind == kind)
            return (start + k) % t->count;
    return start;
}

static uint32_t run_length(const text *t, uint32_t i, uint32_t most)
{
    uint32_t n = 1;
    while (n < most && i + n < t->count && t->lines[i + n].kind == t->lines[i].kind)
        n++;
    return n;
}

/* How many lines of both texts have the same kinds from there on; at least 1. */
static uint32_t alike_length(const text *a, uint32_t i, const text *b, uint32_t j, uint32_t most)
{
    uint32_t n = 1;
    while (n < most && i + n < a->count && j + n < b->count &&
           a->lines[i + n].kind == b->lines[j + n].kind)
        n++;
    return n;
}

static mutate_splice choose_lines(mutate_chance *c, const text *a, const text *b)
{
    uint32_t how = mutate_below(c, 6), most = 1 + mutate_below(c, MOST_MOVED);
    uint32_t i = choose(c, a, how < 2), j = choose_alike(c, b, a->lines[i].kind);
    mutate_splice s = {i, j, run_length(b, j, most), i, a->count};
    switch (how) {
    case 0: s.count = block_length(b, j); break;
    case 1: s.count = block_length(b, j), s.after = i + block_length(a, i); break;
    case 2: break;
    case 3: s.after = i + run_length(a, i, most); break;
    default: s.count = alike_length(a, i, b, j, most), s.after = i + s.count;
    }
    return s;
}

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct output {
    uint8_t *bytes;
    size_t size, room;
} output;

/* Writes as many lines as there is room for. If the last line of a text has no line ending, one is
 * added before the next line. */
static void write_lines(output *out, const text *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const line *l = &t->lines[i];
        bool open = out->size != 0 && out->bytes[out->size - 1] != '\n' &&
                    out->bytes[out->size - 1] != '\r';
        if (out->room - out->size < l->length + (size_t)open) {
            out->room = out->size;
            return;
        }
        if (open)
            out->bytes[out->size++] = '\n';
        memcpy(out->bytes + out->size, t->source->bytes + l->at, l->length);
        out->size += l->length;
    }
}

size_t mutate_cross_lines(mutate_chance *c, const m5_source *a, const m5_source *b, uint8_t *out,
                          size_t room)
{
    static line lines[2][MOST_LINES];
    text ta = read_text(a, lines[0]), tb = read_text(b, lines[1]);
    if (ta.count == 0 || tb.count == 0)
        return 0;
    mutate_splice s = choose_lines(c, &ta, &tb);
    output o = {out, 0, room};
    write_lines(&o, &ta, 0, s.before);
    write_lines(&o, &tb, s.from, s.from + s.count);
    write_lines(&o, &ta, s.after, ta.count);
    return o.size;
}
