/* The directory of an archive: zip (pk4, pk3, dpk, kpf) and Quake's pak. Format texts:
 * APPNOTE 6.3.10 by PKWARE for zip; for pak the released source of Quake.
 *
 * Nothing is unpacked here: the model says where the data of each member is, and the parser has
 * checked that it is there. m5_member_read (lint.h) reads it. */
#ifndef M5_PACK_H
#define M5_PACK_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"

M5_BEGIN_C

/* Sizes of the formats' structures in bytes, without names and other parts of any length. */
enum {
    M5_ZIP_END = 22,
    M5_ZIP_END64 = 56,
    M5_ZIP_LOCATOR = 20,
    M5_ZIP_ENTRY = 46, /* in the directory */
    M5_ZIP_LOCAL = 30, /* the header before a member's data */
    M5_PAK_HEADER = 12,
    M5_PAK_ENTRY = 64, /* name[56], offset, size */
    M5_PAK_NAME = 56,
    M5_PACK_MAX_NAME = 255
};

/* How data is compressed. Members with another method are M5_PACK_REFUSED. */
enum { M5_PACK_STORED = 0, M5_PACK_DEFLATED = 8 };

typedef enum m5_pack_state {
    M5_PACK_READABLE, /* the data can be read */
    M5_PACK_FOLDER,   /* an entry for a folder, which has no data */
    M5_PACK_SAME,     /* of a pak: the data is that of another member, which is readable */
    M5_PACK_REFUSED   /* it cannot be read, which was reported */
} m5_pack_state;

/* `begin` and `end` are those of the member in the file, with its local header and data descriptor;
 * both are 0 if that is unknown. The data is from `at` on. */
typedef struct m5_pack_member {
    uint32_t entry; /* the offset of its entry in the directory */
    m5_span name;   /* bytes as they are in the directory, mostly UTF-8 */
    uint32_t begin, end;
    uint32_t at, packed; /* the data, and how many bytes it has here */
    uint32_t crc;        /* of the unpacked data; 0 in a pak */
    uint64_t size;       /* unpacked */
    uint16_t method, flags;
    m5_pack_state state;
} m5_pack_member;

/* Clean: no member is M5_PACK_REFUSED. Readable members are stored or deflated and, in a clean or
 * flawed archive, lie inside the file and overlap neither each other nor the directory; their names
 * are not empty, have no NUL and lead to no place outside the archive. A stored member has `packed`
 * == `size`. What the data is has not been checked. Two members may have the same name. */
typedef struct m5_pack {
    const m5_source *source;
    bool zip;       /* otherwise a pak */
    bool recovered; /* the directory is missing: these are the members that were found without it */
    uint32_t num_members;
    const m5_pack_member *members; /* in the order of the directory */
} m5_pack;

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_pack_parse(m5_report *report, m5_arena *arena, const m5_pack **out);

M5_END_C

#endif
