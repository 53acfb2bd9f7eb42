/* The state of a parse of an archive, and the functions that the parser's files share. */
#ifndef M5_PACK_STATE_H
#define M5_PACK_STATE_H

#include "pack.h"
#include "../core/cursor.h"

typedef struct m5_pack_parser {
    m5_report *report;
    m5_arena *arena;
    const m5_source *source;
    m5_pack *model;
    m5_pack_member *members; /* of the model */
    uint32_t room;           /* for members */
    uint64_t flaws;          /* of the report before */
    uint32_t data, data_end; /* where members may be */
    m5_span directory;       /* of a pak, which may be among them */
    uint32_t checked_to;     /* up to here, extra fields of local headers were checked */
    bool out_of_memory;
} m5_pack_parser;

/* ---- What all files use ---- */

/* Takes memory for as many members as fit into `bytes`, if each has at least `least`. */
bool m5_pack_reserve(m5_pack_parser *w, uint32_t bytes, uint32_t least);

/* Adds a member; there must be room. */
m5_pack_member *m5_pack_add(m5_pack_parser *w, uint32_t entry);

/* A finding at `length` bytes from `offset` on. The first is about a member: a field of its entry,
 * or with `in` of a structure of it, such as member[3].localHeader.crc. */
m5_diag m5_pack_found(const m5_pack_parser *w, const m5_rule *rule, const m5_pack_member *m,
                      const char *in, const char *field, uint32_t offset, uint32_t length);
m5_diag m5_pack_found_at(const m5_rule *rule, uint32_t offset, uint32_t length, const char *in,
                         const char *field);

/* A member's name, for %.*s; a NUL ends it. */
#define M5_PACK_NAME(w, m)                                                                         \
    (int)m5_cursor_string((w)->source, (m)->name.offset, (m)->name.length).length,                 \
        (const char *)(w)->source->bytes + (m)->name.offset

/* ---- In turn ---- */

/* Read the members of a zip and of a pak. Return false if it is no zip. */
bool m5_pack_read_zip(m5_pack_parser *w);
void m5_pack_read_pak(m5_pack_parser *w);

/* Judge the members that were found. */
void m5_pack_check_names(m5_pack_parser *w);
void m5_pack_check_ranges(m5_pack_parser *w);

#endif
