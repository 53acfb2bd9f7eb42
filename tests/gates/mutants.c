/* Makes mutants of C source: each has one guard negated, shifted by one or removed.
 *   list_mutants FILE...                           lists them, one on each line
 *   list_mutants --make FILE:LINE:COLUMN:OPERATOR  prints the file with that one change
 * A line of the list is FILE:LINE:COLUMN:OPERATOR, a tab, and the text of the source line.
 * tests/gates/mutants-known.txt identifies lines by their text. So the second mutant of a kind on a
 * line is called OPERATOR.2, and the text of the second line with the same text in a file is
 * followed by (2). Preprocessor lines are not changed. Neither is < changed to <= where it selects
 * the minimum, the maximum or the absolute value: if both sides are equal, the result is the same.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct file {
    const char *name;
    char *text;
    size_t size;
} file;

typedef struct token {
    size_t at, size;
} token;

typedef struct tokens {
    token *all;
    size_t count;
} tokens;

/* An edit that replaces `gone` bytes at `at` by `by`. */
typedef struct edit {
    size_t at, gone;
    const char *by;
} edit;

/* Tokens that are replaced wherever they occur. */
static const struct swap {
    const char *from, *to, *name;
} swaps[] = {
    {"<", "<=", "lt-le"},  {"<=", "<", "le-lt"},  {">", ">=", "gt-ge"},   {">=", ">", "ge-gt"},
    {"==", "!=", "eq-ne"}, {"!=", "==", "ne-eq"}, {"&&", "||", "and-or"}, {"||", "&&", "or-and"},
};

/* ---- Tokens ---------------------------------------------------------------------------------- */

static file load(const char *name)
{
    file f = {name, NULL, 0};
    FILE *in = fopen(name, "rb");
    if (in == NULL) {
        perror(name);
        exit(2);
    }
    for (int c; (c = getc(in)) != EOF; f.text[f.size++] = (char)c)
        if (f.size % 4096 == 0 && (f.text = realloc(f.text, f.size + 4097)) == NULL)
            exit(2);
    fclose(in);
    if (f.size == 0)
        exit(2);
    f.text[f.size] = '\0';
    return f;
}

static size_t line_end(const char *text, size_t at)
{
    return at + strcspn(text + at, "\n");
}

/* Skips a preprocessor line with its continuation lines. */
static size_t skip_directive(const char *text, size_t at)
{
    size_t end = line_end(text, at);
    while (text[end] != '\0' && text[end - 1] == '\\')
        end = line_end(text, end + 1);
    return end;
}

static size_t skip_comment(const char *text, size_t at)
{
    if (text[at + 1] == '/')
        return line_end(text, at);
    const char *end = strstr(text + at + 2, "*/");
    return end != NULL ? (size_t)(end + 2 - text) : at + strlen(text + at);
}

static size_t skip_quoted(const char *text, size_t at)
{
    size_t end = at + 1;
    while (text[end] != '\0' && text[end] != text[at])
        end += text[end] == '\\' ? 2 : 1;
    return end + 1;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static size_t sign_size(const char *sign)
{
    static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<",
                                        ">>",  "<=",  ">=",  "==", "!=", "&&", "||",
                                        "+=",  "-=",  "*=",  "/=", "&=", "|="};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(sign, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    return 1;
}

static size_t token_end(const char *text, size_t at)
{
    if (text[at] == '"' || text[at] == '\'')
        return skip_quoted(text, at);
    if (!in_word(text[at]))
        return at + sign_size(text + at);
    while (in_word(text[at]))
        at++;
    return at;
}

static tokens scan(const file *f)
{
    tokens t = {malloc((f->size + 1) * sizeof *t.all), 0};
    if (t.all == NULL)
        exit(2);
    for (size_t at = 0, end; at < f->size; at = end) {
        const char *c = f->text + at;
        if (isspace((unsigned char)*c))
            end = at + 1;
        else if (*c == '#')
            end = skip_directive(f->text, at);
        else if (*c == '/' && (c[1] == '*' || c[1] == '/'))
            end = skip_comment(f->text, at);
        else {
            end = token_end(f->text, at);
            t.all[t.count++] = (token){at, end - at};
        }
    }
    return t;
}

static bool is(const file *f, const tokens *t, size_t i, const char *word)
{
    return i < t->count && t->all[i].size == strlen(word) &&
           memcmp(f->text + t->all[i].at, word, t->all[i].size) == 0;
}

/* ---- Mutants --------------------------------------------------------------------------------- */

/* The place in the file, and the mutant that is wanted; NULL to list all. */
typedef struct walk {
    const file *f;
    const char *wanted;
    size_t line, begin; /* of the line that the token stands on */
    size_t seen;        /* how many mutants the line has, in `names` */
    const char *names[64];
} walk;

static void write_edited(const file *f, const edit *edits, size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        fwrite(f->text + at, 1, edits[i].at - at, stdout);
        fputs(edits[i].by, stdout);
        at = edits[i].at + edits[i].gone;
    }
    fwrite(f->text + at, 1, f->size - at, stdout);
    exit(fflush(stdout) == 0 ? 0 : 2);
}

