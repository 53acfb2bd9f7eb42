/* Walks through folders. Each is closed before one below it is opened, so that no depth needs many
 * open files. */
#define _DEFAULT_SOURCE /* d_type */
#define _FILE_OFFSET_BITS 64

#include "tree.h"
#include "exclude.h"
#include "lint/app/system/paths.h"
#include "parsers/formats.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef struct walk {
    m5_inputs *inputs;
    size_t below;   /* the length of the path given, with its slash; 0 for `.` */
    char **folders; /* still to be read */
    size_t num, room;
} walk;

bool m5_tree_wants(const char *path)
{
    const char *dot = strrchr(path, '.');
    return m5_format_by_name(path) != NULL && strcasecmp(dot, ".zip") != 0;
}

/* What is in the current folder needs no `./`, unless its name is a risky one. */
static char *join(const char *folder, const char *name)
{
    bool is_whole = strcmp(folder, ".") == 0 && !m5_path_is_risky(name);
    size_t length = is_whole ? 0 : strlen(folder), more = strlen(name) + 1;
    char *path = malloc(length + more + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, folder, length);
    if (length != 0 && folder[length - 1] != '/')
        path[length++] = '/';
    memcpy(path + length, name, more);
    return path;
}

static bool push(walk *w, char *path)
{
    if (w->num == w->room) {
        size_t room = w->room != 0 ? 2 * w->room : 16;
        char **folders = realloc(w->folders, room * sizeof *folders);
        if (folders == NULL) {
            free(path);
            return false;
        }
        w->folders = folders;
        w->room = room;
    }
    w->folders[w->num++] = path;
    return true;
}

static bool is_folder(const struct dirent *entry, const char *path)
{
    struct stat status;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_link_to_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_archive(const char *path)
{
    const m5_format *format = m5_format_by_name(path);
    return format != NULL && m5_format_bit(format) == M5_IN_PACK;
}

/* How much of a path is not below the folder that was given. */
static size_t above(const walk *w, const char *path)
{
    return w->below == 0 && strncmp(path, "./", 2) == 0 ? 2 : w->below;
}

static bool add_entry(walk *w, const char *in, const struct dirent *entry)
{
    char *path = join(in, entry->d_name);
    if (path == NULL)
        return false;
    size_t below = above(w, path);
    bool folder = is_folder(entry, path);
    bool wanted = folder || (m5_tree_wants(path) && !is_link_to_folder(path));
    bool like_folder = folder || is_archive(path); /* an archive may be meant as one */
    if (wanted && !m5_is_excluded(w->inputs, path, below, like_folder))
        return folder ? push(w, path)
                      : m5_inputs_put(w->inputs, (m5_input){.name = path, .below = below});
    w->inputs->left_out |= wanted;
    free(path);
    return true;
}

static bool report(walk *w, const char *folder)
{
    const char *error = strerror(errno);
    return m5_inputs_put(w->inputs, (m5_input){.name = strdup(folder), .error = error});
}

static bool read_folder(walk *w, const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool room = true;
    if (folder == NULL)
        return report(w, path);
    while (errno = 0, room && (entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.')
            room = add_entry(w, path, entry);
    if (room && errno != 0)
        room = report(w, path);
    closedir(folder);
    return room;
}

bool m5_tree_walk(m5_inputs *inputs, const char *folder)
{
    size_t length = strcmp(folder, ".") == 0 ? 0 : strlen(folder);
    walk w = {.inputs = inputs, .below = length + (length != 0 && folder[length - 1] != '/')};
    bool room = read_folder(&w, folder);
    while (w.num != 0) {
        char *next = w.folders[--w.num];
        room = room && read_folder(&w, next);
        free(next);
    }
    free(w.folders);
    return room;
}
