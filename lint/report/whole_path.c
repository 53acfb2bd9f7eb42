/* Makes paths whole: see whole_path.h. */
#include "whole_path.h"

#include <stdlib.h>
#include <string.h>

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