/* The number of this line among the file's lines with the same text, from 1. */
static size_t nth_line(const walk *w)
{
    const char *text = w->f->text, *own = text + w->begin + strspn(text + w->begin, " \t");
    size_t length = strcspn(own, "\n"), nth = 1;
    for (size_t at = 0; at < w->begin; at = line_end(text, at) + 1) {
        const char *line = text + at + strspn(text + at, " \t");
        nth += strcspn(line, "\n") == length && memcmp(line, own, length) == 0;
    }
    return nth;
}

static void offer(walk *w, size_t at, const char *name, const edit *edits, size_t count)
{
    size_t nth = 1;
    for (size_t i = 0; i < w->seen; i++)
        nth += strcmp(w->names[i], name) == 0;
    if (w->seen < sizeof w->names / sizeof *w->names)
        w->names[w->seen++] = name;
    char id[512], ordinal[32] = "", line[32] = "";
    if (nth > 1)
        snprintf(ordinal, sizeof ordinal, ".%zu", nth);
    if (nth_line(w) > 1)
        snprintf(line, sizeof line, " (%zu)", nth_line(w));
    snprintf(id, sizeof id, "%s:%zu:%zu:%s%s", w->f->name, w->line, at - w->begin + 1, name,
             ordinal);
    if (w->wanted == NULL) {
        const char *text = w->f->text + w->begin;
        text += strspn(text, " \t");
        printf("%s\t%.*s%s\n", id, (int)strcspn(text, "\n"), text, line);
    } else if (strcmp(id, w->wanted) == 0)
        write_edited(w->f, edits, count);
}

/* The end of an operand that begins at `i`. */
static size_t operand_end(const file *f, const tokens *t, size_t i)
{
    static const char *const ends[] = {")", "?", ":", ";", ",", "&&", "||"};
    for (size_t depth = 0; i < t->count; i++) {
        for (size_t k = 0; depth == 0 && k < sizeof ends / sizeof *ends; k++)
            if (is(f, t, i, ends[k]))
                return i;
        depth += is(f, t, i, "(");
        depth -= is(f, t, i, ")");
    }
    return i;
}

static bool is_same(const file *f, const tokens *t, size_t a, size_t b, size_t count)
{
    bool same = true;
    for (size_t k = 0; same && k < count; k++)
        same = t->all[a + k].size == t->all[b + k].size &&
               memcmp(f->text + t->all[a + k].at, f->text + t->all[b + k].at, t->all[a + k].size) ==
                   0;
    return same;
}

/* Whether the operand from `begin` to `end`, without sign and cast, equals the operand before `i`
 * or the one between `i` and `question`. */
static bool is_side(const file *f, const tokens *t, size_t begin, size_t end, size_t i,
                    size_t question, bool left)
{
    bool cast = is(f, t, begin, "(") && is(f, t, begin + 2, ")") && begin + 3 < end;
    size_t count = end - begin;
    if (left ? count <= i && is_same(f, t, begin, i - count, count)
             : count == question - i - 1 && is_same(f, t, begin, i + 1, count))
        return true;
    begin += cast ? 3 : is(f, t, begin, "-") || is(f, t, begin, "0") ? 1 : 0;
    return begin < end && end - begin < count && is_side(f, t, begin, end, i, question, left);
}

