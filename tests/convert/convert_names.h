/* Names, as a format can hold them. */
#ifndef CONVERT_NAMES_H
#define CONVERT_NAMES_H

#include "convert_bytes.h"

/* One name, cut to fit in `room` bytes with its NUL, and with _ for what is no ASCII letter, digit
 * or sign, for blanks unless these are welcome, and for no name at all. To be freed. */
char *name_of(const m5_source *from, m5_name name, size_t room, bool blanks);

/* All joints' names: one every `room` bytes, ended by NUL. */
typedef struct names {
    char *text; /* one every `room` bytes, ended by NUL */
    size_t room;
} names;

/* In `room` bytes each; 0: as many as the longest takes. Ends the program when two come out the
 * same. */
names names_of(const m5_md5mesh *m, size_t room, bool blanks);
const char *name_at(const names *n, uint32_t i);
void names_free(names *n);

#endif
