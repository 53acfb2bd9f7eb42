/* The report for people: each finding, its line with the place marked, a hint, and a summary. */
#include "reporters.h"
#include "lint/core/check.h"
#include "lint/report/table.h"

#include <stdlib.h>
#include <string.h>

enum { TAB = 4, MARGIN = 8 };

typedef struct view {
    const m5_writer *out;
    m5_look look;
    const m5_result *result; /* of the file that is being shown */
    m5_both_lines lines;
    m5_table *table; /* NULL: not wanted */
} view;

/* ---- Colour ---------------------------------------------------------------------------------- */

static void paint(const view *v, const char *code)
{
    if (v->look.color)
        m5_output_string(v->out, code);
}

static const char *color_of(m5_severity severity)
{
    return severity == M5_ERROR     ? "\033[1;31m"
           : severity == M5_WARNING ? "\033[1;35m"
                                    : "\033[1;36m";
}

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define PLAIN "\033[0m"

/* ---- A line of the source -------------------------------------------------------------------- */

/* A character as it is shown: its number of bytes and of columns. */
typedef struct letter {
    size_t bytes;
    uint32_t columns;
} letter;

static letter measure(const uint8_t *p, size_t count, uint32_t column)
{
    if (*p == '\t')
        return (letter){1, TAB - column % TAB};
    letter l = {1, 1};
    if (m5_is_printable(*p))
        return l;
    l.bytes = m5_safe_letter(p, count, &l.columns);
    return l;
}

static void put_letter(const view *v, const uint8_t *p, letter l)
{
    if (*p == '\t')
        m5_output_bytes(v->out, "        ", l.columns);
    else
        m5_output_safe(v->out, (const char *)p, l.bytes);
}

/* The part of a line that is shown: the bytes from `from` to `to`, around the marked ones. */
typedef struct window {
    const uint8_t *from, *to;
    bool cut_before, cut_behind;
} window;

/* A line that is too long is shown from a little before the place. Counting of columns starts at
 * most a few widths before it, so that a line of megabytes takes no more time than a short one. */
static window choose_window(const m5_source *s, m5_span line, uint32_t at, uint32_t width)
{
    const uint8_t *begin = s->bytes + line.offset, *end = begin + line.length;
    window w = {begin, end, false, false};
    uint32_t lead = at - line.offset;
    if (line.length > width && lead > width - width / 4) {
        w.from = s->bytes + at - width / 3;
        w.cut_before = true;
        while (w.from > begin && (*w.from & 0xc0) == 0x80)
            w.from--;
    }
    uint32_t column = w.cut_before ? 3 : 0;
    const uint8_t *p = w.from;
    while (p < end && column < width) {
        letter l = measure(p, (size_t)(end - p), column);
        p += l.bytes;
        column += l.columns;
    }
    w.cut_behind = p < end;
    w.to = p;
    return w;
}

/* Writes a character as often as this. */
static void put_many(const view *v, char c, size_t count)
{
    char some[64];
    memset(some, c, count < sizeof some ? count : sizeof some);
    for (; count > sizeof some; count -= sizeof some)
        m5_output_bytes(v->out, some, sizeof some);
    m5_output_bytes(v->out, some, count);
}

static void put_margin(const view *v, uint32_t line)
{
    char number[16];
    m5_text text = {number, sizeof number, 0, false};
    if (line != 0)
        m5_text_int(&text, line);
    paint(v, DIM);
    put_many(v, ' ', text.length < MARGIN - 3 ? MARGIN - 3 - text.length : 0);
    m5_output_bytes(v->out, number, text.length);
    m5_output_bytes(v->out, " | ", 3);
    paint(v, PLAIN);
}

/* How many columns the bytes up to `to` take, in the window; *p moves there. */
static uint32_t measure_to(const window *w, const uint8_t **p, const uint8_t *to, uint32_t column)
{
    uint32_t sum = 0;
    while (*p < w->to && *p < to) {
        letter l = measure(*p, (size_t)(w->to - *p), column + sum);
        *p += l.bytes;
        sum += l.columns;
    }
    return sum;
}

/* `^~~~` under the marked bytes that lie inside the window. */
static void put_marks(const view *v, const window *w, const uint8_t *from, const uint8_t *to,
                      m5_severity severity)
{
    const uint8_t *p = w->from;
    uint32_t column = w->cut_before ? 3 : 0;
    column += measure_to(w, &p, from, column);
    put_many(v, ' ', column);
    paint(v, color_of(severity));
    m5_output_bytes(v->out, "^", 1);
    uint32_t marked = measure_to(w, &p, to, column);
    put_many(v, '~', marked != 0 ? marked - 1 : 0);
    paint(v, PLAIN);
    m5_output_bytes(v->out, "\n", 1);
}

