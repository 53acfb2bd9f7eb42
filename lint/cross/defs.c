/* Compares the declarations among the files of a group with each other and with its meshes and
 * animations. */
#include "cross.h"
#include "lint/def/link.h"
#include "parsers/core/allocate.h"

/* The arena with most room of all. */
static m5_arena *roomiest(m5_lint_file *const *files, size_t count)
{
    m5_arena *best = &files[0]->arena;
    for (size_t i = 1; i < count; i++) {
        m5_arena *a = &files[i]->arena;
        if (a->size - a->used - a->kept > best->size - best->used - best->kept)
            best = a;
    }
    return best;
}

/* Lists the files; false without memory. */
static bool list_files(m5_def_game *game, m5_arena *room, m5_lint_file *const *files, size_t count)
{
    m5_lint_file **defs = m5_arena_take(room, count, sizeof *defs);
    game->assets = m5_arena_take(room, count, sizeof *game->assets);
    game->defs = defs;
    if (defs == NULL || game->assets == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (files[i]->model.def != NULL)
            defs[game->num_defs++] = files[i];
        else if (m5_def_asset_of(&game->assets[game->num_assets], files[i]))
            game->assets[game->num_assets++].number = (uint32_t)i;
    }
    return true;
}

void m5_check_cross_defs(m5_lint_file *const *files, size_t count, m5_declared *declared)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        declared[i] = (m5_declared){.source = NULL};
        any |= files[i]->model.def != NULL;
    }
    if (!any)
        return;
    m5_arena *room = roomiest(files, count);
    size_t mark = room->used;
    m5_def_game game = {.complete = false};
    if (list_files(&game, room, files, count)) {
        void *memory = m5_arena_take(room, 1, m5_def_link_memory(&game));
        if (memory != NULL)
            m5_def_link(&game, memory);
        for (uint32_t i = 0; memory != NULL && i < game.num_assets; i++)
            declared[game.assets[i].number] = game.assets[i].declared;
    }
    m5_arena_release(room, mark);
}
