/* The state of an MD4 parse, and the functions that the parser's files share. */
#ifndef M5_MD4_STATE_H
#define M5_MD4_STATE_H

#include "md4.h"
#include "../core/cursor.h"

typedef struct m5_md4_state {
    m5_report *report;
    m5_arena *arena;
    const m5_source *source;
    m5_md4 *model;
    uint32_t end;       /* of the model; after the file's if that is cut off */
    uint32_t chain_end; /* of its surfaces */
    bool surfs_told;    /* too many surfaces were reported */
    bool surf_passed;   /* an ofsEnd that passes over a surface was reported */
    bool loud;          /* in the second parse: findings are reported and explained */
    bool displaced;     /* bytes were lost or inserted, so data has shifted */
    uint64_t trouble;   /* errors in the first parse */
    bool out_of_memory;
} m5_md4_state;

/* A field of a structure. */
typedef struct m5_md4_field {
    const char *name;
    uint32_t at;
} m5_md4_field;

/* The fields of a surface. */
typedef struct m5_md4_surface_fields {
    m5_md4_field name, shader, min_lod, ofs_header, num_verts, ofs_verts, num_tris, ofs_tris,
        num_refs, ofs_refs, ofs_collapse, ofs_end;
} m5_md4_surface_fields;
extern const m5_md4_surface_fields m5_md4_in_surface;

/* Where a structure is and its name, such as surface[1]. `name` NULL: the file itself. */
typedef struct m5_md4_place {
    uint32_t offset;
    const char *name;
    uint32_t index;
} m5_md4_place;

/* A block that an offset and a count in a structure describe. */
typedef struct m5_md4_block {
    const m5_md4_field *ofs, *num; /* num NULL: there is only one */
    const char *what;              /* the name of its records in messages */
    int64_t at;                    /* in the file, by the offset; it may be anywhere */
    uint64_t count, size;          /* of records, and the size of the smallest */
    bool loose;                    /* records may be larger */
    const m5_rule *miscounted;     /* the rule of a count that other blocks depend on, or NULL */
    bool told;                     /* its wrong count was reported */
    uint64_t from, to;             /* where it was located; from == to: it has no bytes */
} m5_md4_block;

/* Whether there are more records than declared: none, some that would be of no use, some, or some
 * that other blocks refer to. */
typedef enum m5_md4_more {
    M5_MD4_NO_MORE,
    M5_MD4_MORE_UNUSED,
    M5_MD4_MORE,
    M5_MD4_MORE_IN_USE,
} m5_md4_more;

/* The blocks of a structure, which lie between `begin` and `end` in the file. */
enum { M5_MD4_MOST_BLOCKS = 4 };
typedef struct m5_md4_layout {
    m5_md4_state *w;
    m5_md4_place in;
    const char *of; /* the name of this structure in messages: model or surface */
    /* the rules for a block before `begin`, past `end`, in another block */
    const m5_rule *below, *beyond, *overlap;
    uint32_t begin, end;
    unsigned num_blocks;
    m5_md4_block block[M5_MD4_MOST_BLOCKS];
    void *user; /* for the functions below */
    /* Returns where the records of a loose block end, by their contents; -1 if these make no
     * sense. */
    int64_t (*natural_end)(const struct m5_md4_layout *l, const m5_md4_block *block);
    /* Sets a block's count, and what depends on it. */
    void (*set_count)(struct m5_md4_layout *l, unsigned block, uint64_t count);
    /* Whether the data in the place of a block's records `from` up to `to` looks like records.
     * Called only if nothing collides, so there is room for more than the declared records. */
    m5_md4_more (*more)(const struct m5_md4_layout *l, unsigned block, uint64_t from, uint64_t to);
    /* Whether the contents of the blocks could be what they should be. `said`: the places of the
     * blocks are the file's own; otherwise they are assumed. */
    bool (*makes_sense)(const struct m5_md4_layout *l, bool said);
} m5_md4_layout;

/* Finds the single field that puts a block in the wrong place, reports it and mends it in the
 * layout. Does nothing if all blocks are in place, or if no single field explains the error. In
 * a guess only the sizes fit, not the contents of the blocks, so the contents should not be
 * read. */
typedef enum m5_md4_mended { M5_MD4_AS_IT_WAS, M5_MD4_MENDED, M5_MD4_GUESSED } m5_md4_mended;
m5_md4_mended m5_md4_mend(m5_md4_layout *l);

/* A count was found to be wrong by itself. If with another count all blocks follow each other and
 * make sense, the finding says so. */
void m5_md4_know_count(const m5_md4_layout *l, const m5_md4_field *num, m5_diag *d);

/* Reports the negative counts of a layout. Returns whether there are any. */
bool m5_md4_say_negative(const m5_md4_layout *l);

/* Whether the blocks follow each other from begin to end; if `strict`, also by the contents of
 * the loose blocks. */
bool m5_md4_tiles(const m5_md4_layout *l, bool strict);

/* Whether blocks overlap or are out of bounds; otherwise there are only gaps. */
bool m5_md4_collide(const m5_md4_layout *l);

