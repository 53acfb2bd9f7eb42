/* Fuzz target for files that belong together: the parts of the input are linted as a group. The
 * format of each part is found from its content. */
#include "fuzz/harness/harness.h"
#include "fuzz/harness/parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct group {
    m5_lint_file files[PARTS], *list[PARTS];
    harness_run runs[PARTS];
    void *memory[PARTS];
    size_t count;
} group;

static void add(group *g, const uint8_t *data, size_t size, const m5_settings *settings)
{
    const m5_format *format = m5_format_by_content(data, size);
    if (format == NULL)
        return;
    size_t i = g->count++, bytes = m5_lint_memory(size, 0);
    m5_lint_file *f = g->list[i] = &g->files[i];
    *f = (m5_lint_file){.source = {part_names[i], data, (uint32_t)size},
                        .report = {.settings = settings},
                        .in_group = true};
    g->memory[i] = malloc(bytes);
    HARNESS_ASSERT(g->memory[i] != NULL);
    harness_parse(format, f, &g->runs[i], g->memory[i], bytes);
    m5_lint_model(f);
}

/* A run whose digests are those of all files. */
static harness_run lint(const harness_input *in, const m5_levels *levels, const m5_rule *apart)
{
    parts files = split_parts(in->data, in->size);
    group g = {.count = 0};
    for (size_t i = 0; i < PARTS; i++)
        g.runs[i].apart = apart;
    m5_settings settings = {.levels = levels,
                            .geometry_budget = in->how & HARNESS_UNLIMITED ? UINT64_MAX : 100000,
                            .plain = in->how & HARNESS_PLAIN};
    for (uint32_t i = 0; i < files.count; i++)
        add(&g, files.data[i], files.size[i], &settings);
    harness_run all = {.digest = 0};
    m5_rig together[PARTS * (1 + sizeof(m5_pair) / 8)];
    HARNESS_ASSERT(m5_together_memory(PARTS) <= sizeof together);
    m5_lint_together(g.list, g.count, together);
    for (size_t i = 0; i < g.count; i++) {
        const harness_run *run = &g.runs[i];
        all.drawn = all.drawn == NULL || run->digest % 2 == 0 ? run->drawn : all.drawn;
        all.digest = (all.digest ^ run->digest) * 1099511628211u;
        all.digest_apart = (all.digest_apart ^ run->digest_apart) * 1099511628211u;
        free(g.memory[i]);
    }
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const m5_levels *usual = size % 4 != 0 ? all_rules() : NULL;
    harness_input in = {NULL, data, size, 0}, unlimited = {NULL, data, size, HARNESS_UNLIMITED},
                  plain = {NULL, data, size, HARNESS_UNLIMITED | HARNESS_PLAIN};
    if (!harness_is_chosen(data, size)) {
        lint(&in, usual, NULL);
        return 0;
    }
    harness_run first = lint(&unlimited, usual, NULL);
    HARNESS_ASSERT(first.digest == lint(&plain, usual, NULL).digest);
    harness_try_levels(lint, &unlimited, &first, usual);
    return 0;
}
