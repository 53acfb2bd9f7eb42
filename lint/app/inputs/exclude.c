/* Matches paths in folders and archives with the patterns of --exclude. */
#include "exclude.h"
#include "lint/app/system/paths.h"
#include "lint/core/glob.h"

#include <stdlib.h>
#include <string.h>

bool m5_is_excluded(const m5_inputs *inputs, const char *path, size_t below, bool folder)
{
    for (size_t i = 0; i < inputs->num_exclude; i++)
        if (m5_glob_matches(inputs->exclude[i], path, folder) ||
            (strlen(path) > below && m5_glob_matches(inputs->exclude[i], path + below, folder)))
            return true;
    return inputs->excludes != NULL && inputs->excludes(inputs->user, path, folder);
}

/* The path's last name begins with a point, and there is more of it. */
static bool is_hidden(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash[1] == '.' && slash[2] != '\0';
}

/* Looks at each folder from the archive on, and at the member. */
static bool is_left_out(m5_inputs *inputs, const m5_input *archive, char *path, size_t at)
{
    for (bool folder = true; folder;) {
        char *end = path + at + 1 + strcspn(path + at + 1, "/");
        folder = *end == '/';
        *end = '\0';
        if (is_hidden(path))
            return true;
        if (m5_is_excluded(inputs, path, archive->below, folder)) {
            inputs->left_out = true;
            return true;
        }
        if (folder)
            *end = '/';
        at = (size_t)(end - path);
    }
    return false;
}

bool m5_is_member_excluded(m5_inputs *inputs, const m5_input *archive, const char *name, bool *room)
{
    size_t at = strlen(archive->name);
    char *path = m5_path_of_member(name, at);
    if (path == NULL) {
        *room = false;
        return true;
    }
    bool left_out = is_left_out(inputs, archive, path, at);
    free(path);
    return left_out;
}