/* The length of the rest of a line from `offset` on, at most `most` bytes. */
static uint32_t line_rest(const m5_source *s, uint32_t offset, uint32_t most)
{
    const uint8_t *from = s->bytes + offset;
    uint32_t left = s->size - offset, n = left < most ? left : most;
    const uint8_t *lf = n != 0 ? memchr(from, '\n', n) : NULL;
    n = lf != NULL ? (uint32_t)(lf - from) : n;
    return n > 0 && s->bytes[offset + n - 1] == '\r' ? n - 1 : n;
}

static void put_line(view *v, const m5_source *s, m5_span at, m5_severity severity)
{
    uint32_t width = v->look.width > MARGIN + 30 ? v->look.width - MARGIN - 3 : 30;
    m5_place place = m5_lines_find(m5_lines_of(&v->lines, s), at.offset);
    m5_span line = {at.offset - (place.column - 1), place.column - 1};
    line.length += line_rest(s, at.offset, 4 * width);
    window w = choose_window(s, line, at.offset, width);
    put_margin(v, place.line);
    m5_output_string(v->out, w.cut_before ? "..." : "");
    uint32_t column = w.cut_before ? 3 : 0;
    for (const uint8_t *p = w.from; p < w.to;) {
        const uint8_t *plain = p;
        while (p < w.to && m5_is_printable(*p))
            p++;
        m5_output_bytes(v->out, (const char *)plain, (size_t)(p - plain));
        column += (uint32_t)(p - plain);
        if (p == w.to)
            break;
        letter l = measure(p, (size_t)(w.to - p), column);
        put_letter(v, p, l);
        p += l.bytes;
        column += l.columns;
    }
    m5_output_string(v->out, w.cut_behind ? "...\n" : "\n");
    put_margin(v, 0);
    put_marks(v, &w, s->bytes + at.offset, s->bytes + at.offset + at.length, severity);
}

/* ---- Bytes of a binary ----------------------------------------------------------------------- */

enum { ROW = 16 };

/* Where a row of 16 bytes starts: at a multiple of 16, unless that would cut the marked bytes in
 * two. */
static uint32_t row_start(const m5_source *s, m5_span at)
{
    uint32_t start = at.offset & ~(uint32_t)(ROW - 1);
    if (at.offset + at.length > start + ROW)
        start = at.offset & ~(uint32_t)3;
    return start == s->size && start >= ROW ? start - ROW : start;
}

static uint32_t row_end(const m5_source *s, uint32_t start)
{
    return s->size - start < ROW ? s->size : start + ROW;
}

static void put_row(const view *v, const m5_source *s, uint32_t start)
{
    uint32_t end = row_end(s, start);
    for (uint32_t i = start; i < start + ROW; i++) {
        char hex[4] = "   ";
        if (i < end) {
            hex[0] = "0123456789abcdef"[s->bytes[i] >> 4];
            hex[1] = "0123456789abcdef"[s->bytes[i] & 15];
        }
        m5_output_bytes(v->out, hex, 3);
    }
    m5_output_string(v->out, " ");
    for (uint32_t i = start; i < end; i++) {
        char c = s->bytes[i] >= ' ' && s->bytes[i] < 0x7f ? (char)s->bytes[i] : '.';
        m5_output_bytes(v->out, &c, 1);
    }
    m5_output_string(v->out, "\n");
}

/* The bytes around a field, in hexadecimal and as text, with the field marked and named. */
static void put_hex(const view *v, const m5_source *s, m5_span at, const m5_path *path,
                    m5_severity severity)
{
    char name[200] = "";
    uint32_t start = row_start(s, at), end = row_end(s, start);
    put_margin(v, 0);
    put_row(v, s, start);
    put_margin(v, 0);
    put_many(v, ' ', 3 * (at.offset - start));
    paint(v, color_of(severity));
    m5_output_string(v->out, "^");
    for (uint32_t i = at.offset; i < end && i < at.offset + at.length; i++)
        m5_output_string(v->out, i == at.offset ? "~" : "~~~");
    if (path != NULL)
        m5_path_text(path, name, sizeof name);
    paint(v, PLAIN);
    m5_write(v->out, " %s\n", name);
}

/* ---- A finding ------------------------------------------------------------------------------- */

/* Where it is: the line, or the bytes. */
static void put_context(view *v, const m5_source *s, m5_span at, const m5_path *path,
                        m5_severity severity)
{
    if (s->size == 0)
        return;
    if (v->result->format->text)
        put_line(v, s, at, severity);
    else
        put_hex(v, s, at, path, severity);
}