/* Works out where each block is. False, and reported, if one is not between begin and end. */
bool m5_md4_locate(m5_md4_layout *l);

/* Reports blocks that overlap and, if `gaps`, the bytes that belong to no block. True if no
 * blocks overlap. */
bool m5_md4_check_blocks(const m5_md4_layout *l, bool gaps);

/* Whether a block's records fill the room up to where the next block begins. */
bool m5_md4_fills_room(const m5_md4_layout *l, unsigned block);

/* Returns the size with which a block's records make sense and fill the space up to the next
 * block, if they do not make sense with the declared size; otherwise 0. */
typedef bool m5_md4_begins(const m5_source *source, uint64_t at);
uint64_t m5_md4_stride(const m5_md4_layout *l, unsigned block, m5_md4_begins *begins);

int32_t m5_md4_field_int(const m5_md4_state *w, m5_md4_place in, const m5_md4_field *field);

/* A finding at some bytes, or at a field of 4 bytes. */
m5_diag m5_md4_found(const m5_rule *rule, uint32_t offset, uint32_t length, m5_path path);
m5_diag m5_md4_found_field(const m5_rule *rule, m5_md4_place in, const m5_md4_field *field);

/* Says which number belongs in the 4 bytes of a finding. */
void m5_md4_know(m5_diag *d, m5_knows how, int64_t number);

/* Reads a count; a negative one is read as 0. */
uint32_t m5_md4_count(const m5_md4_state *w, m5_md4_place in, const m5_md4_field *field);

/* Reads a string field; reports one that is not terminated or has garbage after its end. */
m5_span m5_md4_string(m5_md4_state *w, uint32_t offset, uint32_t size, m5_path path);

/* Reads the bones and frames that were found. */
void m5_md4_read_bones(m5_md4_state *w);
void m5_md4_read_frames(m5_md4_state *w);

/* Follows the chain of surfaces up to w->chain_end, and returns where the last surface ends. */
uint32_t m5_md4_chain_surfaces(m5_md4_state *w, uint32_t at, uint32_t declared);

/* Reports a file that contains only zeros from some place in its surfaces to its end, and
 * returns whether it does. The header puts `surfs` surfaces at `at_first`. */
bool m5_md4_say_zeros(m5_md4_state *w, int32_t at_first, int32_t surfs);

/* Returns where a chain of `count` surfaces at `at` would end; -1 if there is no such chain. */
int64_t m5_md4_chain_end(const m5_source *source, int64_t at, uint64_t count, uint32_t end);

/* Returns how many surfaces the chain at `at` has if it ends exactly at `end`; otherwise, or if it
 * has more than the format allows, 0. */
uint32_t m5_md4_count_surfaces(const m5_source *source, int64_t at, uint32_t end);

/* Whether the bytes at `at` are a triangle: three different vertices below `verts`. */
bool m5_md4_is_triangle(const m5_source *s, uint64_t at, uint64_t verts);

/* Whether surfaces or their contents are `more` bytes from where they should be. */
bool m5_md4_are_surfaces_moved(const m5_md4_state *w, int64_t at, int32_t surfs, int64_t more);
int32_t m5_md4_header_moved(const m5_source *source, uint32_t last);

/* Reports the warnings about a surface's counts. */
void m5_md4_judge_surface(m5_md4_state *w, uint32_t index);

/* Reads the contents of the surfaces that were found. */
void m5_md4_read_surfaces(m5_md4_state *w);

/* The state of reading a surface. The vertices must end at or before `verts_end`. */
typedef struct m5_md4_surface_state {
    m5_md4_state *w;
    m5_md4_surface *s;
    m5_md4_place place;
    uint32_t verts_end;
    uint32_t index_limit; /* indices must be below this */
    bool count_wrong;     /* numVerts is not the number of vertices */
    bool mended;          /* a field was wrong, and what depends on it may be wrong */
} m5_md4_surface_state;

m5_path m5_md4_surface_path(const m5_md4_surface_state *p, const char *name, uint32_t index);

/* A finding at a field of 4 bytes in a vertex. */
m5_diag m5_md4_found_in_vertex(const m5_md4_surface_state *p, const m5_rule *rule, uint32_t vertex,
                               uint32_t offset, const char *name);
/* `fitting`: the number of weights with which the vertices end where they must; 0 if unknown. */
void m5_md4_say_weight_count(const m5_md4_surface_state *p, uint32_t vertex, uint32_t at,
                             uint32_t fitting);

/* Returns the size of a vertex with this number of weights. */
uint64_t m5_md4_vertex_size(uint32_t weights);

/* Returns where `count` vertices that begin at `at` end, or -1 if they are not vertices. */
int64_t m5_md4_walk_end(const m5_source *source, int64_t at, uint64_t count, int64_t end);

/* Finds all vertices from `at` on, and returns where they end. Their contents are checked only
 * if they do not end where they must. */
uint32_t m5_md4_walk_vertices(m5_md4_surface_state *p, uint32_t at);

#endif
