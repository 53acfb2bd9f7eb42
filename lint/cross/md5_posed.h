/* An md5anim beside the bind pose of its md5mesh. */
#ifndef M5_LINT_CROSS_MD5_POSED_H
#define M5_LINT_CROSS_MD5_POSED_H

#include "bind.h"
#include "lint/geometry/posed.h"

/* The pair must stay where it is. */
m5_posed m5_posed_md5(const m5_bind_pair *pair);

#endif
