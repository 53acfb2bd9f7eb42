/* Fuzz target for what users write to choose findings. The first byte says what the rest is: `d`
 * and `m` are declarations and an md5camera, whose comments suppress findings; `b` is a baseline;
 * all else is a file of settings.
 *
 * A file of settings is refused with a message that says where, or it reads again the same, and its
 * rules can be applied. So is a baseline, and a finding is old as often as it is recorded. A
 * comment takes away the findings that are counted as suppressed, and nothing else, but what is
 * reported once a file may then be reported at another place; the model stays what it is. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz/harness/harness.h"

#include "lint/core/glob.h"
#include "lint/settings/baseline.h"
#include "lint/settings/file.h"

#include <jansson.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- Settings -------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* `3:7: ...` or `/rules/x: ...`; or it is about the whole file. */
static bool has_place(const char *text)
{
    size_t line = strspn(text, "0123456789");
    size_t column = text[line] == ':' ? strspn(text + line + 1, "0123456789") : 0;
    bool pointer = *text == '/' && strstr(text, ": ") != NULL;
    bool cut = strlen(text) + 2 >=
               sizeof(m5_settings_error); /* of a long pointer its end is lost */
    return (line != 0 && column != 0 && begins(text + line + 1 + column, ": ")) || pointer ||
           (*text == '/' && cut) || begins(text, "expected an object") ||
           begins(text, "the file is larger");
}

static bool same_strings(const m5_strings *a, const m5_strings *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->list[i], b->list[i]) == 0;
    return same;
}

static bool same_rules(const m5_rule_list *a, const m5_rule_list *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const m5_rule_setting *x = &a->list[i], *y = &b->list[i];
        same = strcmp(x->pattern, y->pattern) == 0 && x->how == y->how &&
               memcmp(&x->limits, &y->limits, sizeof x->limits) == 0;
    }
    return same;
}

static bool same_file(const m5_settings_file *a, const m5_settings_file *b)
{
    bool same = a->root == b->root && a->fail_on == b->fail_on &&
                same_strings(&a->exclude, &b->exclude) && same_rules(&a->rules, &b->rules) &&
                a->num_overrides == b->num_overrides;
    for (size_t i = 0; same && i < a->num_overrides; i++)
        same = same_strings(&a->overrides[i].files, &b->overrides[i].files) &&
               same_rules(&a->overrides[i].rules, &b->overrides[i].rules);
    return same;
}

