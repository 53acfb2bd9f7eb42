/* Takes one input from its name to its findings. */
#include "job.h"
#include "other_kinds.h"
#include "lint/cross/rig.h"
#include "lint/pack/shadowed.h"
#include "parsers/core/emit.h"

#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "out of memory";

/* The text parsers cope with bytes that change while they are read; the md4 model is a view of the
 * bytes and does not. */
static bool may_map(const m5_format *format)
{
    return format != NULL && m5_format_bit(format) != M5_IN_MD4;
}

bool m5_job_is_member(const m5_job *w)
{
    return w->input->archive != NULL && w->input->member != M5_NO_INDEX;
}

static bool is_archive(const m5_job *w)
{
    return w->input->archive != NULL && w->input->member == M5_NO_INDEX;
}

/* Notes that another part of the work begins. */
static void enter(m5_job *w, const m5_options *o, m5_part part)
{
    if (o->time && w->times == NULL)
        w->times = calloc(1, sizeof *w->times);
    m5_times_enter(w->times, part);
}

/* How a file of a format is read; of one in no format only as much as the format is looked for in.
 * Declarations are counted before they are stored, and so are lines of differences: their bytes
 * must not change. */
static m5_mapping how_to_read(const m5_format *format, const m5_options *o)
{
    if (format == NULL)
        return M5_READ_START;
    bool stays = m5_format_bit(format) == M5_IN_DEF || o->fix || o->diff;
    return may_map(format) && !stays ? M5_MAP_WHOLE : M5_MAP_NEVER;
}

/* Reads the input's bytes, or those of the archive that it is in. What is wrong with a member is
 * kept when it is read for the first time; later, other threads may look at that. */
static void read_input(m5_job *w, const m5_options *o, m5_mapping mapping, bool first)
{
    m5_archive *a = w->input->archive;
    enter(w, o, M5_PART_read);
    if (is_archive(w)) {
        w->bytes = a->bytes;
        w->bytes.borrowed = true;
    } else if (m5_job_is_member(w)) {
        uint32_t member = w->input->member;
        m5_member_result again;
        w->bytes = m5_archive_read(a, member, &o->settings, first ? &a->results[member] : &again);
        w->unread = m5_archive_is_flawed(a, member);
        const char *lost = m5_bytes_changed(&a->bytes, a->path);
        w->amiss = lost != NULL ? lost : w->amiss;
    } else if (w->input->bytes != NULL) {
        w->bytes = *w->input->bytes;
        w->bytes.borrowed = true;
    } else {
        w->bytes = m5_bytes_read(w->input, mapping);
    }
    enter(w, o, M5_PART_none);
}

void m5_job_read_again(m5_job *w, const m5_options *o)
{
    read_input(w, o, how_to_read(w->file.model.format, o), false);
}

/* ---- Which files belong together ------------------------------------------------------------- */

/* Copies the names of a rig to memory of their own. */
static bool keep_names(m5_job *w, m5_rig *rig)
{
    if (rig->names == NULL)
        return true;
    w->names = malloc(rig->num_joints * sizeof *w->names);
    if (w->names != NULL)
        memcpy(w->names, rig->names, rig->num_joints * sizeof *w->names);
    rig->names = w->names;
    return w->names != NULL;
}

static bool keep_asset(m5_job *w, const m5_lint_file *f)
{
    w->asset = calloc(1, sizeof *w->asset);
    return w->asset != NULL && m5_asset_keep(w->asset, f);
}

static uint32_t num_joints(const m5_model *m)
{
    uint32_t joints = m->md5anim != NULL ? m->md5anim->num_joints : 0;
    return m->md5mesh != NULL ? m->md5mesh->num_joints : joints;
}

