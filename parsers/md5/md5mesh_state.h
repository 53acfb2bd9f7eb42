/* Private to the md5mesh parser: one mesh at work; its block is read in md5mesh_block.c and checked
 * in md5mesh_check.c. */
#ifndef M5_MD5MESH_STATE_H
#define M5_MD5MESH_STATE_H

#include "md5_parser.h"
#include "md5mesh.h"

typedef struct m5_md5mesh_state {
    m5_md5_parser *p;
    m5_md5mesh_mesh *mesh;
    m5_md5_keys keys;
    m5_md5_count verts, tris, weights; /* as declared */
    const m5_md5_count *joints;
    uint32_t joints_found;
    const m5_rule *count_rule; /* for the list being read */
    bool runs_on;              /* the next mesh follows without a brace */
} m5_md5mesh_state;

/* Reads a mesh, from after its opening brace, or from its first key if that brace is missing. */
void m5_md5mesh_read_block(m5_md5mesh_state *w);

/* Checks every index of the mesh, marks those that are out of range, and finds out which parts of
 * the mesh are whole. */
void m5_md5mesh_check_indices(m5_md5mesh_state *w);

#endif
