/* Reads lists of files. */
#define _FILE_OFFSET_BITS 64

#include "file_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any path that a system opens. */
enum { ENTRY_MOST = 65536 };

/* Reads an entry, without what ends it; Windows writes lines with a carriage return. False at the
 * end of the list, or with an error. */
static bool read_entry(FILE *in, int end, char *entry, const char **error)
{
    size_t length = 0;
    int c = getc(in);
    if (c == EOF)
        return false;
    for (; c != EOF && c != end && *error == NULL; c = getc(in)) {
        if (c == '\0')
            *error = "a line has a NUL; for a list whose entries end with NUL, give -0";
        if (length == ENTRY_MOST)
            *error = "an entry has over 65,536 bytes";
        else
            entry[length++] = (char)c;
    }
    if (end == '\n' && length != 0 && entry[length - 1] == '\r')
        length--;
    if (end == '\0' && length == 0 && *error == NULL)
        *error = "an entry is empty";
    entry[length] = '\0';
    return *error == NULL && !ferror(in);
}

bool m5_file_list_read_open(FILE *in, int end, m5_entry take, void *user, const char **error)
{
    char *entry = malloc(ENTRY_MOST + 1);
    bool room = entry != NULL;
    errno = 0;
    while (room && read_entry(in, end, entry, error))
        room = *entry == '\0' || take(user, entry);
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
