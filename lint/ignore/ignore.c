/* Comments in a file that suppress findings: see ignore.h. */
#include "ignore.h"
#include "comments.h"
#include "lint/core/check.h"
#include "lint/settings/aliases.h"
#include "lint/settings/choice.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <string.h>

enum { WORDS = (M5_RULES + 63) / 64 };

/* A name in a comment. */
typedef struct name {
    m5_span at;
    uint32_t from, to; /* the findings it suppresses begin here: from the first byte of a line to
                        * its line ending */
    bool alone;        /* its comment has a line for itself */
    bool whole;        /* it holds for the whole file */
    bool exact;        /* it is a rule's id, not a pattern */
    bool used;
    uint64_t rules[WORDS]; /* that it names: a bit each */
} name;

struct m5_ignores {
    m5_lint_file *file;
    m5_watch next;           /* that was there before */
    uint8_t minds[M5_RULES]; /* of m5_watch */
    uint32_t line;           /* where the line of the last comment begins */
    bool full, done;         /* too many names were reported; the unused ones were */
    uint32_t count;
    name *names;
};
typedef struct m5_ignores ignores;

/* ---- Rules ----------------------------------------------------------------------------------- */

static bool has(const name *n, unsigned rule)
{
    return (n->rules[rule / 64] >> rule % 64 & 1) != 0;
}

/* What is wrong with comments cannot be suppressed by comments. */
static bool is_own(const m5_rule *rule)
{
    return strncmp(rule->id, "ignore-", strlen("ignore-")) == 0;
}

static void mind(ignores *s, unsigned rule, uint8_t minds)
{
    if (minds > s->minds[rule])
        s->minds[rule] = minds;
}

/* ---- Watching -------------------------------------------------------------------------------- */

/* The name that suppresses a finding, the first that does, which counts as used; or NULL. */
static const name *suppressing(ignores *s, const m5_diag *d, bool only_exact)
{
    for (uint32_t i = 0; i < s->count; i++) {
        name *n = &s->names[i];
        if (!has(n, d->rule->number) || d->at.offset < n->from || d->at.offset > n->to ||
            (only_exact && !n->exact))
            continue;
        n->used = true;
        return n;
    }
    return NULL;
}

/* A name is of use if the finding would be reported by the levels in force or by those of the row,
 * so that options do not make it useless. A rule that is off in its row is run if it is named by
 * its id. */
