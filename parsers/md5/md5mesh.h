/* md5mesh, version 10: the skeleton in its bind pose and the meshes hung on it.
 * Format text: "MD5 Mesh". */
#ifndef M5_MD5MESH_H
#define M5_MD5MESH_H

#include "md5.h"
#include "../core/writer.h"

M5_BEGIN_C

/* All numbers are in the file's own units; texture coordinates have their origin at the upper
 * left. `offset` is where a record's first byte stands in the source. */
typedef struct m5_md5mesh_vert {
    uint32_t offset;
    float st[2];
    uint32_t start, count; /* its weights; count is at least 1 */
} m5_md5mesh_vert;

typedef struct m5_md5mesh_tri {
    uint32_t offset;
    uint32_t vert[3];
} m5_md5mesh_tri;

typedef struct m5_md5mesh_weight {
    uint32_t offset;
    uint32_t joint;
    float bias;   /* 0 to 1 unless a rule of the linter was broken */
    float pos[3]; /* in the joint's space */
} m5_md5mesh_weight;

typedef struct m5_md5mesh_mesh {
    m5_name shader; /* length 0 when empty or absent; offset 0 when absent */
    uint32_t num_verts, num_tris, num_weights;
    uint32_t offset;                    /* of the keyword `mesh` */
    uint32_t num_verts_at, num_tris_at; /* of the numbers behind numverts and numtris; or 0 */
    bool weights_in_place; /* none is missing or out of order, though one may be marked, and each
                            * vertex means those that it names */
    bool whole;            /* nothing in it is missing or marked */
    m5_md5mesh_vert *verts;
    m5_md5mesh_tri *tris;
    m5_md5mesh_weight *weights;
} m5_md5mesh_mesh;

/* Clean: every count is what was found, every index is in range, every number is finite, each
 * parent is below its joint. Flawed: the arrays hold the records that were found, at most as
 * many as were declared, and what could not be read in a record is marked:
 *   joint   name.offset 0 (unreadable), parent M5_BROKEN_PARENT
 *   pose    pos[0] NaN
 *   vert    start M5_BROKEN and count 0
 *   tri     vert[0] M5_BROKEN
 *   weight  joint M5_BROKEN; bias NaN if that is unknown too
 * so that indices are in range or marked also then. */
typedef struct m5_md5mesh {
    const m5_source *source;
    m5_name commandline;
    uint32_t num_joints, num_meshes;
    m5_span num_joints_at; /* the number in the header; length 0 if there is none */
    bool long_lines;       /* some line may be over M5_LEX_LONG bytes: see lex.h */
    bool joints_in_place;  /* as many as declared */
    bool joints_whole;     /* ... each with a name */
    m5_md5_joint *joints;
    m5_md5_pose *bind; /* of each joint, in object space */
    m5_md5mesh_mesh *meshes;
} m5_md5mesh;

/* Parses report->source. The model is in the arena and points into it and into the source; it
 * is there (*out is not NULL) unless the status is M5_NO_MEMORY. Thread rules, memory and
 * errors: see m5.h. */
m5_status m5_md5mesh_parse(m5_report *report, m5_arena *arena, const m5_md5mesh **out);

/* Prints a clean model: see m5_print. */
void m5_md5mesh_print(const m5_md5mesh *model, const m5_writer *out);

M5_END_C

#endif
