/* Turns arguments, and the entries of lists, into inputs. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "arguments.h"
#include "file_list.h"
#include "tree.h"
#include "lint/app/system/paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A folder counts as empty only if nothing that was given has a model: see m5_inputs_finish. */
static bool add_folder(m5_inputs *inputs, char *path)
{
    size_t before = inputs->count;
    inputs->searched = true;
    if (!m5_tree_walk(inputs, path)) {
        free(path);
        return false;
    }
    if (inputs->count == before)
        return m5_inputs_put(
            inputs,
            (m5_input){.name = path, .is_empty = true, .error = "this folder has no models"});
    free(path);
    return true;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool add_file(m5_inputs *inputs, char *path)
{
    size_t length = path != NULL ? strlen(path) : 0;
    return m5_inputs_put(inputs, (m5_input){.name = path, .below = length + 1});
}

static bool add_argument(m5_inputs *inputs, const char *argument)
{
    if (strcmp(argument, "-") == 0) {
        const char *given = inputs->stdin_name;
        char *name = given != NULL ? m5_path_clean(given) : strdup("-");
        size_t length = name != NULL ? strlen(name) : 0;
        return m5_inputs_put(inputs,
                             (m5_input){.name = name, .below = length + 1, .is_stdin = true});
    }
    char *path = m5_path_clean(argument);
    if (path != NULL && is_folder(path))
        return add_folder(inputs, path);
    return add_file(inputs, path);
}

static void set_named(m5_inputs *inputs, size_t first)
{
    for (size_t i = first; i < inputs->count; i++)
        inputs->list[i].is_named = true;
}

bool m5_inputs_add(m5_inputs *inputs, const char *argument)
{
    size_t first = inputs->count;
    bool room = add_argument(inputs, argument);
    set_named(inputs, first);
    return room;
}

bool m5_inputs_add_game(m5_inputs *inputs, const char *folder)
{
    size_t first = inputs->count;
    char *path = m5_path_clean(folder);
    inputs->num_games++;
    inputs->searched = true;
    if (path != NULL && !is_folder(path))
        return m5_inputs_put(inputs, (m5_input){.name = path, .error = "this is no folder"});
    if (path == NULL || !add_folder(inputs, path))
        return false;
    for (size_t i = first; i < inputs->count; i++) {
        m5_input *input = &inputs->list[i];
        input->game = inputs->num_games;
        input->game_path = input->error == NULL ? input->name + input->below : NULL;
    }
    return true;
}

/* A file that is missing or a model, or a folder. */
static bool add_listed(void *user, const char *entry)
{
    m5_inputs *inputs = user;
    char *path = m5_path_clean(entry);
    struct stat status;
    if (path == NULL)
        return false;
    if (is_folder(path))
        return add_folder(inputs, path);
    if (stat(path, &status) == 0 && !m5_tree_wants(path)) {
        free(path);
        return true;
    }
    return add_file(inputs, path);
}

bool m5_inputs_add_list(m5_inputs *inputs, const char *path, bool nul)
{
    const char *error;
    size_t first = inputs->count;
    inputs->searched = true;
    if (!m5_file_list_read(path, nul, add_listed, inputs, &error))
        return false;
    set_named(inputs, first);
    return error == NULL || m5_inputs_put(inputs, (m5_input){.name = strdup(path), .error = error});
}
