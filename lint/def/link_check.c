/* Compares models with the files that they name: meshes and animations. */
#include "def_names.h"
#include "link_state.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/def/def_lex.h"

#include <string.h>

typedef struct work {
    m5_def_link_state *s;
    m5_lint_file *f;
    const m5_def *def;
    uint32_t model; /* the linked model, and its number in the file */
    uint32_t number;
} work;

static m5_diag found(const work *w, const m5_rule *rule, m5_span at, uint32_t anim)
{
    m5_diag d = m5_found(rule, at);
    d.path = m5_def_anim_path(w->f, w->number, anim);
    return d;
}

/* ---- Files -------------------------------------------------------------------------------------
 */

static void say_named(const work *w, uint32_t asset)
{
    if (w->s->game->named != NULL)
        w->s->game->named(w->s->game->user, w->s->models[w->model].at.file, asset);
}

/* Finds a file, and reports if its name is in another case. */
static uint32_t find_file(const work *w, m5_name path, uint32_t anim)
{
    m5_def_name name = {&w->f->source, path};
    uint32_t asset = m5_def_find_asset(w->s, name);
    if (!m5_def_is_known(asset))
        return asset;
    m5_def_asset *a = &w->s->game->assets[asset];
    a->used = true;
    say_named(w, asset);
    m5_diag d = found(w, M5_LINT_ROW(def_file_case), path, anim);
    if (!a->packed && m5_def_is_other_case(a, name))
        m5_emit(&w->f->report, &d, 0, "the file is '%s': upper and lower case differ", a->path);
    return asset;
}

/* Only its own; an inherited mesh is checked where it is named. */
static void check_lines(const work *w)
{
    const m5_def_model *m = &w->def->models[w->number];
    for (uint32_t i = m->first_line; i < m[1].first_line; i++) {
        const m5_def_line *line = &w->def->lines[i];
        m5_def_name name = {&w->f->source, line->name};
        if (line->kind == M5_DEF_MESH)
            find_file(w, line->name, M5_NO_INDEX);
        bool inherits = m5_def_is_known(w->s->models[w->model].parent);
        if (line->kind != M5_DEF_REMOVE || !inherits || m5_def_has_anim(w->s, w->model, name, true))
            continue;
        m5_diag d = found(w, M5_LINT_ROW(def_remove_unknown), line->name, M5_NO_INDEX);
        m5_emit(&w->f->report, &d, 0, "the inherited model has no animation '%.*s' to remove",
                M5_CHECK_NAME(w->f, line->name));
    }
}

/* ---- Frames ------------------------------------------------------------------------------------
 */

/* The length that Doom 3 gives an animation, in milliseconds (idMD5Anim::LoadAnim). */
static uint64_t length_of(const m5_def_asset *a)
{
    return ((uint64_t)(a->num_frames - 1) * 1000 + a->frame_rate - 1) / a->frame_rate;
}

static void check_length(const work *w, uint32_t anim, const m5_def_asset *first,
                         const m5_def_asset *other, m5_name path)
{
    if (first->num_frames == 0 || other->num_frames == 0 || first->frame_rate == 0 ||
        other->frame_rate == 0 || length_of(first) == length_of(other))
        return;
    m5_diag d = found(w, M5_LINT_ROW(def_anim_length), path, anim);
    m5_relate(&d, &w->f->source, w->def->files[w->def->anims[anim].first_file], "the first file");
    m5_emit(&w->f->report, &d, 0,
            "the file has %u frames at %u a second, the first file of the animation %u at %u",
            other->num_frames, other->frame_rate, first->num_frames, first->frame_rate);
}

static void check_frame(const work *w, uint32_t anim, const m5_def_command *c,
                        const m5_def_asset *first)
{
    if (first->num_frames == 0 || c->frame <= 0 || (uint32_t)c->frame <= first->num_frames)
        return;
    m5_diag d = found(w, M5_LINT_ROW(def_frame_range), c->frame_at, anim);
    m5_relate(&d, &w->f->source, w->def->files[w->def->anims[anim].first_file], "its file");
    m5_emit(&w->f->report, &d, 0, "frame %d is past the end: the animation has %u frames", c->frame,
            first->num_frames);
}

/* ---- Joints ------------------------------------------------------------------------------------
 */