/* Parses the joints, and keeps what is needed of them. */
static bool parse_joints(m5_job *w, m5_rig *rig, const m5_format *format, void *memory, size_t size)
{
    static const m5_settings joints_only = {.joints_only = true};
    m5_lint_file f = {.source = {w->input->name, w->bytes.bytes, (uint32_t)w->bytes.size},
                      .model.format = format};
    f.report = (m5_report){.source = &f.source, .settings = &joints_only};
    m5_arena_init(&f.arena, memory, size);
    f.status = m5_parse(format, &f.report, &f.arena, &f.model);
    bool room = f.status != M5_NO_MEMORY;
    if (room)
        m5_rig_of(rig, &f.source, &f.model, &f.arena);
    w->num_joints = num_joints(&f.model);
    room = room && keep_names(w, rig) && (!w->keeps_asset || keep_asset(w, &f));
    m5_arena_end(&f.arena);
    return room;
}

static void read_rig(m5_job *w, m5_rig *rig, const m5_format *format)
{
    size_t size = m5_lint_memory(w->bytes.size, 0);
    void *memory = m5_reserve(size);
    bool room = memory != NULL && parse_joints(w, rig, format, memory, size);
    rig->known &= room;
    w->amiss = room ? m5_bytes_changed(&w->bytes, w->input->name) : no_memory;
    m5_unreserve(memory, size);
}

/* All files of a game are in one tree, wherever its folders are. The `./` before a
 * risky name is not a folder: see m5_path_clean. */
static const char *rig_name(const m5_input *input)
{
    const char *name = input->game_path != NULL ? input->game_path : input->name;
    return strncmp(name, "./", 2) == 0 ? name + 2 : name;
}

/* By the content, of which only the start is read. */
static const m5_format *find_format(m5_job *w, const m5_options *o)
{
    read_input(w, o, M5_READ_START, true);
    if (w->bytes.error != NULL)
        return NULL;
    m5_source start = {w->input->name, w->bytes.bytes, (uint32_t)w->bytes.size};
    bool other = m5_is_other_kind(&start);
    const m5_format *format = other ? NULL : m5_format_by_content(start.bytes, start.size);
    if (!w->bytes.once)
        m5_bytes_free(&w->bytes);
    return format;
}

void m5_job_scan(m5_job *w, m5_rig *rig, const m5_options *o)
{
    const m5_format *format = m5_format_by_name(w->input->name);
    w->file.source.name = w->input->name;
    *rig = (m5_rig){.name = rig_name(w->input)};
    if (w->input->is_shadowed)
        return;
    if (w->input->error != NULL)
        w->bytes.error = w->input->error;
    else if (format == NULL)
        format = find_format(w, o);
    if (w->bytes.error == NULL && w->bytes.bytes == NULL &&
        (may_map(format) || m5_job_is_member(w)))
        read_input(w, o, how_to_read(format, o), true);
    w->file.model.format = format;
    *rig = (m5_rig){.name = w->input->name, .format = format};
    enter(w, o, M5_PART_scan);
    if (may_map(format) && w->bytes.error == NULL && !is_archive(w))
        read_rig(w, rig, format);
    enter(w, o, M5_PART_none);
    rig->name = rig_name(w->input);
    if (w->bytes.error == NULL && !w->bytes.once) {
        w->scanned = w->bytes.stamp;
        m5_bytes_free(&w->bytes);
    }
}

static bool have_same_names(const m5_rig *a, const m5_rig *b)
{
    return a->joints_hash == b->joints_hash && a->num_joints == b->num_joints &&
           memcmp(a->names, b->names, a->num_joints * sizeof *a->names) == 0;
}

void m5_job_share_names(m5_job *jobs, m5_rig *rigs, uint32_t which, uint32_t *known, size_t room)
{
    m5_rig *rig = &rigs[which];
    if (rig->names == NULL)
        return;
    size_t at = (size_t)(rig->joints_hash % room);
    while (known[at] != 0 && !have_same_names(&rigs[known[at] - 1], rig))
        at = (at + 1) % room;
    if (known[at] == 0) {
        known[at] = which + 1;
        return;
    }
    rig->names = rigs[known[at] - 1].names;
    m5_job_free_names(&jobs[which]);
}

