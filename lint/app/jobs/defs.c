/* Lints declarations together, and compares them with what was kept of each mesh and animation. */
#include "defs.h"
#include "lint/app/inputs/only.h"
#include "lint/core/sort.h"

#include <stdlib.h>
#include <string.h>

bool m5_defs_is_def(const m5_job *job)
{
    return !job->input->is_shadowed && job->file.model.format == m5_format_by_name("x.def");
}

bool m5_defs_are_likely(const m5_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (m5_format_by_name(inputs->list[i].name) == m5_format_by_name("x.def"))
            return true;
    return false;
}

typedef struct game {
    m5_def_game linked;
    m5_lint_file **defs;
    uint32_t *numbers; /* of the jobs of `defs` */
    uint8_t *listed;   /* see m5_defs_lint */
} game;

/* Lists what a listed declaration names, and those declarations that name a listed file. */
static void list_named(void *user, uint32_t def, uint32_t asset)
{
    game *g = user;
    uint8_t *by = &g->listed[g->numbers[def]], *named = &g->listed[g->linked.assets[asset].number];
    *named |= *by & M5_LISTED_ITSELF ? M5_LISTED_NAMED : 0;
    *by |= *named & M5_LISTED_ITSELF ? M5_LISTED_NAMED : 0;
}

static bool is_unread(const m5_job *job)
{
    return job->bytes.error != NULL || job->amiss != NULL;
}

/* A mesh or animation of the game that could not be read: it is there, but its joints are unknown.
 * False when out of memory. */
static bool keep_path(m5_job *job)
{
    const m5_format *format = m5_format_by_name(job->input->name);
    m5_job_free_asset(job);
    if (format == NULL || (m5_format_bit(format) & M5_IN_MD5_MODELS) == 0 ||
        job->input->game_path == NULL || job->input->is_shadowed)
        return true;
    job->asset = calloc(1, sizeof *job->asset);
    if (job->asset != NULL)
        *job->asset = (m5_asset){.is_kept = true, .asset = {.path = job->input->name}};
    return job->asset != NULL;
}

/* In the order in which a game reads them. */
static bool is_read_before(const void *context, uint32_t a, uint32_t b)
{
    const m5_job *jobs = context;
    const m5_input *x = jobs[a].input, *y = jobs[b].input;
    int order = strcmp(x->game_path != NULL ? x->game_path : x->name,
                       y->game_path != NULL ? y->game_path : y->name);
    return order != 0 ? order < 0 : a < b;
}

static bool list_files(game *g, m5_job *jobs, size_t count, const m5_options *o)
{
    for (size_t i = 0; i < count; i++) {
        if (is_unread(&jobs[i]) && !keep_path(&jobs[i]))
            return false;
        if (m5_defs_is_def(&jobs[i])) {
            m5_job_lint(&jobs[i], o);
            g->linked.complete &= jobs[i].error == NULL;
            if (jobs[i].error == NULL)
                g->numbers[g->linked.num_defs++] = (uint32_t)i;
        } else if (jobs[i].asset != NULL && jobs[i].asset->is_kept) {
            jobs[i].asset->asset.number = (uint32_t)i;
            jobs[i].asset->asset.game_path = jobs[i].input->game_path;
            jobs[i].asset->asset.packed = m5_job_is_member(&jobs[i]);
            g->linked.assets[g->linked.num_assets++] = jobs[i].asset->asset;
        }
    }
    m5_check_sort(g->numbers, g->linked.num_defs, is_read_before, jobs);
    for (uint32_t i = 0; i < g->linked.num_defs; i++)
        g->defs[i] = &jobs[g->numbers[i]].file;
    return true;
}

/* False when out of memory. */
static bool link(game *g, m5_declared *declared)
{
    void *memory = malloc(m5_def_link_memory(&g->linked));
    if (memory == NULL)
        return false;
    m5_def_link(&g->linked, memory);
    for (uint32_t i = 0; i < g->linked.num_assets; i++)
        declared[g->linked.assets[i].number] = g->linked.assets[i].declared;
    free(memory);
    return true;
}

bool m5_defs_lint(m5_job *jobs, size_t count, const m5_options *o, m5_declared *declared,
                  bool complete, uint8_t *listed)
{
    size_t defs = 0;
    for (size_t i = 0; i < count; i++)
        defs += m5_defs_is_def(&jobs[i]);
    if (defs == 0)
        return true;
    game g = {.defs = calloc(defs, sizeof *g.defs),
              .numbers = calloc(defs, sizeof *g.numbers),
              .listed = listed};
    g.linked.defs = g.defs;
    g.linked.named = listed != NULL ? list_named : NULL;
    g.linked.user = &g;
    g.linked.complete = complete;
    g.linked.assets = calloc(count, sizeof *g.linked.assets);
    bool room = g.defs != NULL && g.numbers != NULL && g.linked.assets != NULL;
    room = room && list_files(&g, jobs, count, o);
    m5_times *times = g.linked.num_defs != 0 ? jobs[g.numbers[0]].times : NULL;
    m5_times_enter(times, M5_PART_def_link);
    room = room && link(&g, declared);
    m5_times_enter(times, M5_PART_none);
    for (size_t i = 0; i < count; i++)
        m5_job_free_asset(&jobs[i]);
    free(g.linked.assets);
    free(g.numbers);
    free(g.defs);
    return room;
}
