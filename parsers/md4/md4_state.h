/* A parse of an MD4 at work: what its files share. */
#ifndef M5_MD4_STATE_H
#define M5_MD4_STATE_H

#include "md4.h"
#include "../core/cursor.h"

typedef struct m5_md4_state {
    m5_report *report;
    m5_arena *arena;
    const m5_source *source;
    m5_md4 *model;
    uint32_t end;       /* of the model; behind the file's if that was cut off */
    uint32_t chain_end; /* of its surfaces */
    bool surfs_told;    /* that there are too many */
    bool loud;          /* the second time: findings are told, and looked into */
    bool displaced;     /* bytes are missing or too many, so that nothing is in its place */
    uint64_t trouble;   /* errors that there were the first time */
    bool out_of_memory;
} m5_md4_state;

/* A field of a structure. */
typedef struct m5_md4_field {
    const char *name;
    uint32_t at;
} m5_md4_field;

/* Those of a surface. */
typedef struct m5_md4_surface_fields {
    m5_md4_field name, shader, min_lod, ofs_header, num_verts, ofs_verts, num_tris, ofs_tris,
        num_refs, ofs_refs, ofs_collapse, ofs_end;
} m5_md4_surface_fields;
extern const m5_md4_surface_fields m5_md4_in_surface;

/* Where a structure lies and what it is called: surface[1]. `name` NULL: the file itself. */
typedef struct m5_md4_place {
    uint32_t offset;
    const char *name;
    uint32_t index;
} m5_md4_place;

/* A block that an offset and a count in a structure describe. */
typedef struct m5_md4_block {
    const m5_md4_field *ofs, *num; /* num NULL: there is one of it */
    int64_t at;                    /* in the file, by the offset; it may be anywhere */
    uint64_t count, size;          /* of records, and of the smallest of them */
    bool loose;                    /* records may be larger */
    const m5_rule *miscounted;     /* set where other blocks hang on its count: its rule */
    bool told;                     /* that its count is wrong */
    uint64_t from, to;             /* where it was located; from == to: it is not there */
} m5_md4_block;

/* The blocks of a structure, which lie between `begin` and `end` in the file. */
enum { M5_MD4_MOST_BLOCKS = 4 };
typedef struct m5_md4_layout {
    m5_md4_state *w;
    m5_md4_place in;
    /* for a block before `begin`, past `end`, in another */
    const m5_rule *below, *beyond, *overlap;
    uint32_t begin, end;
    unsigned num_blocks;
    m5_md4_block block[M5_MD4_MOST_BLOCKS];
    void *user; /* for the functions */
    /* Where the records of a loose block end, by what is in them; -1 when that makes no sense. */
    int64_t (*natural_end)(const struct m5_md4_layout *l, const m5_md4_block *block);
    /* Sets a block's count, and what hangs on it. */
    void (*set_count)(struct m5_md4_layout *l, unsigned block, uint64_t count);
    /* Whether what stands in the place of a block's records `from` up to `to` looks like some;
     * asked where nothing collides, so that there is room for more than are declared. */
    bool (*are_records)(const struct m5_md4_layout *l, unsigned block, uint64_t from, uint64_t to);
    /* Whether what is in the blocks could be what it should be; where it is said to be, or only
     * assumed. */
    bool (*makes_sense)(const struct m5_md4_layout *l, bool said);
} m5_md4_layout;

/* Finds the one field that makes the blocks not lie as they should, reports it and mends it in the
 * layout; nothing when they do, or when no single field is to blame. A guess is what only the sizes
 * speak for, and not what is in the blocks: then that is better not looked at. */
typedef enum m5_md4_mended { M5_MD4_AS_IT_WAS, M5_MD4_MENDED, M5_MD4_GUESSED } m5_md4_mended;
m5_md4_mended m5_md4_mend(m5_md4_layout *l);

/* Whether the blocks lie one behind the other from begin to end; if `strict`, also by what is in
 * the loose ones. */
bool m5_md4_tiles(const m5_md4_layout *l, bool strict);

/* Whether blocks overlap or run out of their bounds; otherwise there are only gaps. */
bool m5_md4_collide(const m5_md4_layout *l);

/* Works out where each block lies. False (and reported) when one does not lie between begin and
 * end. */