static void read_again(const m5_settings_file *file)
{
    char *text = json_dumps(file->json, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    m5_settings_file again;
    m5_settings_error error;
    HARNESS_ASSERT(text != NULL);
    if (strlen(text) <= M5_SETTINGS_MOST) {
        HARNESS_ASSERT(m5_settings_file_read(&again, text, strlen(text), &error));
        HARNESS_ASSERT(same_file(file, &again));
        m5_settings_file_free(&again);
    }
    free(text);
}

static void apply(m5_choice *choice, const m5_rule_list *rules)
{
    const m5_rule *one;
    for (size_t i = 0; i < rules->count; i++) {
        HARNESS_ASSERT(m5_choice_error(&rules->list[i], &one) == NULL);
        m5_choice_apply(choice, &rules->list[i]);
    }
}

static void try_patterns(const m5_strings *patterns)
{
    static const char *const paths[] = {"hero.md5mesh", "a/b/c.md5anim", "models/[x]/-y.def"};
    for (size_t i = 0; i < patterns->count; i++)
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
            if (m5_glob_matches(patterns->list[i], paths[k], false))
                HARNESS_ASSERT(m5_glob_covers(patterns->list[i], paths[k]));
}

static void try_settings(const char *bytes, size_t size)
{
    m5_settings_file file;
    m5_settings_error error;
    if (!m5_settings_file_read(&file, bytes, size, &error)) {
        HARNESS_ASSERT(has_place(error.text));
        return;
    }
    m5_choice choice = {.selects = false};
    m5_choice_init(&choice);
    apply(&choice, &file.rules);
    try_patterns(&file.exclude);
    for (size_t i = 0; i < file.num_overrides; i++) {
        apply(&choice, &file.overrides[i].rules);
        try_patterns(&file.overrides[i].files);
    }
    m5_choice_hide_notes(&choice);
    for (unsigned i = 0; i < M5_RULES; i++)
        HARNESS_ASSERT(m5_choice_ascends(&choice.levels[i]) || choice.levels[i].note < 0 ||
                       choice.levels[i].warning < 0 || choice.levels[i].error < 0);
    read_again(&file);
    m5_settings_file_free(&file);
}

/* ---- Baselines ------------------------------------------------------------------------------- */

/* Each file's findings lie together, and are found by its name. */
static void find_files(const m5_baseline *b)
{
    for (size_t i = 0; i < b->count;) {
        m5_old_list found = m5_baseline_of(b, b->list[i].file);
        HARNESS_ASSERT(found.list == b->list + i && found.count != 0);
        i += found.count;
    }
}

/* Finds what has no path: as often as it is recorded, it is old. Returns how many are gone then. */
static uint64_t take(const m5_baseline *b)
{
    uint64_t gone = 0;
    for (size_t i = 0; i < b->count; i++) {
        m5_old *o = &b->list[i];
        m5_old_list of_file = m5_baseline_of(b, o->file);
        m5_diag found = {.rule = o->rule, .own = o->severity};
        uint32_t most = *o->path == '\0' ? 2 : 0, old = 0;
        for (uint32_t k = 0; k < most; k++)
            old += m5_old_take(&of_file, &found, false);
        HARNESS_ASSERT(old == (o->count < most ? o->count : most));
        o->is_known = true;
        HARNESS_ASSERT(m5_old_gone(o) == o->count - old);
        gone += o->count - old;
    }
    return gone;
}

typedef struct text {
    char *bytes;
    size_t count;
} text;

static void write_text(void *file, const void *bytes, size_t count)
{
    HARNESS_ASSERT(fwrite(bytes, 1, count, file) == count);
}

static text baseline_text(const m5_baseline *b)
{
    text t;
    FILE *file = open_memstream(&t.bytes, &t.count);
    HARNESS_ASSERT(file != NULL && m5_baseline_write(b, &(m5_writer){write_text, file}));
    HARNESS_ASSERT(fclose(file) == 0);
    return t;
}

/* What is written reads again, and is written the same. */
static void write_again(const m5_baseline *b)
{
    text t = baseline_text(b);
    m5_baseline again;
    m5_settings_error error;
    HARNESS_ASSERT(m5_baseline_read(&again, t.bytes, t.count, &error));
    HARNESS_ASSERT(again.count == b->count);
    text same = baseline_text(&again);
    HARNESS_ASSERT(same.count == t.count && memcmp(same.bytes, t.bytes, t.count) == 0);
    m5_baseline_free(&again);
    free(same.bytes);
    free(t.bytes);
}

static void try_baseline(const char *bytes, size_t size)
{
    m5_baseline baseline;
    m5_settings_error error;
    if (!m5_baseline_read(&baseline, bytes, size, &error)) {
        HARNESS_ASSERT(has_place(error.text));
        return;
    }
    find_files(&baseline);
    write_again(&baseline);
    uint64_t gone = take(&baseline);
    HARNESS_ASSERT(m5_baseline_prune(&baseline) == gone);
    write_again(&baseline);
    m5_baseline_free(&baseline);
}

/* ---- Comments -------------------------------------------------------------------------------- */

/* What was found, but for what is about comments. */
typedef struct findings {
    uint64_t count, suppressed, flaws;
    m5_status status;
} findings;

static void count(void *user, const m5_diag *d)
{
    ((findings *)user)->count += !begins(d->rule->id, "ignore-");
}

static findings lint(const m5_format *format, const uint8_t *bytes, size_t size)
{
    findings found = {.count = 0};
    m5_settings settings = {.levels = all_rules()};
    size_t room = m5_lint_memory(size, 0);
    void *memory = malloc(room);
    m5_lint_file file;
    HARNESS_ASSERT(memory != NULL);
    found.status = m5_lint_bytes(&file, &(m5_lint_input){.source = {"input", bytes, (uint32_t)size},
                                                         .format = format,
                                                         .settings = &settings,
                                                         .sink = {count, &found},
                                                         .memory = memory,
                                                         .size = room});
    HARNESS_ASSERT(found.status != M5_NO_MEMORY);
    found.suppressed = file.suppressed;
    found.flaws = file.report.flaws;
    free(memory);
    return found;
}

/* Changes a letter in the word that comments begin with. */
static void spoil(uint8_t *bytes, size_t size)
{
    static const char word[] = "md5lint:";
    for (size_t i = 0; i + sizeof word - 1 <= size; i++)
        if (memcmp(bytes + i, word, sizeof word - 1) == 0)
            bytes[i + 3] = 'L';
}

static void try_comments(const m5_format *format, const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    HARNESS_ASSERT(copy != NULL);
    memcpy(copy, data, size);
    spoil(copy, size);
    findings with = lint(format, data, size), without = lint(format, copy, size);
    free(copy);
    HARNESS_ASSERT(without.suppressed == 0);
    HARNESS_ASSERT(with.count <= without.count);
    HARNESS_ASSERT(with.count + with.suppressed >= without.count);
    HARNESS_ASSERT(with.flaws >= without.flaws);
    HARNESS_ASSERT(with.flaws <= without.flaws + with.suppressed);
    HARNESS_ASSERT(with.status == without.status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (*data == 'd' || *data == 'm')
        try_comments(m5_format_by_name(*data == 'd' ? "x.def" : "x.md5camera"), data + 1, size - 1);
    else if (*data == 'b')
        try_baseline((const char *)data + 1, size - 1);
    else
        try_settings((const char *)data + 1, size - 1);
    return 0;
}
