/* How parsing or linting a file ended. */
#ifndef M5_STATUS_H
#define M5_STATUS_H

/* Only the first two leave a model. Later ones are worse. */
typedef enum m5_status {
    M5_CLEAN,     /* every count, index and number in the model is sound: nothing needs a check */
    M5_FLAWED,    /* there were errors; the model holds what could be read, see each format */
    M5_NO_MEMORY, /* the memory was too small */
    M5_NO_FORMAT, /* lint.h and m5_file.h: the format is unknown */
    M5_NO_FILE    /* m5_file.h: the file could not be read, or is too large */
} m5_status;

/* In a flawed model: the parent of a joint or bone where it could not be read or is out of range.
 */
#define M5_BROKEN_PARENT (-2)

#endif