/* The rule's id, which is a link to its page where the terminal has links. */
static void put_rule(const view *v, const m5_rule *rule)
{
    bool link = v->look.links && m5_has_rule_url();
    m5_output_string(v->out, " [");
    if (link) {
        m5_output_string(v->out, "\033]8;;");
        m5_put_rule_url(v->out, rule);
        m5_output_string(v->out, "\033\\");
    }
    m5_write(v->out, "%s%s]", rule->id, link ? "\033]8;;\033\\" : "");
}

static void put_fix(const m5_writer *out, const m5_fix *fix)
{
    m5_output_string(out, fix->safe ? " [fixable" : " [fixable, unsafe");
    if (fix->cut > 0)
        m5_write(out, ": cuts up to %.2g of a vertex's weights", fix->cut);
    m5_output_string(out, "]");
}

static void put_finding(view *v, const m5_finding *f)
{
    const m5_diag *d = &f->diag;
    const m5_source *s = &v->result->file->source;
    paint(v, BOLD);
    m5_output_place(v->out, s, &v->lines.own, d->at.offset, v->result->format->text);
    m5_output_string(v->out, ": ");
    paint(v, color_of(d->severity));
    m5_write(v->out, "%s: ", m5_severity_name(d->severity));
    paint(v, PLAIN);
    m5_output_safe(v->out, d->message, strlen(d->message));
    paint(v, DIM);
    put_rule(v, d->rule);
    if (f->fix != NULL)
        put_fix(v->out, f->fix);
    m5_output_effects(v->out, v->result, d);
    m5_output_string(v->out, "\n");
    paint(v, PLAIN);
    put_context(v, s, d->at, &d->path, d->severity);
}

static void put_related(view *v, const m5_related *related)
{
    const m5_source *s = related->source;
    m5_output_string(v->out, "  ");
    m5_output_place(v->out, s, m5_lines_of(&v->lines, s), related->at.offset,
                    v->result->format->text);
    m5_write(v->out, ": %s\n", related->message);
    put_context(v, s, related->at, NULL, M5_NOTE);
}

static const char *const reasons[] = {
    [M5_PAIR_NONE] = NULL,
    [M5_PAIR_DECLARED] = NULL, /* see put_declared */
    [M5_PAIR_NAME] = "it has the same name",
    [M5_PAIR_JOINTS] = "it has the same joints",
    [M5_PAIR_STEM] = "the file is named after it",
    [M5_PAIR_ALIKE] = "nearly all names are the same",
    [M5_PAIR_FOLDER] = "it is the only one in the folder",
    [M5_PAIR_ONLY] = "it is the only one given",
    [M5_PAIR_MISSING] = NULL,
};

/* The declaration, by its place and the model's name. */
static void put_declared(view *v, const m5_declared *d)
{
    m5_output_string(v->out, ", since ");
    m5_output_place(v->out, d->source, m5_lines_of(&v->lines, d->source), d->path.offset, true);
    m5_output_string(v->out, " declares it for model '");
    m5_output_safe(v->out, (const char *)d->source->bytes + d->model.offset, d->model.length);
    m5_output_string(v->out, "'\n");
}

static void put_pair(view *v, const m5_lint_file *f)
{
    m5_output_safe(v->out, f->source.name, strlen(f->source.name));
    m5_output_string(v->out, ": compared with ");
    if (f->base == NULL) {
        m5_output_string(v->out, "no other file\n");
        return;
    }
    m5_output_safe(v->out, f->base->source.name, strlen(f->base->source.name));
    if (f->reason == M5_PAIR_DECLARED)
        put_declared(v, &f->declared);
    else
        m5_write(v->out, ", since %s\n", reasons[f->reason]);
}

/* Checks that were left out, in a line. */
static void put_skipped(const view *v, const m5_lint_file *f)
{
    const char *before = ": not checked: ";
    if (f->skipped == 0)
        return;
    m5_output_safe(v->out, f->source.name, strlen(f->source.name));
    for (unsigned i = 0; i < M5_SKIPPED_KINDS; i++) {
        if ((f->skipped >> i & 1) == 0)
            continue;
        m5_write(v->out, "%s%s", before, m5_skipped_text(i));
        before = "; ";
    }
    m5_output_string(v->out, "\n");
}

/* ---- The report ------------------------------------------------------------------------------ */

static void *begin(const m5_writer *out, const m5_look *look)
{
    view *v = malloc(sizeof *v);
    if (v == NULL)
        return NULL;
    *v = (view){.out = out, .look = *look};
    bool table = (look->table && !look->quiet) || look->statistics;
    v->table = table ? calloc(1, sizeof *v->table) : NULL;
    if (!table || v->table != NULL)
        return v;
    free(v);
    return NULL;
}

