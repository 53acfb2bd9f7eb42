/* What is kept of a mesh or animation to be compared with declarations, when its file is no longer
 * in memory. */
#ifndef M5_LINT_APP_JOBS_ASSET_H
#define M5_LINT_APP_JOBS_ASSET_H

#include "lint/def/link.h"

typedef struct m5_asset {
    bool is_kept;
    m5_def_asset asset;
    m5_source source; /* the names of its joints, one after another */
    m5_md5_joint *joints;
    uint8_t *names;
} m5_asset;

/* Keeps what is needed of a file, of which only the joints were read; nothing if it is no mesh and
 * no animation. Returns false when out of memory. `out` must stay where it is. */
bool m5_asset_keep(m5_asset *out, const m5_lint_file *file);

/* May be called again, and for an asset that is zero. */
void m5_asset_free(m5_asset *asset);

#endif
