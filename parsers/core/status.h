/* How a parse ended, and what every flawed model has. */
#ifndef M5_STATUS_H
#define M5_STATUS_H

typedef enum m5_status {
    M5_CLEAN,     /* the model may be walked without one check */
    M5_FLAWED,    /* there were errors; the model holds what could be read, see each format */
    M5_NO_MEMORY, /* the arena was too small; there is no model */
    M5_NO_FORMAT, /* lint: the bytes are in no format that has a parser; there is no model */
    M5_NO_FILE    /* m5_file: it could not be read; there is no model */
} m5_status;

/* In a flawed model: a parent that could not be read or is out of range. */
#define M5_BROKEN_PARENT (-2)

#endif
