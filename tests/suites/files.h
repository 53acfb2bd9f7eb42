/* Makes files in memory. Each suite that makes files gets its own copy of these functions. */
#ifndef M5_TEST_FILES_H
#define M5_TEST_FILES_H

#include "lint/lint.h"
#include "parsers/core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file. `target` is its final size, which its counts are made to fit. */
typedef struct file {
    uint8_t *bytes;
    size_t size, target, room;
} file;

static inline void add_bytes(file *f, const void *bytes, size_t count)
{
    if (f->size + count > f->room) {
        f->room = 2 * (f->size + count) + 1000;
        f->bytes = realloc(f->bytes, f->room);
    }
    if (count != 0)
        memcpy(f->bytes + f->size, bytes, count);
    f->size += count;
}

static inline size_t left(const file *f)
{
    return f->size < f->target ? f->target - f->size : 0;
}

/* The largest count of records that fit into the rest of the file after a header that states it. */
static inline unsigned fits(const file *f, size_t bytes)
{
    size_t stated = left(f) > 400 ? 60 : 12;
    return (unsigned)((left(f) > stated ? left(f) - stated : 0) / bytes);
}

static inline void add(file *f, const char *format, ...) M5_PRINTF(2, 3);
static inline void add(file *f, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    add_bytes(f, line, (size_t)n);
}

static inline void repeat(file *f, const char *piece, size_t times)
{
    for (; times > 0; times--)
        add_bytes(f, piece, strlen(piece));
}

/* Repeats a piece until this part of the rest of the file is filled. */
static inline void fill(file *f, const char *piece, double part)
{
    repeat(f, piece, (size_t)((double)left(f) * part) / strlen(piece));
}

/* ---- MD5 ------------------------------------------------------------------------------------- */

static inline void md5mesh_header(file *f, unsigned joints, unsigned meshes)
{
    add(f, "MD5Version 10\ncommandline \"\"\nnumJoints %u\nnumMeshes %u\n", joints, meshes);
}

static inline void md5anim_header(file *f, unsigned frames, unsigned joints, unsigned components)
{
    add(f,
        "MD5Version 10\ncommandline \"\"\nnumFrames %u\nnumJoints %u\nframeRate 24\n"
        "numAnimatedComponents %u\n",
        frames, joints, components);
}

static inline void md5_one_joint(file *f)
{
    add(f, "joints {\n\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n");
}

#endif
