/* Fuzz target for what users write to choose findings. The first byte says what the rest is: `d`
 * and `m` are declarations and an md5camera, whose comments suppress findings; all else is a file
 * of settings.
 *
 * A file of settings is refused with a message that says where, or it reads again the same, and its
 * rules can be applied. A comment takes away the findings that are counted as suppressed, and
 * nothing else; the model stays what it is. */
#include "fuzz/harness/harness.h"

#include "lint/core/glob.h"
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
    HARNESS_ASSERT(with.count + with.suppressed == without.count);
    HARNESS_ASSERT(with.flaws == without.flaws && with.status == without.status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (*data == 'd' || *data == 'm')
        try_comments(m5_format_by_name(*data == 'd' ? "x.def" : "x.md5camera"), data + 1, size - 1);
    else
        try_settings((const char *)data + 1, size - 1);
    return 0;
}