/* a < b ? a : b, a < b ? b : a, a < 0 ? -a : a */
static bool is_choice(const file *f, const tokens *t, size_t i)
{
    size_t question = operand_end(f, t, i + 1), colon = operand_end(f, t, question + 1);
    if (!is(f, t, question, "?") || !is(f, t, colon, ":"))
        return false;
    size_t end = operand_end(f, t, colon + 1);
    bool first = is_side(f, t, question + 1, colon, i, question, true);
    bool second = is_side(f, t, colon + 1, end, i, question, true);
    bool absolute = question == i + 2 && is(f, t, i + 1, "0") && first && second;
    return absolute || (first && is_side(f, t, colon + 1, end, i, question, false)) ||
           (second && is_side(f, t, question + 1, colon, i, question, false));
}

static void offer_swaps(walk *w, const tokens *t, size_t i)
{
    if (strchr("<>", w->f->text[t->all[i].at]) != NULL && is_choice(w->f, t, i))
        return;
    for (size_t k = 0; k < sizeof swaps / sizeof *swaps; k++)
        if (is(w->f, t, i, swaps[k].from))
            offer(w, t->all[i].at, swaps[k].name,
                  &(edit){t->all[i].at, t->all[i].size, swaps[k].to}, 1);
}

/* Two mutants of `if (condition)`: negated, and never true. The condition is still evaluated, as it
 * may be a call that reads on. */
static void offer_if(walk *w, const tokens *t, size_t i)
{
    if (!is(w->f, t, i, "if") || !is(w->f, t, i + 1, "("))
        return;
    size_t depth = 1, end = i + 2;
    for (; end < t->count; end++) {
        depth += is(w->f, t, end, "(");
        depth -= is(w->f, t, end, ")");
        if (depth == 0)
            break;
    }
    if (end == t->count)
        return;
    size_t open = t->all[i + 1].at + 1, close = t->all[end].at;
    offer(w, t->all[i].at, "if-not", (edit[]){{open, 0, "!("}, {close, 0, ")"}}, 2);
    offer(w, t->all[i].at, "if-never", (edit[]){{open, 0, "("}, {close, 0, ") && 0"}}, 2);
}

static void offer_return(walk *w, const tokens *t, size_t i)
{
    if (!is(w->f, t, i, "return") || !is(w->f, t, i + 2, ";"))
        return;
    const token *value = &t->all[i + 1];
    if (is(w->f, t, i + 1, "false"))
        offer(w, t->all[i].at, "false-true", &(edit){value->at, value->size, "true"}, 1);
    if (is(w->f, t, i + 1, "true"))
        offer(w, t->all[i].at, "true-false", &(edit){value->at, value->size, "false"}, 1);
}

/* Whether a value ends here, so that a + or - after it is a binary operator. */
static bool ends_value(const file *f, const tokens *t, size_t i)
{
    char last = f->text[t->all[i].at + t->all[i].size - 1];
    return (in_word(last) || last == ')' || last == ']') && !is(f, t, i, "return") &&
           !is(f, t, i, "case");
}

static void offer_one_less(walk *w, const tokens *t, size_t i)
{
    bool plus = is(w->f, t, i, "+"), minus = is(w->f, t, i, "-");
    if (!(plus || minus) || !is(w->f, t, i + 1, "1") || i == 0 || !ends_value(w->f, t, i - 1))
        return;
    size_t at = t->all[i].at, end = t->all[i + 1].at + t->all[i + 1].size;
    offer(w, at, plus ? "plus-1" : "minus-1", &(edit){at, end - at, ""}, 1);
}

static void walk_file(const char *name, const char *wanted)
{
    file f = load(name);
    tokens t = scan(&f);
    walk w = {&f, wanted, 1, 0, 0, {NULL}};
    for (size_t i = 0; i < t.count; i++) {
        for (size_t end; (end = line_end(f.text, w.begin)) < t.all[i].at; w.line++, w.seen = 0)
            w.begin = end + 1;
        offer_swaps(&w, &t, i);
        offer_if(&w, &t, i);
        offer_return(&w, &t, i);
        offer_one_less(&w, &t, i);
    }
    free(t.all);
    free(f.text);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--make") == 0) {
        char name[512];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[2], ":"), argv[2]);
        walk_file(name, argv[2]);
        fprintf(stderr, "list_mutants: no such mutant: %s\n", argv[2]);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        walk_file(argv[i], NULL);
    return 0;
}