void m5_job_free_names(m5_job *w)
{
    free(w->names);
    w->names = NULL;
}

/* ---- By itself ------------------------------------------------------------------------------- */

/* All are kept that may be fixed. */
static uint32_t max_per_rule(const m5_options *o)
{
    return o->fix || o->diff ? 0 : o->max_per_rule;
}

/* Why a file that was read cannot be linted, or NULL. */
static const char *format_error(m5_job *w, const m5_source *source)
{
    enum { OTHER_KIND = 160 };
    if (w->file.model.format != NULL)
        return m5_format_error(w->file.model.format);
    char *what = m5_blocks_take(&w->turn->kept, OTHER_KIND);
    if (what == NULL)
        return no_memory;
    m5_say_other_kind(source, what, OTHER_KIND);
    return what;
}

/* The archive that the input is in, or the folder of a game; NULL: neither. */
static const char *origin_of(const m5_input *input, const m5_options *o)
{
    if (input->archive != NULL)
        return input->archive->path;
    return input->game != 0 ? o->games.list[input->game - 1] : NULL;
}

/* Reserves memory, and sets up what collects the findings. False without memory. */
static bool prepare(m5_job *w, const m5_options *o, m5_lint_input *in)
{
    m5_collector *found = &w->turn->found;
    m5_settings *settings = &w->turn->settings;
    w->memory_size = m5_lint_memory(in->source.size, 0);
    w->memory = m5_reserve(w->memory_size);
    m5_collector_init(found, NULL, max_per_rule(o));
    found->take = m5_blocks_take;
    found->user = &w->turn->kept;
    found->keep_shared = o->fold;
    found->keep_old = m5_options_shows(o) & M5_SHOWS_OLD;
    found->least = o->quiet ? M5_ERROR : M5_NOTE;
    *settings = o->settings;
    settings->levels = w->levels;
    settings->members_apart = is_archive(w);
    settings->enter = w->times != NULL ? m5_times_enter : NULL;
    settings->enter_user = w->times;
    in->settings = settings;
    in->sink = (m5_sink){m5_collect, found};
    in->memory = w->memory;
    in->size = w->memory_size;
    in->in_group = true;
    in->from = origin_of(w->input, o);
    m5_baseline_watch(w);
    return w->memory != NULL;
}

/* An engine never loads it. */
static void lint_shadowed(m5_job *w, const m5_options *o)
{
    const m5_levels *levels = &w->levels[M5_RULE_pack_shadowed];
    m5_lint_input in = {.source.name = w->input->name};
    w->unread = m5_judge(levels, 0) == M5_SILENT;
    if (w->unread)
        return;
    if (prepare(w, o, &in))
        m5_lint_shadowed(&w->file, &in, w->input->instead);
    else
        w->error = no_memory;
}

static void lint_file(m5_job *w, const m5_options *o)
{
    const m5_format *format = w->file.model.format;
    if (w->bytes.bytes == NULL && w->bytes.error == NULL)
        m5_job_read_again(w, o);
    if (w->amiss == NULL && w->bytes.error == NULL)
        w->amiss = m5_stamp_differs(&w->scanned, &w->bytes.stamp);
    w->error = w->amiss != NULL ? w->amiss : w->bytes.error;
    m5_source source = {w->input->name, w->bytes.bytes, (uint32_t)w->bytes.size};
    if (w->error == NULL)
        w->error = format_error(w, &source);
    if (w->error != NULL)
        return;
    m5_lint_input in = {.source = source, .format = format};
    if (!prepare(w, o, &in) || m5_lint_bytes(&w->file, &in) == M5_NO_MEMORY)
        w->error = no_memory;
    else if (is_archive(w))
        m5_archive_report(w->input->archive, &w->file);
}