static m5_severity see(void *user, const m5_diag *d)
{
    ignores *s = user;
    m5_severity shown = s->next.see != NULL ? s->next.see(s->next.user, d) : d->severity;
    bool counts = shown != M5_SILENT || d->own != M5_SILENT;
    if (d->unsaid || is_own(d->rule) || (!counts && m5_lowest_limit(&d->rule->levels) != M5_NEVER))
        return shown;
    const name *n = suppressing(s, d, !counts);
    if (n == NULL)
        return shown;
    s->file->report.spared_to = n->whole ? 0 : n->to + 1;
    s->file->suppressed += shown != M5_SILENT;
    return M5_SILENT;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* What is left of a comment. */
typedef struct text {
    const uint8_t *p, *end;
} text;

static uint32_t offset_of(const ignores *s, const uint8_t *p)
{
    return (uint32_t)(p - s->file->source.bytes);
}

static m5_span span_of(const ignores *s, const uint8_t *from, const uint8_t *to)
{
    return (m5_span){offset_of(s, from), (uint32_t)(to - from)};
}

static void skip_blanks(text *t)
{
    while (t->p < t->end && *t->p <= ' ')
        t->p++;
}

/* A word, which ends before a blank or a comma. */
static m5_span next_word(const ignores *s, text *t)
{
    skip_blanks(t);
    const uint8_t *from = t->p;
    while (t->p<t->end && * t->p> ' ' && *t->p != ',')
        t->p++;
    return span_of(s, from, t->p);
}

static bool is_word(const ignores *s, m5_span at, const char *word)
{
    return at.length == strlen(word) &&
           memcmp(s->file->source.bytes + at.offset, word, at.length) == 0;
}

static void say_form(ignores *s, m5_span at, const char *message)
{
    m5_diag d = m5_found(M5_LINT_ROW(ignore_form), at);
    m5_emit(&s->file->report, &d, 0, "%s", message);
}

static void say_unknown(ignores *s, m5_span at, const char *pattern)
{
    m5_diag d = m5_found(M5_LINT_ROW(ignore_unknown), at);
    const char *near = m5_choice_nearest(pattern);
    m5_emit(&s->file->report, &d, 0, "%s '%.*s'%s%s%s",
            strpbrk(pattern, "*?[") != NULL ? "no rule matches" : "no rule is named",
            (int)at.length, pattern, near != NULL ? "; did you mean '" : "",
            near != NULL ? near : "", near != NULL ? "'?" : "");
}

/* Finds the rules of a name. */
static void find_rules(ignores *s, name *n)
{
    char pattern[128];
    bool known = false;
    uint32_t length = n->at.length < sizeof pattern ? n->at.length : sizeof pattern - 1;
    memcpy(pattern, s->file->source.bytes + n->at.offset, length);
    pattern[length] = '\0';
    for (unsigned i = 0; i < M5_RULES && length == n->at.length; i++)
        if (m5_choice_names(pattern, m5_rule_at(i))) {
            n->rules[i / 64] |= UINT64_C(1) << i % 64;
            n->exact |= strcmp(m5_alias_find(m5_aliases, pattern), m5_rule_at(i)->id) == 0;
            mind(s, i,
                 n->exact && m5_lowest_limit(&m5_rule_at(i)->levels) == M5_NEVER
                     ? M5_MINDS_EVEN_IF_OFF
                     : M5_MINDS);
            known = true;
        }
    n->used = !known; /* that is reported, and nothing else */
    if (!known)
        say_unknown(s, n->at, pattern);
}

/* Names after the 256th are not looked up, so that a long comment does not take long. */
static void add_name(ignores *s, const name *of, m5_span at)
{
    if (s->count == M5_IGNORE_MOST) {
        if (!s->full)
            say_form(s, at,
                     "this is the 257th name in the comments for md5lint, expected at most "
                     "256: use patterns");
        s->full = true;
        return;
    }
    name *n = &s->names[s->count++];
    *n = *of;
    n->at = at;
    find_rules(s, n);
}

/* RULE, RULE -- reason */
static void read_names(ignores *s, const name *of, text t)
{
    for (bool more = true; more;) {
        m5_span at = next_word(s, &t);
        if (at.length == 0 || is_word(s, at, "--")) {
            say_form(s, at, "a rule's id or a pattern is missing here");
            return;
        }
        add_name(s, of, at);
        skip_blanks(&t);
        more = t.p < t.end && *t.p == ',';
        t.p += more;
    }
    m5_span rest = next_word(s, &t);
    if (rest.length != 0 && !(rest.length >= 2 && is_word(s, (m5_span){rest.offset, 2}, "--")))
        say_form(s, rest, "expected a comma before the next rule, or -- before the reason");
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* The line ending at or after an offset, or the end of the file. */
static uint32_t end_of_line(const m5_source *s, uint32_t at)
{
    const uint8_t *lf = at < s->size ? memchr(s->bytes + at, '\n', s->size - at) : NULL;
    return lf != NULL ? (uint32_t)(lf - s->bytes) : s->size;
}

static void find_line(ignores *s, uint32_t at)
{
    const m5_source *source = &s->file->source;
    for (uint32_t end; (end = end_of_line(source, s->line)) < at;)
        s->line = end + 1;
}

static bool is_alone(const ignores *s, uint32_t at)
{
    const uint8_t *bytes = s->file->source.bytes;
    while (at > s->line && bytes[at - 1] <= ' ')
        at--;
    return at == s->line;
}

/* The lines that a comment holds for. One that is alone on its line holds for the next one; those
 * before it, which held for this line, do so too. */
static name place_of(ignores *s, m5_span comment)
{
    const m5_source *source = &s->file->source;
    find_line(s, comment.offset);
    name n = {.alone = is_alone(s, comment.offset), .from = s->line};
    n.to = end_of_line(source, n.from);
    if (!n.alone || n.to == source->size)
        return n;
    n.from = n.to + 1;
    n.to = end_of_line(source, n.from);
    for (uint32_t i = s->count; i-- > 0 && s->names[i].alone && s->names[i].from == s->line;) {
        s->names[i].from = n.from;
        s->names[i].to = n.to;
    }
    return n;
}

/* ---- Comments -------------------------------------------------------------------------------- */

/* Whether someone meant `md5lint: ignore`, but wrote `md5lint ignore` or `md5lint-ignore`. */
static bool lacks_colon(const text *t)
{
    static const char verb[] = "ignore";
    enum { LENGTH = sizeof verb - 1 };
    return t->end - t->p > LENGTH && (*t->p == ' ' || *t->p == '-') &&
           memcmp(t->p + 1, verb, LENGTH) == 0;
}

/* What follows `// md5lint`; false if the comment is not for md5lint. It may come after another
 * comment: `// pelvis // md5lint: ...`. */
static bool begins(const ignores *s, m5_span comment, text *t)
{
    static const char word[] = "md5lint";
    enum { LENGTH = sizeof word - 1 };
    *t = (text){s->file->source.bytes + comment.offset, NULL};
    t->end = t->p + comment.length;
    for (bool slashes = false; t->p < t->end; t->p++) {
        if (*t->p == '/' && t->end - t->p >= 2 && t->p[1] == '/') {
            slashes = true;
            t->p++;
        } else if (slashes && t->end - t->p >= LENGTH && memcmp(t->p, word, LENGTH) == 0) {
            t->p += LENGTH;
            return (t->p < t->end && *t->p == ':') || lacks_colon(t);
        } else if (*t->p > ' ') {
            slashes = false;
        }
    }
    return false;
}

static void take_comment(void *user, m5_span comment, bool first)
{
    ignores *s = user;
    text t;
    if (!begins(s, comment, &t))
        return;
    if (first && s->file->model.format != m5_format_by_name("x.def")) {
        say_form(s, comment, "this comment is before MD5Version, expected after that line");
        return;
    }
    if (lacks_colon(&t)) {
        say_form(s, span_of(s, t.p, t.p + 1), "expected ':' and a space after 'md5lint'");
        return;
    }
    t.p++;
    name n = place_of(s, comment);
    m5_span verb = next_word(s, &t);
    n.whole = is_word(s, verb, "ignore-file");
    if (n.whole) {
        n.alone = false;
        n.from = 0;
        n.to = UINT32_MAX;
    }
    if (n.whole || is_word(s, verb, "ignore"))
        read_names(s, &n, t);
    else
        say_form(s, verb, "expected 'ignore' or 'ignore-file' after 'md5lint:'");
}

/* How many names there may be: one for each comma, and one for each comment. */
typedef struct tally {
    const m5_source *source;
    uint32_t names;
} tally;

static void count_names(void *user, m5_span comment, bool first)
{
    tally *t = user;
    (void)first;
    t->names++;
    for (uint32_t i = 0; i < comment.length && t->names < M5_IGNORE_MOST; i++)
        t->names += t->source->bytes[comment.offset + i] == ',';
}

bool m5_ignore_begin(m5_lint_file *f, const m5_format *format)
{
    unsigned bit = m5_format_bit(format);
    if ((bit & (M5_IN_MD5 | M5_IN_DEF)) == 0 || !m5_comments_are_likely(&f->source))
        return true;
    tally t = {&f->source, 0};
    m5_comments_each(&f->source, bit, count_names, &t);
    if (t.names == 0)
        return true;
    uint32_t most = t.names < M5_IGNORE_MOST ? t.names : M5_IGNORE_MOST;
    ignores *s = m5_arena_keep(&f->arena, sizeof *s);
    name *names = m5_arena_keep(&f->arena, most * sizeof *names);
    if (s == NULL || names == NULL)
        return false;
    *s = (ignores){.file = f, .next = f->report.watch, .names = names};
    m5_comments_each(&f->source, bit, take_comment, s);
    for (unsigned i = 0; i < M5_RULES && s->next.see != NULL; i++)
        mind(s, i, s->next.minds[i]);
    if (s->count != 0)
        f->report.watch = (m5_watch){see, s, s->minds};
    f->ignores = s->count != 0 ? s : NULL;
    return true;
}

/* ---- Names that suppressed nothing ----------------------------------------------------------- */

/* Rules of the linter about declarations that need no other file. */
static bool is_about_one_def(const m5_rule *rule)
{
    static const m5_rule *const rules[] = {
        M5_LINT_ROW(def_anim_duplicate),  M5_LINT_ROW(def_anim_name),
        M5_LINT_ROW(def_channel_unknown), M5_LINT_ROW(def_command_arguments),
        M5_LINT_ROW(def_command_unknown), M5_LINT_ROW(def_extension),
        M5_LINT_ROW(def_key_duplicate),
    };
    bool any = false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        any |= rules[i] == rule;
    return any;
}

/* Whether it depends on other files, or on which are given, that a rule reports something here. */
static bool needs_others(const m5_lint_file *f, const m5_rule *rule)
{
    if (rule == M5_LINT_ROW(md5anim_multiple_roots) ||
        rule == M5_LINT_ROW(md5anim_joints_exchanged))
        return f->base != NULL;
    if (strncmp(rule->id, "cross-", 6) == 0)
        return f->base == NULL;
    bool def = strncmp(rule->id, "def-", 4) == 0 && rule->number >= M5_PARSER_RULES;
    return (def && !is_about_one_def(rule)) || strncmp(rule->id, "pack-", 5) == 0;
}

/* Whether all rules of a name that can report something in this file were run. */
static bool is_decided(const m5_lint_file *f, const name *n)
{
    unsigned bit = m5_format_bit(f->model.format);
    for (unsigned i = 0; i < M5_RULES; i++) {
        const m5_rule *rule = m5_rule_at(i);
        if (has(n, i) && (rule->formats & bit) != 0 && needs_others(f, rule))
            return false;
    }
    return true;
}

void m5_ignore_finish(m5_lint_file *f)
{
    ignores *s = f->ignores;
    if (s == NULL || s->done)
        return;
    s->done = true;
    /* a part that was not looked at may have what they are for */
    if (f->status != M5_CLEAN || f->skipped != 0 || m5_settings_of(&f->report)->no_geometry)
        return;
    for (uint32_t i = 0; i < s->count; i++) {
        name *n = &s->names[i];
        if (n->used || !is_decided(f, n))
            continue;
        m5_diag d = m5_found(M5_LINT_ROW(ignore_unused), n->at);
        m5_emit(&f->report, &d, 0, "'%.*s' suppresses nothing: no such finding %s",
                (int)n->at.length, (const char *)f->source.bytes + n->at.offset,
                n->whole   ? "in this file"
                : n->alone ? "on the next line"
                           : "on this line");
    }
}
