/* Memory that grows: what was taken stays where it is until all is freed. */
#ifndef M5_LINT_APP_SYSTEM_BLOCKS_H
#define M5_LINT_APP_SYSTEM_BLOCKS_H

#include <stddef.h>

/* Zero is empty. */
typedef struct m5_blocks {
    struct m5_block *last;
} m5_blocks;

/* Returns memory aligned for any type, or NULL. `user` is the m5_blocks. */
void *m5_blocks_take(void *user, size_t bytes);
void m5_blocks_free(m5_blocks *blocks);

#endif