/* The joint that a command names: its first argument. */
static void check_command(const work *w, uint32_t anim, const m5_def_command *c)
{
    static const char *const commands[] = {"muzzle_flash", "create_missile", "launch_missile",
                                           "fire_missile_at_target"};
    uint32_t mesh = w->s->models[w->model].mesh;
    bool names_joint = false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        names_joint |= m5_def_is(&w->f->source, c->name, commands[i]);
    if (!names_joint || c->arguments.length == 0 || !m5_def_is_known(mesh) ||
        w->s->game->assets[mesh].num_joints == 0)
        return;
    m5_name joint = m5_def_scan(&w->f->source, c->arguments.offset).text;
    m5_def_name name = {&w->f->source, joint};
    if (joint.length == 0 || m5_def_find_joint(w->s, mesh, name) != M5_DEF_NOTHING)
        return;
    m5_diag d = found(w, M5_LINT_ROW(def_joint_unknown), joint, anim);
    m5_emit(&w->f->report, &d, M5_GRAVE, "the mesh '%s' has no joint '%.*s'",
            w->s->game->assets[mesh].path, M5_CHECK_NAME(w->f, joint));
}

/* Whether the model's declaration comes before another one. All of a game come in order. */
static bool is_before(const work *w, m5_name path, const m5_declared *other)
{
    int order = strcmp(w->f->source.name, other->source->name);
    return order != 0 ? order < 0 : path.offset < other->path.offset;
}

/* Notes which model plays an animation. */
static void declare(const work *w, uint32_t asset, m5_name path)
{
    m5_def_asset *file = &w->s->game->assets[asset];
    const m5_def_linked_model *m = &w->s->models[w->model];
    m5_declared *d = &file->declared;
    if (!m5_def_is_known(m->mesh))
        return;
    uint32_t base = w->s->game->assets[m->mesh].number;
    bool shared = d->shared || m->varied || (d->source != NULL && d->base != base);
    bool first = d->source == NULL || (!w->s->game->complete && is_before(w, path, d));
    if (first) {
        w->s->meshes[asset] = m->mesh;
        *d = (m5_declared){&w->f->source, path, w->def->models[w->number].name, base, false, false};
    }
    d->shared = shared;
}

static void check_anim(const work *w, uint32_t anim)
{
    static const m5_def_asset unknown;
    const m5_def_anim *a = &w->def->anims[anim];
    const m5_def_asset *first = &unknown;
    for (uint32_t i = 0; i < a->num_files; i++) {
        m5_name path = w->def->files[a->first_file + i];
        uint32_t asset = find_file(w, path, anim);
        if (!m5_def_is_known(asset))
            continue;
        m5_def_asset *file = &w->s->game->assets[asset];
        declare(w, asset, path);
        if (i == 0)
            first = file;
        else
            check_length(w, anim, first, file, path);
    }
    for (uint32_t i = a->first_command; i < a[1].first_command; i++) {
        check_frame(w, anim, &w->def->commands[i], first);
        check_command(w, anim, &w->def->commands[i]);
    }
}

/* ---- Another mesh than the inherited one
 * --------------------------------------------------------- */

/* Doom 3 does not compare inherited animations with the mesh of the model that inherits them. */
static void check_inherited(const work *w)
{
    const m5_def_linked_model *m = &w->s->models[w->model];
    uint32_t inherited = m5_def_is_known(m->parent) ? w->s->models[m->parent].mesh : m->mesh;
    if (inherited == m->mesh || !m5_def_is_known(inherited) || !m5_def_is_known(m->mesh))
        return;
    const m5_def_asset *a = &w->s->game->assets[inherited], *b = &w->s->game->assets[m->mesh];
    bool same = w->s->joints_hash[inherited] == w->s->joints_hash[m->mesh];
    if (a->num_joints == 0 || b->num_joints == 0 || same)
        return;
    uint32_t line = w->def->models[w->number + 1].first_line;
    while (w->def->lines[line - 1].kind != M5_DEF_MESH)
        line--;
    m5_diag d = found(w, M5_LINT_ROW(def_model_joints), w->def->lines[line - 1].name, M5_NO_INDEX);
    m5_emit(&w->f->report, &d, 0,
            "the mesh has other joints than the inherited '%s', whose animations are inherited too",
            a->path);
}

/* ---- Several models that play an animation ------------------------------------------------------
 */

/* An animation is only compared with the mesh of the first model that plays it: so are the others,
 * as far as their meshes have other joints than that one. */