bool m5_md4_locate(m5_md4_layout *l);

/* Reports blocks that overlap, and, if `gaps`, what lies between them and is part of none. Tells
 * whether they are apart. */
bool m5_md4_check_blocks(const m5_md4_layout *l, bool gaps);

/* Whether a block's records fill the room up to where the next block begins. */
bool m5_md4_fills_room(const m5_md4_layout *l, unsigned block);

/* Where they make no sense, but with another size do that fills the room: that size; else 0. */
typedef bool m5_md4_begins(const m5_source *source, uint64_t at);
uint64_t m5_md4_stride(const m5_md4_layout *l, unsigned block, m5_md4_begins *begins);

int32_t m5_md4_field_int(const m5_md4_state *w, m5_md4_place in, const m5_md4_field *field);

/* A finding at some bytes, or at a field of 4 bytes. */
m5_diag m5_md4_found(const m5_rule *rule, uint32_t offset, uint32_t length, m5_path path);
m5_diag m5_md4_found_field(const m5_rule *rule, m5_md4_place in, const m5_md4_field *field);

/* A field that counts; negative ones are told and count as 0. */
uint32_t m5_md4_count(m5_md4_state *w, m5_md4_place in, const m5_md4_field *field);

/* A string field: not terminated, or with something behind its end. */
m5_span m5_md4_string(m5_md4_state *w, uint32_t offset, uint32_t size, m5_path path);

/* Reads the bones and frames that were found. */
void m5_md4_read_bones(m5_md4_state *w);
void m5_md4_read_frames(m5_md4_state *w);

/* Follows the chain of surfaces up to w->chain_end, and returns where the last one ends. */
uint32_t m5_md4_chain_surfaces(m5_md4_state *w, uint32_t at, uint32_t declared);

/* Whether the file is zero bytes from within the surfaces to its end, which is reported: of these
 * so many begin there, by the header. */
bool m5_md4_say_zeros(m5_md4_state *w, int32_t at_first, int32_t surfs);

/* Where a chain of surfaces would end; -1 when there is none such. */
int64_t m5_md4_chain_end(const m5_source *source, int64_t at, uint64_t count, uint32_t end);

/* Whether three different vertices of those that there are stand here. */
bool m5_md4_is_triangle(const m5_source *s, uint64_t at, uint64_t verts);

/* Whether surfaces, or what is in them, stand `more` bytes from where they should. */
bool m5_md4_are_surfaces_moved(const m5_md4_state *w, int64_t at, int32_t surfs, int64_t more);
int32_t m5_md4_header_moved(const m5_source *source, uint32_t last);

/* Says what is to be said of a surface's counts, if that is no error. */
void m5_md4_judge_surface(m5_md4_state *w, uint32_t index);

/* Reads what is in the surfaces that were found. */
void m5_md4_read_surfaces(m5_md4_state *w);

/* One surface being read. `verts_end` is what the vertices must not pass. */
typedef struct m5_md4_surface_state {
    m5_md4_state *w;
    m5_md4_surface *s;
    m5_md4_place place;
    uint32_t verts_end;
    uint32_t index_limit; /* as many vertices as indices may count */
    bool count_wrong;     /* numVerts is not what is there */
    bool mended;          /* a field was wrong, and what hangs on it may be */
} m5_md4_surface_state;

m5_path m5_md4_surface_path(const m5_md4_surface_state *p, const char *name, uint32_t index);

/* A finding at a field of 4 bytes in a vertex. */
m5_diag m5_md4_found_in_vertex(const m5_md4_surface_state *p, const m5_rule *rule, uint32_t vertex,
                               uint32_t offset, const char *name);
void m5_md4_say_weight_count(const m5_md4_surface_state *p, uint32_t vertex, uint32_t at);

/* Of a vertex with so many weights. */
uint64_t m5_md4_vertex_size(uint32_t weights);

/* Where so many vertices end that begin at `at`, or -1 when these are none. */
int64_t m5_md4_walk_end(const m5_source *source, int64_t at, uint64_t count, int64_t end);

/* Finds all vertices from `at` on; returns where they end. What is in them is not looked at, unless
 * they do not end where they must. */
uint32_t m5_md4_walk_vertices(m5_md4_surface_state *p, uint32_t at);

#endif
