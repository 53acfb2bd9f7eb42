/* Where the joints of an md5mesh place the vertices that they share, in the bind pose. */
#ifndef M5_LINT_COMMON_SHARED_VERTS_H
#define M5_LINT_COMMON_SHARED_VERTS_H

#include "misplaced.h"

/* Of a vertex's joints, which can be many in a hostile file; and of the joints that are skipped. */
enum { M5_PLACES_MOST = 8, M5_SKIPPED_MOST = M5_MISPLACED_MOST };

/* What a joint has to do with vertices that it shares with other joints. */
typedef struct m5_shared_joint {
    uint32_t shared, apart; /* vertices; those that it places elsewhere than all other joints */
    double sum;             /* of the distances to the nearest position by another joint */
    bool used;              /* has weights */
} m5_shared_joint;

/* Where the joints of one vertex place it. */
typedef struct m5_places {
    uint32_t count;
    uint32_t joint[M5_PLACES_MOST];
    m5_vec at[M5_PLACES_MOST];
} m5_places;

typedef struct m5_shared {
    m5_lint_file *f;
    const m5_matrix *bind; /* of all joints */
    double size;           /* of the model */

    /* What was counted. */
    m5_shared_joint *joints; /* an array for all */
    uint32_t used;           /* joints with weights */
    uint32_t verts;
    uint32_t shared, apart; /* of all vertices */
    double sum;             /* of the largest distance in each vertex */
    uint32_t split; /* vertices that one joint places in two places: no joint explains them */

    /* Joints whose vertices are not looked at, and two that are tried elsewhere, or M5_NO_INDEX. */
    uint32_t skipped[M5_SKIPPED_MOST], num_skipped;
    uint32_t tried[2];
    m5_matrix elsewhere[2];
} m5_shared;

/* Where its joints place a vertex: nothing if one of them is skipped. */
m5_places m5_places_of(const m5_shared *s, const m5_md5mesh_mesh *mesh,
                       const m5_md5mesh_vert *vert);

/* Which of the other joints' positions is nearest; p->count if there is no other joint. */
uint32_t m5_places_nearest(const m5_places *p, uint32_t of, double *distance);

/* Whether a vertex has several weights that are its own. */
bool m5_shared_is_blended(const m5_md5mesh_mesh *mesh, const m5_md5mesh_vert *vert);

/* The size of the model, from at most about a thousand vertices of each mesh, as all joints but
 * one, which may be M5_NO_INDEX, place them. */
double m5_shared_size(const m5_shared *s, uint32_t joint);

/* Counts again, with s->size. Linear in the weights. */
void m5_shared_count(m5_shared *s);

/* Whether two positions at this distance from each other count as the same. */
bool m5_shared_agree(const m5_shared *s, double distance);

/* Whether any vertex is placed elsewhere by one of its joints: in sound models none is. */
bool m5_shared_disagree(const m5_shared *s);

#endif
