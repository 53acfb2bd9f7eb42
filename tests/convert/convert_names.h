/* Bone names that fit a format. */
#ifndef CONVERT_NAMES_H
#define CONVERT_NAMES_H

#include "convert_bytes.h"

/* Returns a name that fits into `room` bytes with its NUL, to be freed. Anything but ASCII letters,
 * digits and punctuation becomes _; so do spaces, unless they are allowed. An empty name becomes _.
 */
char *name_of(const m5_source *from, m5_name name, size_t room, bool blanks);

/* The names of all joints. */
typedef struct names {
    char *text; /* one every `room` bytes, ended by NUL */
    size_t room;
} names;

/* Each name gets `room` bytes; 0: as many as the longest needs. Ends the program if two names
 * become equal. */
names names_of(const m5_md5mesh *m, size_t room, bool blanks);
const char *name_at(const names *n, uint32_t i);
void names_free(names *n);

#endif