static void put_findings(view *v)
{
    const m5_result *r = v->result;
    const char *hinted[M5_RULES] = {NULL};
    for (uint32_t i = 0; i < r->shown.count; i++) {
        const m5_diag *d = &r->shown.list[i]->diag;
        put_finding(v, r->shown.list[i]);
        for (uint32_t k = 0; k < d->num_related; k++)
            put_related(v, &d->related[k]);
        m5_output_also(v->out, r, r->shown.list[i], "  ", "\n");
        if (d->fix[0] != '\0' && hinted[d->rule->number] != d->fix)
            m5_write(v->out, "  hint: %s\n", d->fix);
        hinted[d->rule->number] = d->fix;
    }
    m5_output_hidden(v->out, r);
}

static void show_file(void *report, const m5_result *r)
{
    view *v = report;
    if (r->error != NULL)
        return; /* main has written the error to stderr */
    v->result = r;
    v->lines = (m5_both_lines){.own = m5_result_lines(r)};
    bool compared = !m5_lint_is_base(r->format) &&
                    (m5_format_bit(r->format) & (M5_IN_PACK | M5_IN_DEF)) == 0;
    if (v->look.show_pairs && compared)
        put_pair(v, r->file);
    if (v->look.statistics)
        m5_table_add_examples(v->table, r, &v->lines.own);
    else
        put_findings(v);
    if (v->table != NULL && r->shown.from != NULL)
        m5_table_add(v->table, &r->shown);
    bool old = v->look.only_new && r->shown.count == 0; /* for a reason that is hidden */
    if (!v->look.quiet && !v->look.statistics && !old)
        put_skipped(v, r->file);
}

/* ---- Summary --------------------------------------------------------------------------------- */

static void put_count(const m5_writer *out, uint64_t count, const char *what, const char *before)
{
    m5_write(out, "%s%llu %s%s", before, (unsigned long long)count, what, count == 1 ? "" : "s");
}

/* What was fixed, and what could be. */
static void put_fixes(const m5_writer *out, const m5_totals *t)
{
    if (t->fixed != 0) {
        put_count(out, t->fixed, "finding", "fixed: ");
        put_count(out, t->changed, "file", " in ");
        m5_output_string(out, "\n");
    }
    const char *shown = t->not_all_shown ? " of those shown" : "";
    if (t->fixable != 0)
        m5_write(out, "fixable with --fix: %llu%s\n", (unsigned long long)t->fixable, shown);
    if (t->unsafe != 0)
        m5_write(out, "fixable with --fix --unsafe-fixes: %llu%s%s\n",
                 (unsigned long long)t->unsafe, t->fixable != 0 ? " more" : "", shown);
}

static void put_summary(const m5_writer *out, const m5_totals *t)
{
    if (t->only_some)
        m5_write(out, "%llu of ", (unsigned long long)t->files);
    put_count(out, t->only_some ? t->inputs : t->files, "file", "");
    if (t->only_some && t->files == 0)
        m5_output_string(out, " match");
    else if (t->errors + t->warnings + t->notes == 0) {
        m5_output_string(out, t->old.hidden != 0 ? ": nothing new" : ": nothing found");
    } else {
        put_count(out, t->errors, "error", ": ");
        put_count(out, t->warnings, "warning", ", ");
    }
    if (t->notes != 0)
        put_count(out, t->notes, "note", ", ");
    if (t->suppressed != 0)
        m5_write(out, ", %llu suppressed by comments", (unsigned long long)t->suppressed);
    if (t->unreadable != 0)
        m5_write(out, ", %llu not checked", (unsigned long long)t->unreadable);
    if (t->old.hidden != 0) {
        m5_output_string(out, ", ");
        m5_output_number(out, t->old.hidden);
        m5_write(out, " old finding%s hidden", t->old.hidden == 1 ? "" : "s");
    }
    m5_output_string(out, "\n");
    put_fixes(out, t);
}

static bool end(void *report, const m5_totals *t)
{
    view *v = report;
    bool many = v->table != NULL && v->table->shown > M5_TABLE_FROM;
    if (many || (v->look.statistics && v->table->shown != 0))
        m5_table_put(v->table, v->out, t->folded);
    if (!v->look.quiet)
        put_summary(v->out, t);
    if (!v->look.quiet || t->old.fails)
        m5_output_gone(v->out, "", &t->old);
    m5_outcomes_put(&t->outcomes, v->out);
    m5_table_free(v->table);
    free(v);
    return true;
}

const m5_reporter m5_report_text = {"text", begin, show_file, end, M5_SHOWS_GONE};
