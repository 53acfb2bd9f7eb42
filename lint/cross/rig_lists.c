/* Sorts rigs and looks them up: by binary search in sorted lists. */
#include "rig_lists.h"
#include "lint/core/sort.h"

#include <string.h>

/* ---- Names of files -------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

m5_path_part m5_folder_of(const char *path)
{
    return (m5_path_part){path, (size_t)(base_of(path) - path)};
}

m5_path_part m5_parent_of(m5_path_part folder)
{
    size_t length = folder.length == 0 ? 0 : folder.length - 1;
    while (length > 0 && folder.at[length - 1] != '/')
        length--;
    return (m5_path_part){folder.at, length};
}

m5_path_part m5_stem_of(const char *path)
{
    const char *base = base_of(path), *dot = strrchr(base, '.');
    return (m5_path_part){base, dot != NULL ? (size_t)(dot - base) : strlen(base)};
}

static int compare_texts(m5_path_part a, m5_path_part b)
{
    int order = memcmp(a.at, b.at, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static bool goes_on(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool m5_shorten_stem(m5_path_part *stem)
{
    while (stem->length > 1) {
        stem->length--;
        if (!goes_on(stem->at[stem->length]))
            return true;
    }
    return false;
}

/* ---- Orders ---------------------------------------------------------------------------------- */

m5_family m5_family_of(const m5_rig *rig)
{
    unsigned bit = rig->format != NULL ? m5_format_bit(rig->format) : 0;
    return bit & M5_IN_MD5_MODELS ? M5_FAMILY_MD5 : bit & M5_IN_ILL ? M5_FAMILY_ILL : M5_NO_FAMILY;
}

const m5_rig_field m5_folder_order[] = {M5_BY_FAMILY, M5_BY_FOLDER, M5_BY_STEM, M5_BY_PATH,
                                        M5_BY_END};
const m5_rig_field m5_stem_order[] = {M5_BY_FAMILY, M5_BY_STEM, M5_BY_NAMES,
                                      M5_BY_JOINTS, M5_BY_PATH, M5_BY_END};
const m5_rig_field m5_joints_order[] = {M5_BY_FAMILY, M5_BY_NAMES, M5_BY_JOINTS, M5_BY_PATH,
                                        M5_BY_END};
const m5_rig_field m5_path_order[] = {M5_BY_FAMILY, M5_BY_PATH, M5_BY_END};

m5_rig_key m5_rig_key_of(const m5_rig *rig)
{
    return (m5_rig_key){m5_family_of(rig),     m5_folder_of(rig->name),
                        m5_stem_of(rig->name), {rig->name, strlen(rig->name) + 1},
                        rig->names_hash,       rig->joints_hash};
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_field(const m5_rig *rig, const m5_rig_key *k, m5_rig_field by)
{
    switch (by) {
    case M5_BY_FAMILY: return compare_numbers(m5_family_of(rig), k->family);
    case M5_BY_FOLDER: return compare_texts(m5_folder_of(rig->name), k->folder);
    case M5_BY_STEM: return compare_texts(m5_stem_of(rig->name), k->stem);
    case M5_BY_NAMES: return compare_numbers(rig->names_hash, k->names);
    case M5_BY_JOINTS: return compare_numbers(rig->joints_hash, k->joints);
    default: return strncmp(rig->name, k->path.at, k->path.length);
    }
}

static int compare(const m5_rig *rig, const m5_rig_key *k, const m5_rig_field *order,
                   unsigned fields)
{
    int found = 0;
    for (unsigned i = 0; i < fields && order[i] != M5_BY_END && found == 0; i++)
        found = compare_field(rig, k, order[i]);
    return found;
}

typedef struct sorting {
    const m5_rig *rigs;
    const m5_rig_field *order;
} sorting;

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const sorting *s = context;
    m5_rig_key k = m5_rig_key_of(&s->rigs[b]);
    int order = compare(&s->rigs[a], &k, s->order, M5_BY_END);
    return order != 0 ? order < 0 : a < b;
}

void m5_sort_rigs(const m5_pairs *p, uint32_t *list, uint32_t count, const m5_rig_field *order)
{
    sorting s = {p->rigs, order};
    m5_check_sort(list, count, is_before, &s);
}

uint32_t m5_find_rig(const m5_pairs *p, const uint32_t *list, uint32_t count, const m5_rig_key *k,
                     const m5_rig_field *order, unsigned fields, bool after)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int found = compare(&p->rigs[list[middle]], k, order, fields);
        if (found < 0 || (after && found == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

m5_rig_range m5_find_rigs(const m5_pairs *p, const uint32_t *list, const m5_rig_key *k,
                          const m5_rig_field *order, unsigned fields)
{
    uint32_t first = m5_find_rig(p, list, p->num_bases, k, order, fields, false);
    return (m5_rig_range){first,
                          m5_find_rig(p, list, p->num_bases, k, order, fields, true) - first};
}

m5_rig_range m5_find_rigs_near(const m5_pairs *p, const uint32_t *list, m5_rig_key *k,
                               const m5_rig_field *order, unsigned fields, const char *path)
{
    m5_rig_range found = {0, 0};
    for (k->path = m5_folder_of(path);; k->path = m5_parent_of(k->path)) {
        found = m5_find_rigs(p, list, k, order, fields);
        if (found.count != 0 || k->path.length == 0)
            return found;
    }
}
