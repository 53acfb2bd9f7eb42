/* A parse of an MD4 at work: what its files share. */
#ifndef M5_MD4_WORK_H
#define M5_MD4_WORK_H

#include "cursor.h"
#include "md4.h"

typedef struct m5_md4_work {
    m5_report *report;
    m5_arena *arena;
    const m5_source *source;
    m5_md4 *model;
    uint32_t end; /* of the model: what the header says, if the file has as much */
    bool out_of_memory;
} m5_md4_work;

/* A field of a structure. */
typedef struct m5_md4_field {
    const char *name;
    uint32_t at;
} m5_md4_field;

/* Where a structure lies and what it is called: surface[1]. `name` NULL: the file itself. */
typedef struct m5_md4_place {
    uint32_t offset;
    const char *name;
    uint32_t index;
} m5_md4_place;

/* A block that an offset and a count in a structure describe. */
typedef struct m5_md4_block {
    const m5_md4_field *ofs, *num; /* num NULL: there is one of it */
    uint64_t from, to;             /* in the file; from == to: it is not there */
} m5_md4_block;

int32_t m5_md4_field_int(const m5_md4_work *w, m5_md4_place in, const m5_md4_field *field);

/* A finding at some bytes, or at a field of 4 bytes. */
m5_diag m5_md4_found(const m5_rule *rule, uint32_t offset, uint32_t length, m5_path path);
m5_diag m5_md4_found_field(const m5_rule *rule, m5_md4_place in, const m5_md4_field *field);

/* A field that counts; negative ones are told and count as 0. */
uint32_t m5_md4_count(m5_md4_work *w, m5_md4_place in, const m5_md4_field *field);

/* Works out where a block lies: `count` records of `size` bytes, from `origin` on by the offset
 * in the field, between `first` and `end`. False (and reported) when it does not lie there. */
typedef struct m5_md4_bounds {
    const m5_rule *below, *beyond; /* the rules for a block before `first` or past `end` */
    m5_md4_place in;
    uint32_t first, end; /* in the file */
} m5_md4_bounds;
bool m5_md4_locate(m5_md4_work *w, const m5_md4_bounds *b, m5_md4_block *block, uint32_t count,
                   uint64_t size);

/* Reports blocks that overlap, and, if `gaps`, what lies between them and is part of none, from
 * `begin`, where the structure they belong to ends, to `end`. Sorts the blocks; tells whether they
 * are apart. */
bool m5_md4_check_blocks(m5_md4_work *w, m5_md4_place in, const m5_rule *overlap,
                         m5_md4_block *blocks, unsigned count, uint32_t begin, uint32_t end,
                         bool gaps);

/* A string field: not terminated, or with something behind its end. */
m5_span m5_md4_string(m5_md4_work *w, uint32_t offset, uint32_t size, m5_path path);

/* Follows the chain of surfaces, and returns where the last one ends. */
uint32_t m5_md4_chain_surfaces(m5_md4_work *w, uint32_t at, uint32_t declared);

/* Reads what is in the surfaces that were found. */
void m5_md4_read_surfaces(m5_md4_work *w);

/* One surface being read. `verts_end` is what the vertices must not pass. */
typedef struct m5_md4_surface_work {
    m5_md4_work *w;
    m5_md4_surface *s;
    m5_md4_place place;
    uint32_t verts_end;
    uint32_t index_limit; /* as many vertices as indices may count */
    bool count_wrong;     /* numVerts is not what is there */
} m5_md4_surface_work;

m5_path m5_md4_surface_path(const m5_md4_surface_work *p, const char *name, uint32_t index);

/* A finding at a field of 4 bytes in a vertex. */
m5_diag m5_md4_found_in_vertex(const m5_md4_surface_work *p, const m5_rule *rule, uint32_t vertex,
                               uint32_t offset, const char *name);
void m5_md4_say_weight_count(const m5_md4_surface_work *p, uint32_t vertex, uint32_t at);

/* Of a vertex with so many weights. */
uint64_t m5_md4_vertex_size(uint32_t weights);

/* Finds all vertices from `at` on; returns where they end. What is in them is not looked at, unless
 * they do not end where they must. */
uint32_t m5_md4_walk_vertices(m5_md4_surface_work *p, uint32_t at);

#endif
