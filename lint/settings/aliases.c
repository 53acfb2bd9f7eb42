/* Former names of rules: see aliases.h. */
#include "aliases.h"

#include <stddef.h>
#include <string.h>

const m5_alias m5_aliases[] = {
    {NULL, NULL},
};

const char *m5_alias_find(const m5_alias *table, const char *id)
{
    for (; table->former != NULL; table++)
        if (strcmp(table->former, id) == 0)
            return table->id;
    return id;
}