static void check_other_mesh(const work *w, uint32_t anim)
{
    const m5_def_anim *a = &w->def->anims[anim];
    const m5_def_asset *assets = w->s->game->assets;
    const uint64_t *hash = w->s->joints_hash;
    uint32_t mesh = w->s->models[w->model].mesh;
    for (uint32_t i = 0; m5_def_is_known(mesh) && i < a->num_files; i++) {
        m5_name path = w->def->files[a->first_file + i];
        uint32_t asset = m5_def_find_asset(w->s, (m5_def_name){&w->f->source, path});
        if (!m5_def_is_known(asset) || assets[asset].num_joints == 0 ||
            assets[mesh].num_joints == 0 || hash[mesh] == hash[asset] ||
            hash[mesh] == hash[w->s->meshes[asset]])
            continue;
        const m5_declared *first = &assets[asset].declared;
        m5_diag d = found(w, M5_LINT_ROW(def_anim_joints), path, anim);
        m5_relate(&d, first->source, first->path, "it is compared with the mesh of this model");
        m5_emit(&w->f->report, &d, 0, "the animation has other joints than the model's mesh '%s'",
                assets[mesh].path);
    }
}

void m5_def_check_models(m5_def_link_state *s)
{
    for (uint32_t i = 0; i < s->num_models; i++) {
        m5_lint_file *f = m5_def_file(s, s->models[i].at);
        work w = {s, f, f->model.def, i, s->models[i].at.number};
        const m5_def_model *m = &w.def->models[w.number];
        if (m5_def_is_known(s->models[i].mesh))
            say_named(&w, s->models[i].mesh); /* an inherited one, too */
        check_lines(&w);
        check_inherited(&w);
        m5_def_check_channels(s, i);
        for (uint32_t k = m->first_anim; k < m[1].first_anim; k++)
            check_anim(&w, k);
    }
    for (uint32_t i = 0; i < s->num_models; i++) {
        m5_lint_file *f = m5_def_file(s, s->models[i].at);
        work w = {s, f, f->model.def, i, s->models[i].at.number};
        for (uint32_t k = w.def->models[w.number].first_anim;
             k < w.def->models[w.number + 1].first_anim; k++)
            check_other_mesh(&w, k);
    }
}

/* ---- Files that are missing --------------------------------------------------------------------
 */

static void check_missing(const work *w, m5_name path, uint32_t anim, const char *what)
{
    static const double certain = 3;
    enum { SHOWN = 128 };
    m5_def_name name = {&w->f->source, path};
    if (m5_def_find_asset(w->s, name) != M5_DEF_NOTHING)
        return;
    bool sure;
    const m5_def_asset *meant = m5_def_similar_asset(w->s, name, &sure);
    double measure = sure ? M5_GRAVE : M5_MILD;
    char more[SHOWN] = "";
    if (meant != NULL) {
        const char *slash = strrchr(meant->path, '/'),
                   *file = slash != NULL ? slash + 1 : meant->path;
        m5_check_print(more, sizeof more, "; a file of a similar name is '%.*s'", (int)strlen(file),
                       file);
    }
    m5_diag d = found(w, M5_LINT_ROW(def_file_missing), path, anim);
    m5_emit(&w->f->report, &d, w->s->game->complete ? certain : measure, "there is no %s '%.*s'%s",
            what, M5_CHECK_NAME(w->f, path), more);
}

static void check_all_missing(const work *w)
{
    const m5_def_model *m = &w->def->models[w->number];
    for (uint32_t i = m->first_line; i < m[1].first_line; i++)
        if (w->def->lines[i].kind == M5_DEF_MESH)
            check_missing(w, w->def->lines[i].name, M5_NO_INDEX, "mesh");
    for (uint32_t i = m->first_anim; i < m[1].first_anim; i++) {
        const m5_def_anim *a = &w->def->anims[i];
        for (uint32_t k = 0; k < a->num_files; k++)
            check_missing(w, w->def->files[a->first_file + k], i, "animation");
    }
}

void m5_def_check_missing(m5_def_link_state *s)
{
    for (uint32_t i = 0; i < s->num_models; i++) {
        m5_lint_file *f = m5_def_file(s, s->models[i].at);
        check_all_missing(&(work){s, f, f->model.def, i, s->models[i].at.number});
    }
}
