/* md5mesh, version 10: a skeleton in its bind pose, and meshes whose vertices hang on it. Format
 * text: see md5.h, section "MD5 Mesh". */
#ifndef M5_MD5MESH_H
#define M5_MD5MESH_H

#include "md5.h"
#include "../core/writer.h"

M5_BEGIN_C

/* In each record, `offset` is that of its first byte in the source. */
typedef struct m5_md5mesh_vert {
    uint32_t offset;
    float st[2];           /* texture coordinates; the origin is the upper left corner */
    uint32_t start, count; /* its weights; count is at least 1 */
} m5_md5mesh_vert;

/* A triangle; seen from its front, the corners run clockwise. */
typedef struct m5_md5mesh_tri {
    uint32_t offset;
    uint32_t vert[3]; /* of the same mesh */
} m5_md5mesh_tri;

/* A vertex is the sum of bias * (joint * pos) over its weights. */
typedef struct m5_md5mesh_weight {
    uint32_t offset;
    uint32_t joint;
    float bias;   /* finite; that it is 0 to 1 is a rule of the linter, not of a clean model */
    float pos[3]; /* in the joint's space, in the file's units */
} m5_md5mesh_weight;

/* A mesh: one shader. The arrays have as many elements as the counts say. */
typedef struct m5_md5mesh_mesh {
    m5_name shader; /* length 0 if it is empty or missing; offset 0 if it is missing */
    uint32_t num_verts, num_tris, num_weights;
    uint32_t offset;                                    /* of the keyword `mesh` */
    uint32_t num_verts_at, num_tris_at, num_weights_at; /* offsets of the counts, or 0 */
    bool weights_in_place; /* no weight is missing or out of order (one may be marked), so each
                            * vertex has the weights that it names */
    bool verts_in_place;   /* the same of vertices, so each triangle has those that it names */
    bool skin_whole;       /* no vertex, weight or joint is missing or marked */
    bool whole;            /* ... and no triangle, either */
    m5_md5mesh_vert *verts;
    m5_md5mesh_tri *tris;
    m5_md5mesh_weight *weights;
} m5_md5mesh_mesh;

/* Clean: every count is the number of records found, every index is in range, every number is
 * finite, and each joint comes after its parent. There is at least one joint; there may be no mesh,
 * and then `meshes` may be NULL. Flawed: the arrays hold the records that were found, at most as
 * many as were declared; of meshes one more, or 64 if these are more. Every index in them is in
 * range or marked. What could not be read is marked:
 *   joint   name.offset 0 (unreadable), parent M5_BROKEN_PARENT
 *   pose    pos[0] NaN
 *   vert    start M5_BROKEN and count 0
 *   tri     vert[0] M5_BROKEN; the others are corners that are known, in any order, or M5_BROKEN
 *   weight  joint M5_BROKEN; bias NaN if that is unknown too */
typedef struct m5_md5mesh {
    const m5_source *source;
    m5_name commandline;
    uint32_t num_joints, num_meshes;
    uint32_t meshes_found; /* in the file; there may be no room for all */
    uint32_t meshes_due;   /* what numMeshes says; M5_NO_INDEX: unknown, or there is no mesh */
    m5_span num_joints_at; /* the number in the header; length 0 if there is none */
    bool long_lines;       /* there may be a line that is too long for some loaders */
    bool glued;            /* some comment or string comes right after a word or parenthesis */
    bool joints_in_place;  /* there are as many as declared */
    bool joints_whole;     /* ... and each has a name */
    m5_md5_joint *joints;
    m5_md5_pose *bind; /* of each joint, in model space */
    m5_md5mesh_mesh *meshes;
} m5_md5mesh;

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_md5mesh_parse(m5_report *report, m5_arena *arena, const m5_md5mesh **out);

/* Writes a clean model: see m5_print. */
void m5_md5mesh_print(const m5_md5mesh *model, const m5_writer *out);

M5_END_C

#endif
