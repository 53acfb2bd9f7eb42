/* Paths as text: see paths.h. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "paths.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        if (errno == ENOENT) /* it was removed: nothing is in it */
            return strdup("/");
        if (size > 1 << 20)
            return NULL;
    }
}

/* Whether a path goes on with a name that says nothing: `.`, or none between two slashes. Returns
 * how long that is, with its slash. */
static size_t idle_length(const char *at)
{
    if (*at == '/')
        return 1;
    if (*at == '.' && (at[1] == '/' || at[1] == '\0'))
        return at[1] == '/' ? 2 : 1;
    return 0;
}

/* The first character that is not a blank of any script: GitHub's runner passes over all of them.
 */
static const char *skip_blanks(const char *name)
{
    static const char *const blanks[] = {"\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80",
                                         "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf",
                                         "\xe2\x81\x9f", "\xe3\x80\x80"};
    for (bool more = true; more;) {
        const char *begin = name;
        name += strspn(name, " \t\n\v\f\r");
        if (strncmp(name, "\xe2\x80", 2) == 0 && (uint8_t)name[2] >= 0x80 &&
            (uint8_t)name[2] <= 0x8a)
            name += 3; /* U+2000 to U+200A */
        for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
            if (strncmp(name, blanks[i], strlen(blanks[i])) == 0)
                name += strlen(blanks[i]);
        more = name != begin;
    }
    return name;
}

bool m5_path_is_risky(const char *name)
{
    return *name == '-' || strncmp(skip_blanks(name), "::", 2) == 0;
}

char *m5_path_clean(const char *path)
{
    size_t length = strlen(path), used = 0, idle;
    char *name = malloc(length + 3);
    if (name == NULL)
        return NULL;
    if (*path == '/')
        name[used++] = *path++;
    size_t root = used;
    while (*path != '\0') {
        if ((idle = idle_length(path)) != 0) {
            path += idle;
            continue;
        }
        while (*path != '\0' && *path != '/')
            name[used++] = *path++;
        if (*path == '/')
            name[used++] = *path++;
    }
    used -= used > root && name[used - 1] == '/'; /* a folder's */
    name[used] = '\0';
    if (used == 0 && length != 0)
        memcpy(name, ".", 2);
    if (m5_path_is_risky(name)) {
        memmove(name + 2, name, used + 1);
        memcpy(name, "./", 2);
    }
    return name;
}