void m5_job_end_turn(m5_job *w)
{
    if (w->turn == NULL)
        return;
    m5_blocks kept = w->turn->kept; /* the turn is in it */
    m5_blocks_free(&kept);
    w->turn = NULL;
}

void m5_job_lint(m5_job *w, const m5_options *o)
{
    m5_blocks kept = {NULL};
    w->turn = m5_blocks_take(&kept, sizeof *w->turn);
    if (w->turn != NULL)
        *w->turn = (m5_turn){.kept = kept};
    if (w->turn == NULL)
        w->error = no_memory;
    else if (w->input->is_shadowed)
        lint_shadowed(w, o);
    else
        lint_file(w, o);
}

void m5_job_lint_again(m5_job *w, const m5_options *o, m5_bytes bytes)
{
    const m5_format *format = w->file.model.format;
    m5_arena_end(&w->file.arena);
    m5_unreserve(w->memory, w->memory_size);
    m5_job_end_turn(w);
    w->memory = NULL;
    w->error = NULL;
    w->bytes = bytes;
    w->scanned = (m5_stamp){0};
    w->file = (m5_lint_file){.source.name = w->input->name, .model.format = format};
    m5_job_lint(w, o);
    w->num_joints = num_joints(&w->file.model);
}

/* ---- With others ----------------------------------------------------------------------------- */

static size_t larger_mesh(const m5_lint_file *f, size_t size)
{
    return f->model.md5mesh != NULL && f->source.size > size ? f->source.size : size;
}

static size_t largest_mesh(m5_lint_file *const *files, const m5_pair *pair)
{
    size_t largest = pair->base != M5_NO_INDEX ? larger_mesh(files[pair->base], 0) : 0;
    for (uint32_t i = 0; i < pair->num_equals; i++)
        largest = larger_mesh(files[pair->equals[i]], largest);
    return largest;
}

void m5_job_lint_pair(m5_job *w, m5_lint_file *const *files, const m5_pairs *pairs, uint32_t which)
{
    const m5_pair *pair = &pairs->list[which];
    bool compared = w->file.model.md5anim != NULL && pair->reason != M5_PAIR_MISSING;
    size_t mesh = compared ? largest_mesh(files, pair) : 0;
    size_t size = mesh != 0 ? m5_lint_memory(2 * mesh, 0) : 0;
    m5_arena scratch = {0};
    void *memory = mesh != 0 ? m5_reserve(size) : NULL;
    if (mesh != 0 && memory == NULL) {
        w->error = no_memory;
        return;
    }
    m5_arena_init(&scratch, memory, size);
    m5_lint_pair(files, pairs, which, &scratch);
    m5_arena_end(&scratch);
    m5_unreserve(memory, size);
}

const char *m5_job_late_error(const m5_job *w)
{
    if (w->turn != NULL && (w->turn->found.lost || w->turn->late != NULL))
        return w->turn->found.lost ? no_memory : w->turn->late;
    return m5_job_changed(w);
}

const char *m5_job_changed(const m5_job *w)
{
    const m5_archive *a = m5_job_is_member(w) ? w->input->archive : NULL;
    return a != NULL ? m5_bytes_changed(&a->bytes, a->path)
                     : m5_bytes_changed(&w->bytes, w->input->name);
}

void m5_job_free_asset(m5_job *w)
{
    if (w->asset != NULL)
        m5_asset_free(w->asset);
    free(w->asset);
    w->asset = NULL;
}

void m5_job_free(m5_job *w)
{
    m5_job_free_names(w);
    m5_hiding_free(w->hiding);
    m5_job_free_asset(w);
    m5_bytes_free(&w->bytes);
    m5_arena_end(&w->file.arena);
    m5_unreserve(w->memory, w->memory_size);
    free(w->why);
    m5_job_end_turn(w);
    free(w->times);
    *w = (m5_job){.input = w->input};
}
