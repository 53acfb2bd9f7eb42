/* Decides which files belong together: from their names and fingerprints, whatever their order. */
#include "lint/core/check.h"
#include "lint/core/sort.h"
#include "lint/lint.h"

#include <string.h>

/* ---- Names of files -------------------------------------------------------------------------- */

typedef struct text {
    const char *at;
    size_t length;
} text;

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The folder with its last slash; empty without one. */
static text folder_of(const char *path)
{
    return (text){path, (size_t)(base_of(path) - path)};
}

/* The folder that a folder is in. */
static text parent_of(text folder)
{
    size_t length = folder.length == 0 ? 0 : folder.length - 1;
    while (length > 0 && folder.at[length - 1] != '/')
        length--;
    return (text){folder.at, length};
}

static text stem_of(const char *path)
{
    const char *base = base_of(path), *dot = strrchr(base, '.');
    return (text){base, dot != NULL ? (size_t)(dot - base) : strlen(base)};
}

static int compare_texts(text a, text b)
{
    int order = memcmp(a.at, b.at, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static bool goes_on(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Shortens a stem to where a name may end: hero-walk to hero. False if that is the empty name. */
static bool shorten(text *stem)
{
    while (stem->length > 1) {
        stem->length--;
        if (!goes_on(stem->at[stem->length]))
            return true;
    }
    return false;
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* The families of formats whose files belong together; each has files that others are compared
 * with, its bases: meshes, and skeletons of ill*. */
typedef enum family { MD5, ILL, NO_FAMILY } family;

static family family_of(const m5_rig *rig)
{
    unsigned bit = rig->format != NULL ? m5_format_bit(rig->format) : 0;
    return bit & M5_IN_MD5 ? MD5 : bit & M5_IN_ILL ? ILL : NO_FAMILY;
}

static bool is_base(const m5_rig *rig)
{
    return m5_lint_is_base(rig->format);
}

/* What bases are sorted and looked up by; the last field of an order may be given in part. */
typedef enum field { FAMILY, FOLDER, STEM, NAMES, JOINTS, PATH, END } field;

typedef struct key {
    family family;
    text folder, stem, path; /* path: how it begins */
    uint64_t names, joints;
} key;

static const field folder_order[] = {FAMILY, FOLDER, STEM, PATH, END};
static const field stem_order[] = {FAMILY, STEM, NAMES, JOINTS, PATH, END};
static const field joints_order[] = {FAMILY, NAMES, JOINTS, PATH, END};
static const field path_order[] = {FAMILY, PATH, END};

static key key_of(const m5_rig *rig)
{
    return (key){family_of(rig),     folder_of(rig->name),
                 stem_of(rig->name), {rig->name, strlen(rig->name) + 1},
                 rig->names_hash,    rig->joints_hash};
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_field(const m5_rig *rig, const key *k, field by)
{
    switch (by) {
    case FAMILY: return compare_numbers(family_of(rig), k->family);
    case FOLDER: return compare_texts(folder_of(rig->name), k->folder);
    case STEM: return compare_texts(stem_of(rig->name), k->stem);
    case NAMES: return compare_numbers(rig->names_hash, k->names);
    case JOINTS: return compare_numbers(rig->joints_hash, k->joints);
    default: return strncmp(rig->name, k->path.at, k->path.length);
    }
}

static int compare(const m5_rig *rig, const key *k, const field *order, unsigned fields)
{
    int found = 0;
    for (unsigned i = 0; i < fields && order[i] != END && found == 0; i++)
        found = compare_field(rig, k, order[i]);
    return found;
}

typedef struct sorting {
    const m5_rig *rigs;
    const field *order;
} sorting;

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const sorting *s = context;
    key k = key_of(&s->rigs[b]);
    int order = compare(&s->rigs[a], &k, s->order, END);
    return order != 0 ? order < 0 : a < b;
}

static void sort(const m5_pairs *p, uint32_t *list, uint32_t count, const field *order)
{
    sorting s = {p->rigs, order};
    m5_check_sort(list, count, is_before, &s);
}

typedef struct range {
    uint32_t first, count;
} range;

/* The first base of a sorted list that comes after the key, or is equal to it. */
static uint32_t find_end(const m5_pairs *p, const uint32_t *list, uint32_t count, const key *k,
                         const field *order, unsigned fields, bool after)
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

/* The bases whose first `fields` fields are as in the key. */
static range find(const m5_pairs *p, const uint32_t *list, const key *k, const field *order,
                  unsigned fields)
{
    uint32_t first = find_end(p, list, p->num_bases, k, order, fields, false);
    return (range){first, find_end(p, list, p->num_bases, k, order, fields, true) - first};
}

/* The same, in the nearest folder that has one: that of `path`, or the next one around it. `fields`
 * counts the path. */
static range find_nearest(const m5_pairs *p, const uint32_t *list, key *k, const field *order,
                          unsigned fields, const char *path)
{
    range found = {0, 0};
    for (k->path = folder_of(path);; k->path = parent_of(k->path)) {
        found = find(p, list, k, order, fields);
        if (found.count != 0 || k->path.length == 0)
            return found;
    }
}

/* ---- What fits ------------------------------------------------------------------------------- */

/* Fills in the joints of bases that have the same ones as `rig`: all equal if there is such a base,
 * else with another spelling or other parents. */
static bool find_joints(const m5_pairs *p, const m5_rig *rig, key *k)
{
    k->names = rig->names_hash;
    k->joints = rig->joints_hash;
    if (!rig->known)
        return false;
    if (find(p, p->by_joints, k, joints_order, 3).count != 0)
        return true;
    range same_names = find(p, p->by_joints, k, joints_order, 2);
    if (same_names.count != 0)
        k->joints = p->rigs[p->by_joints[same_names.first]].joints_hash;
    return same_names.count != 0;
}

/* The base that fits and that the file is named after: hero for hero-walk in the nearest folder
 * that has one, and the longest of several; or models/hero for models/hero/walk. */
static uint32_t find_named(const m5_pairs *p, const char *path, key *k)
{
    for (text folder = folder_of(path);; folder = parent_of(folder)) {
        k->path = folder;
        k->stem = stem_of(path);
        do {
            range r = find(p, p->by_stem, k, stem_order, 5);
            if (r.count != 0)
                return p->by_stem[r.first];
        } while (shorten(&k->stem));
        if (folder.length == 0)
            return M5_NO_INDEX;
        text around = parent_of(folder);
        k->folder = around;
        k->stem = (text){folder.at + around.length, folder.length - around.length - 1};
        range r = find(p, p->by_folder, k, folder_order, 3);
        for (uint32_t i = 0; i < r.count; i++) {
            const m5_rig *base = &p->rigs[p->by_folder[r.first + i]];
            if (base->known && base->joints_hash == k->joints)
                return p->by_folder[r.first + i];
        }
    }
}

/* ---- What is most alike ---------------------------------------------------------------------- */

enum { MOST_RIGS = 256 }; /* that a file is compared with if none fits: the nearest ones */

static uint32_t count_shared(const m5_rig *a, const m5_rig *b)
{
    uint32_t shared = 0, i = 0, k = 0;
    while (a->known && b->known && i < a->num_joints && k < b->num_joints) {
        uint32_t x = a->names[i], y = b->names[k];
        shared += x == y;
        i += x <= y;
        k += y <= x;
    }
    return shared;
}

/* One base for each set of joints. */
static void list_rigs(m5_pairs *p)
{
    for (uint32_t i = 0; i < p->num_bases; i++) {
        const m5_rig *rig = &p->rigs[p->by_joints[i]];
        const m5_rig *last = i != 0 ? &p->rigs[p->by_joints[i - 1]] : NULL;
        if (rig->known && (last == NULL || !last->known || last->names_hash != rig->names_hash ||
                           family_of(last) != family_of(rig)))
            p->distinct[p->num_distinct++] = p->by_joints[i];
    }
    sort(p, p->distinct, p->num_distinct, path_order);
}

/* The base that shares most names with a file, and has the fewest others; the nearest if several
 * have the same joints. How many it shares goes to pair->shared. */
static uint32_t find_alike(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    key k = key_of(rig);
    uint32_t best = M5_NO_INDEX;
    uint32_t here = find_end(p, p->distinct, p->num_distinct, &k, path_order, 2, false);
    uint32_t first = here > MOST_RIGS / 2 ? here - MOST_RIGS / 2 : 0;
    for (uint32_t i = first; i < p->num_distinct && i - first < MOST_RIGS; i++) {
        const m5_rig *base = &p->rigs[p->distinct[i]];
        uint32_t shared = family_of(base) == k.family ? count_shared(rig, base) : 0;
        if (shared < pair->shared || shared == 0 ||
            (shared == pair->shared && base->num_joints >= p->rigs[best].num_joints))
            continue;
        pair->shared = shared;
        best = p->distinct[i];
    }
    if (best == M5_NO_INDEX)
        return best;
    k.names = p->rigs[best].names_hash;
    k.joints = p->rigs[best].joints_hash;
    return p->by_joints[find_nearest(p, p->by_joints, &k, joints_order, 4, rig->name).first];
}

/* ---- Decisions ------------------------------------------------------------------------------- */

static void take(m5_pair *pair, uint32_t base, m5_pair_reason reason)
{
    pair->base = base;
    pair->reason = reason;
}

/* A base of the file's name in its folder. */
static bool take_same_name(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    key k = key_of(rig);
    range r = find(p, p->by_folder, &k, folder_order, 3);
    if (r.count != 0)
        take(pair, p->by_folder[r.first], M5_PAIR_NAME);
    return r.count != 0;
}

static bool take_fitting(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    key k = key_of(rig);
    if (!find_joints(p, rig, &k))
        return false;
    uint32_t named = find_named(p, rig->name, &k);
    if (named != M5_NO_INDEX) {
        take(pair, named, M5_PAIR_JOINTS);
        return true;
    }
    range r = find_nearest(p, p->by_joints, &k, joints_order, 4, rig->name);
    take(pair, p->by_joints[r.first], M5_PAIR_JOINTS);
    pair->equals = p->by_joints + r.first;
    pair->num_equals = r.count < M5_PAIR_MOST ? r.count : M5_PAIR_MOST;
    return true;
}

/* A base whose name begins that of the file, in its folder or the one around. */
static uint32_t find_stem(const m5_pairs *p, const m5_rig *rig)
{
    key k = key_of(rig);
    do {
        for (int up = 0; up < 2; up++) {
            k.folder = up ? parent_of(folder_of(rig->name)) : folder_of(rig->name);
            range r = find(p, p->by_folder, &k, folder_order, 3);
            if (r.count != 0)
                return p->by_folder[r.first];
        }
    } while (shorten(&k.stem));
    return M5_NO_INDEX;
}

/* The only base of the file's folder, or of all (fields: 2 or 1). */
static uint32_t find_only(const m5_pairs *p, const m5_rig *rig, unsigned fields)
{
    key k = key_of(rig);
    range r = find(p, p->by_folder, &k, folder_order, fields);
    return r.count == 1 ? p->by_folder[r.first] : M5_NO_INDEX;
}

/* Takes a base if it shares more names than the one before. */
static void offer(const m5_pairs *p, const m5_rig *rig, m5_pair *pair, uint32_t base,
                  m5_pair_reason reason)
{
    if (base == M5_NO_INDEX)
        return;
    uint32_t shared = count_shared(rig, &p->rigs[base]);
    if (pair->base != M5_NO_INDEX && shared <= pair->shared)
        return;
    take(pair, base, reason);
    pair->shared = shared;
}

/* Whether all names are shared but one, or 95% of them. */
static bool is_close(const m5_pairs *p, const m5_rig *rig, uint32_t base, uint32_t shared)
{
    uint32_t other = p->rigs[base].num_joints;
    uint32_t most = rig->num_joints > other ? rig->num_joints : other;
    return shared != 0 && (shared + 1 >= most || 20 * (uint64_t)shared >= 19 * (uint64_t)most);
}

/* Whether a base in the file's folder could not be read: it may be the right one. */
static bool is_one_unknown(const m5_pairs *p, const key *k)
{
    range r = find(p, p->by_folder, k, folder_order, 2);
    for (uint32_t i = 0; i < r.count && i < MOST_RIGS; i++)
        if (!p->rigs[p->by_folder[r.first + i]].known)
            return true;
    return false;
}

/* No base has the file's joints: decides whether one of them was meant to. */
static void take_other(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    m5_pair nearest = {.base = M5_NO_INDEX};
    uint32_t alike = find_alike(p, rig, &nearest);
    if (family_of(rig) == ILL && rig->known && nearest.shared == rig->num_joints) {
        take(pair, alike, M5_PAIR_JOINTS); /* an illanim may move some of the bones only */
        return;
    }
    offer(p, rig, pair, find_stem(p, rig), M5_PAIR_STEM);
    if (alike != M5_NO_INDEX && is_close(p, rig, alike, nearest.shared))
        offer(p, rig, pair, alike, M5_PAIR_ALIKE);
    offer(p, rig, pair, find_only(p, rig, 2), M5_PAIR_FOLDER);
    if (p->named)
        offer(p, rig, pair, find_only(p, rig, 1), M5_PAIR_ONLY);
    key k = key_of(rig);
    if (pair->base != M5_NO_INDEX || !rig->known || is_one_unknown(p, &k))
        return;
    pair->others = find(p, p->by_folder, &k, folder_order, 1).count;
    pair->shared = nearest.shared;
    if (pair->others != 0)
        take(pair, alike, M5_PAIR_MISSING);
}

/* The skeletons for an illmesh have no names to compare: its name and folder decide, and how many
 * bones it needs. */
static void take_skeleton(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    key k = key_of(rig);
    uint32_t found = find_stem(p, rig), fitting = 0, most = 0;
    if (found != M5_NO_INDEX) {
        take(pair, found, M5_PAIR_STEM);
        return;
    }
    range r = find(p, p->by_stem, &k, stem_order, 2);
    if (r.count == 1) {
        take(pair, p->by_stem[r.first], M5_PAIR_STEM);
        return;
    }
    r = find(p, p->by_folder, &k, folder_order, 2);
    if (r.count == 0 && p->named)
        r = find(p, p->by_folder, &k, folder_order, 1);
    for (uint32_t i = 0; i < r.count && i < MOST_RIGS; i++) {
        uint32_t base = p->by_folder[r.first + i], bones = p->rigs[base].num_joints;
        fitting += bones >= rig->num_joints;
        most = bones > most ? bones : most;
        found = bones == most ? base : found;
    }
    if (fitting <= 1)
        take(pair, found, M5_PAIR_FOLDER);
}

static void decide(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    unsigned bit = rig->format != NULL ? m5_format_bit(rig->format) : 0;
    if (bit & M5_IN_ILLMESH)
        take_skeleton(p, rig, pair);
    else if (bit & (M5_IN_MD5ANIM | M5_IN_ILLANIM) && !take_same_name(p, rig, pair) &&
             !take_fitting(p, rig, pair))
        take_other(p, rig, pair);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* The file that stands for a group: the first of it by path. */
static uint32_t leader(m5_pairs *p, uint32_t i)
{
    while (p->group[i] != i)
        i = p->group[i] = p->group[p->group[i]];
    return i;
}

static void join(m5_pairs *p, uint32_t a, uint32_t b)
{
    a = leader(p, a);
    b = leader(p, b);
    if (p->place[a] < p->place[b])
        p->group[b] = a;
    else
        p->group[a] = b;
}

static bool is_shown_before(const void *context, uint32_t a, uint32_t b)
{
    const m5_pairs *p = context;
    uint32_t x = p->place[p->group[a]], y = p->place[p->group[b]];
    if (x != y)
        return x < y;
    bool base = is_base(&p->rigs[a]);
    return base != is_base(&p->rigs[b]) ? base : p->place[a] < p->place[b];
}

static void form_groups(m5_pairs *p)
{
    static const field whole_path[] = {PATH, END};
    for (uint32_t i = 0; i < p->count; i++)
        p->order[i] = p->group[i] = i;
    sort(p, p->order, p->count, whole_path);
    for (uint32_t i = 0; i < p->count; i++)
        p->place[p->order[i]] = i;
    for (uint32_t i = 0; i < p->count; i++) {
        const m5_pair *pair = &p->list[i];
        if (pair->base != M5_NO_INDEX && pair->reason != M5_PAIR_MISSING)
            join(p, i, pair->base);
        for (uint32_t k = 0; k < pair->num_equals; k++)
            join(p, i, pair->equals[k]);
    }
    for (uint32_t i = 0; i < p->count; i++)
        p->group[i] = leader(p, i);
    m5_check_sort(p->order, p->count, is_shown_before, p);
    for (uint32_t i = 0; i < p->count; i++)
        p->place[p->order[i]] = i;
}

uint32_t m5_pairs_end(const m5_pairs *p, uint32_t at)
{
    uint32_t group = p->group[p->order[at]];
    while (at < p->count && p->group[p->order[at]] == group)
        at++;
    return at;
}

/* ---- All ------------------------------------------------------------------------------------- */

static void sort_bases(m5_pairs *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (is_base(&p->rigs[i]))
            p->by_folder[p->num_bases++] = i;
    memcpy(p->by_stem, p->by_folder, p->num_bases * sizeof *p->by_stem);
    memcpy(p->by_joints, p->by_folder, p->num_bases * sizeof *p->by_joints);
    sort(p, p->by_folder, p->num_bases, folder_order);
    sort(p, p->by_stem, p->num_bases, stem_order);
    sort(p, p->by_joints, p->num_bases, joints_order);
    list_rigs(p);
}

enum { ARRAYS = 7 };

size_t m5_pairs_memory(size_t count)
{
    return count * (sizeof(m5_pair) + ARRAYS * sizeof(uint32_t));
}

void m5_pairs_find(m5_pairs *p, const m5_rig *rigs, uint32_t count, bool named, void *memory)
{
    *p = (m5_pairs){.rigs = rigs, .count = count, .named = named, .list = memory};
    uint32_t *rest = (uint32_t *)(void *)(p->list + count);
    uint32_t **arrays[ARRAYS] = {&p->by_folder, &p->by_stem, &p->by_joints, &p->distinct,
                                 &p->place,     &p->group,   &p->order};
    for (int i = 0; i < ARRAYS; i++)
        *arrays[i] = rest + (size_t)i * count;
    sort_bases(p);
    for (uint32_t i = 0; i < count; i++) {
        p->list[i] = (m5_pair){.base = M5_NO_INDEX};
        decide(p, &rigs[i], &p->list[i]);
    }
    form_groups(p);
}
