/* Reads lists of files. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "file_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Removes what ends an entry; Windows writes lines with a carriage return. */
static void cut(char *entry, size_t length, int end)
{
    if (length != 0 && entry[length - 1] == end)
        entry[--length] = '\0';
    if (length != 0 && end == '\n' && entry[length - 1] == '\r')
        entry[--length] = '\0';
}

bool m5_file_list_read_open(FILE *in, int end, m5_entry take, void *user, const char **error)
{
    char *entry = NULL;
    size_t size = 0;
    ssize_t length;
    bool room = true;
    errno = 0;
    while (room && *error == NULL && (length = getdelim(&entry, &size, end, in)) > 0) {
        if (end == '\n' && memchr(entry, '\0', (size_t)length) != NULL)
            *error = "a line has a NUL; for a list whose entries end with NUL, give -0";
        cut(entry, (size_t)length, end);
        room = *error != NULL || *entry == '\0' || take(user, entry);
    }
    if (room && *error == NULL && !feof(in))
        *error = strerror(errno);
    free(entry);
    return room;
}

bool m5_file_list_read(const char *path, bool nul, m5_entry take, void *user, const char **error)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "r");
    *error = NULL;
    if (in == NULL) {
        *error = strerror(errno);
        return true;
    }
    bool room = m5_file_list_read_open(in, nul ? '\0' : '\n', take, user, error);
    if (!standard)
        fclose(in);
    return room;
}
