/* Makes fingerprints of findings: see fingerprint.h. */
#include "fingerprint.h"
#include "lint/core/sort.h"

#include <stdlib.h>

/* The text and a NUL after it, so that two texts are not the same as one. */
uint64_t m5_hash_add(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    while (*text++ != '\0');
    return hash;
}

static uint64_t hash_of(const m5_diag *d, uint64_t path)
{
    char name[200];
    if (m5_path_text(&d->path, name, sizeof name) == 0)
        name[0] = '\0';
    return m5_hash_add(m5_hash_add(path, d->rule->id), name);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const m5_fingerprint *list = context;
    return list[a].hash != list[b].hash ? list[a].hash < list[b].hash : a < b;
}

m5_fingerprint *m5_fingerprints(const m5_shown *shown, uint64_t path)
{
    m5_fingerprint *list = malloc((shown->count + 1) * sizeof *list);
    uint32_t *order = malloc((shown->count + 1) * sizeof *order);
    for (uint32_t i = 0; i < shown->count && list != NULL && order != NULL; i++) {
        list[i] = (m5_fingerprint){hash_of(&shown->list[i]->diag, path), 1};
        order[i] = i;
    }
    if (list != NULL && order != NULL) {
        m5_check_sort(order, shown->count, is_before, list);
        for (uint32_t i = 1; i < shown->count; i++)
            if (list[order[i]].hash == list[order[i - 1]].hash)
                list[order[i]].number = list[order[i - 1]].number + 1;
    } else {
        free(list);
        list = NULL;
    }
    free(order);
    return list;
}

void m5_put_fingerprint(const m5_writer *out, m5_fingerprint f)
{
    m5_write(out, "%x%x:%u", (unsigned)(f.hash >> 32), (unsigned)(f.hash & UINT32_MAX), f.number);
}
