/* Lists the declarations of a run and compares them. */
#include "link.h"
#include "link_state.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/number.h"

/* ---- Lists -------------------------------------------------------------------------------------
 */

static uint32_t count_records(const m5_def_game *game, uint32_t (*of)(const m5_def *def))
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < game->num_defs; i++)
        count += of(game->defs[i]->model.def);
    return count;
}

static uint32_t models_of(const m5_def *def)
{
    return def->num_models;
}

static uint32_t entities_of(const m5_def *def)
{
    return def->num_entities;
}

static uint32_t anims_of(const m5_def *def)
{
    return def->num_anims;
}

static uint32_t count_joints(const m5_def_game *game)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < game->num_assets; i++)
        count += game->assets[i].num_joints;
    return count;
}

/* At least as many entries of channels as a model has. */
static uint32_t most_entries(const m5_def_game *game)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < game->num_defs; i++) {
        uint32_t entries = game->defs[i]->model.def->num_joints;
        most = entries > most ? entries : most;
    }
    return most;
}

size_t m5_def_link_memory(const m5_def_game *game)
{
    size_t models = count_records(game, models_of), entities = count_records(game, entities_of);
    size_t anims = count_records(game, anims_of);
    return 65536 + models * (sizeof(m5_def_linked_model) + 16) +
           entities * (sizeof(m5_def_linked_entity) + 16) +
           anims * (sizeof(m5_def_place) + sizeof(uint32_t)) +
           game->num_assets * (4 * sizeof(uint32_t) + sizeof(uint64_t)) +
           2 * sizeof(uint32_t) * (size_t)count_joints(game) + 40 * (size_t)most_entries(game);
}

static void *take(m5_def_link_state *s, size_t count, size_t size)
{
    return m5_arena_take(&s->arena, count, size);
}

static void list_models(m5_def_link_state *s)
{
    for (uint32_t file = 0; file < s->game->num_defs; file++) {
        const m5_def *def = s->game->defs[file]->model.def;
        for (uint32_t i = 0; i < def->num_models; i++) {
            uint32_t model = s->num_models++;
            s->models[model] = (m5_def_linked_model){
                .at = {file, i}, .parent = M5_DEF_NOTHING, .mesh = M5_DEF_NOTHING};
            for (uint32_t k = def->models[i].first_anim; k < def->models[i + 1].first_anim; k++)
                s->anims[s->num_anims++] = (m5_def_place){model, k};
        }
        for (uint32_t i = 0; i < def->num_entities; i++) {
            uint32_t entity = s->num_entities++;
            s->entities[entity] = (m5_def_linked_entity){.at = {file, i}};
        }
    }
}

void m5_def_link(const m5_def_game *game, void *memory)
{
    m5_def_link_state s = {.game = game};
    for (uint32_t i = 0; i < game->num_assets; i++) {
        game->assets[i].used = false;
        game->assets[i].declared = (m5_declared){0};
    }
    uint32_t models = count_records(game, models_of), entities = count_records(game, entities_of);
    m5_arena_init(&s.arena, memory, m5_def_link_memory(game));
    s.models = take(&s, models, sizeof *s.models);
    s.models_by_name = take(&s, models, sizeof *s.models_by_name);
    s.stamps = take(&s, models, sizeof *s.stamps);
    s.entities = take(&s, entities, sizeof *s.entities);
    s.entities_by_name = take(&s, entities, sizeof *s.entities_by_name);
    s.anims = take(&s, count_records(game, anims_of), sizeof *s.anims);
    s.anims_by_name = take(&s, count_records(game, anims_of), sizeof *s.anims_by_name);
    s.assets_by_path = take(&s, game->num_assets, sizeof *s.assets_by_path);
    s.assets_by_folder = take(&s, game->num_assets, sizeof *s.assets_by_folder);
    s.first_joint = take(&s, game->num_assets, sizeof *s.first_joint);
    s.joints_hash = take(&s, game->num_assets, sizeof *s.joints_hash);
    s.meshes = take(&s, game->num_assets, sizeof *s.meshes);
    s.joints = take(&s, count_joints(game), sizeof *s.joints);
    s.joint_ends = take(&s, count_joints(game), sizeof *s.joint_ends);
    list_models(&s);
    m5_def_sort_names(&s);
    m5_def_sort_assets(&s);
    m5_def_sort_joints(&s);
    m5_def_sort_anims(&s);
    m5_def_link_models(&s);
    m5_def_link_entities(&s);
    m5_def_check_doubles(&s);
    m5_def_check_models(&s);
    m5_def_mark_idle(&s);
    m5_def_check_entities(&s);
    m5_def_check_missing(&s);
    m5_arena_end(&s.arena);
}
