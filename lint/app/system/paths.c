/* Makes paths whole: see paths.h. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "paths.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Appends the names of a path to one that has `used` bytes; `..` takes the last name away. */
static size_t append(char *whole, size_t used, const char *path)
{
    while (*path != '\0') {
        size_t length = strcspn(path, "/");
        if (length == 2 && memcmp(path, "..", 2) == 0) {
            while (used != 0 && whole[--used] != '/') {
            }
        } else if (length != 0 && !(length == 1 && *path == '.')) {
            whole[used++] = '/';
            memcpy(whole + used, path, length);
            used += length;
        }
        path += length + (path[length] == '/');
    }
    whole[used] = '\0';
    return used;
}

char *m5_path_whole(const char *folder, const char *path)
{
    char *whole = malloc(strlen(folder) + strlen(path) + 3);
    if (whole != NULL)
        append(whole, *path != '/' ? append(whole, 0, folder) : 0, path);
    return whole;
}

char *m5_path_real(const char *whole)
{
    const char *slash = strrchr(whole, '/');
    size_t length = slash != NULL ? (size_t)(slash - whole) : 0;
    char *folder = strndup(whole, length);
    char *real = folder != NULL && length != 0 ? realpath(folder, NULL) : NULL;
    char *path = folder == NULL ? NULL
                 : real == NULL ? strdup(whole)
                                : m5_path_whole(real, slash + 1);
    free(real);
    free(folder);
    return path;
}

char *m5_path_of_member(const char *name, size_t archive)
{
    char *path = strdup(name);
    if (path == NULL)
        return NULL;
    path[archive] = '/';
    for (char *c = path + archive; *c != '\0'; c++)
        if (*c == '\\')
            *c = '/';
    return path;
}

char *m5_path_here(void)
{
    for (size_t size = 4096;; size *= 2) {
        char *folder = malloc(size);
        if (folder == NULL || getcwd(folder, size) != NULL)
            return folder;
        free(folder);
        if (size > 1 << 20)
            return NULL;
    }
}
