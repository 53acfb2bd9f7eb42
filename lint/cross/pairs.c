/* Decides which files belong together: from declarations, their names and fingerprints, whatever
 * their order. */
#include "rig_lists.h"
#include "lint/core/check.h"
#include "lint/core/sort.h"
#include "lint/lint.h"

#include <string.h>

/* ---- What fits ------------------------------------------------------------------------------- */

/* Fills in the joints of bases that have the same ones as `rig`: all equal if there is such a base,
 * else with another spelling or other parents. */
static bool find_joints(const m5_pairs *p, const m5_rig *rig, m5_rig_key *k)
{
    k->names = rig->names_hash;
    k->joints = rig->joints_hash;
    if (!rig->known)
        return false;
    if (m5_find_rigs(p, p->by_joints, k, m5_joints_order, 3).count != 0)
        return true;
    m5_rig_range same_names = m5_find_rigs(p, p->by_joints, k, m5_joints_order, 2);
    if (same_names.count != 0)
        k->joints = p->rigs[p->by_joints[same_names.first]].joints_hash;
    return same_names.count != 0;
}

/* The base that fits and that the file is named after: hero for hero-walk in the nearest folder
 * that has one, and the longest of several; or models/hero for models/hero/walk. */
static uint32_t find_named(const m5_pairs *p, const char *path, m5_rig_key *k)
{
    for (m5_path_part folder = m5_folder_of(path);; folder = m5_parent_of(folder)) {
        k->path = folder;
        k->stem = m5_stem_of(path);
        do {
            m5_rig_range r = m5_find_rigs(p, p->by_stem, k, m5_stem_order, 5);
            if (r.count != 0)
                return p->by_stem[r.first];
        } while (m5_shorten_stem(&k->stem));
        if (folder.length == 0)
            return M5_NO_INDEX;
        m5_path_part around = m5_parent_of(folder);
        k->folder = around;
        k->stem = (m5_path_part){folder.at + around.length, folder.length - around.length - 1};
        m5_rig_range r = m5_find_rigs(p, p->by_folder, k, m5_folder_order, 3);
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
                           m5_family_of(last) != m5_family_of(rig)))
            p->distinct[p->num_distinct++] = p->by_joints[i];
    }
    m5_sort_rigs(p, p->distinct, p->num_distinct, m5_path_order);
}

static uint32_t count_common_folders(const char *a, const char *b)
{
    uint32_t folders = 0;
    for (; *a != '\0' && *a == *b; a++, b++)
        folders += *a == '/';
    return folders;
}

/* Whether one base, which shares as many names with a file as another, is more alike: it has fewer
 * others, or is nearer. */
static bool is_nearer(const m5_rig *rig, const m5_rig *base, const m5_rig *other)
{
    if (base->num_joints != other->num_joints)
        return base->num_joints < other->num_joints;
    return count_common_folders(rig->name, base->name) >
           count_common_folders(rig->name, other->name);
}

/* The base that shares most names with a file, and has the fewest others; the nearest if several
 * are alike. How many it shares goes to pair->shared. */
static uint32_t find_alike(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    m5_rig_key k = m5_rig_key_of(rig);
    uint32_t best = M5_NO_INDEX;
    uint32_t here = m5_find_rig(p, p->distinct, p->num_distinct, &k, m5_path_order, 2, false);
    uint32_t first = here > MOST_RIGS / 2 ? here - MOST_RIGS / 2 : 0;
    for (uint32_t i = first; i < p->num_distinct && i - first < MOST_RIGS; i++) {
        const m5_rig *base = &p->rigs[p->distinct[i]];
        uint32_t shared = m5_family_of(base) == k.family ? count_shared(rig, base) : 0;
        if (shared < pair->shared || shared == 0 ||
            (shared == pair->shared && !is_nearer(rig, base, &p->rigs[best])))
            continue;
        pair->shared = shared;
        best = p->distinct[i];
    }
    if (best == M5_NO_INDEX)
        return best;
    k.names = p->rigs[best].names_hash;
    k.joints = p->rigs[best].joints_hash;
    return p
        ->by_joints[m5_find_rigs_near(p, p->by_joints, &k, m5_joints_order, 4, rig->name).first];
}

/* ---- Decisions ------------------------------------------------------------------------------- */

static void take(m5_pair *pair, uint32_t base, m5_pair_reason reason)
{
    pair->base = base;
    pair->reason = reason;
}

/* The mesh of the model that plays an animation. Its boxes may be meant for other meshes only if
 * these are played, too. */
static bool take_declared(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    const m5_declared *d = p->declared != NULL ? &p->declared[rig - p->rigs] : NULL;
    if (d == NULL || d->source == NULL || !m5_lint_is_base(p->rigs[d->base].format) ||
        m5_family_of(&p->rigs[d->base]) != m5_family_of(rig))
        return false;
    take(pair, d->base, M5_PAIR_DECLARED);
    m5_rig_key k = m5_rig_key_of(rig);
    const m5_rig *base = &p->rigs[d->base];
    if (!d->shared || !rig->known || !base->known || rig->names_hash != base->names_hash)
        return true;
    k.names = base->names_hash;
    k.joints = base->joints_hash;
    m5_rig_range r = m5_find_rigs_near(p, p->by_joints, &k, m5_joints_order, 4, base->name);
    pair->equals = p->by_joints + r.first;
    pair->num_equals = r.count < M5_PAIR_MOST ? r.count : M5_PAIR_MOST;
    return true;
}

/* A base of the file's name in its folder. */
static bool take_same_name(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    m5_rig_key k = m5_rig_key_of(rig);
    m5_rig_range r = m5_find_rigs(p, p->by_folder, &k, m5_folder_order, 3);
    if (r.count != 0)
        take(pair, p->by_folder[r.first], M5_PAIR_NAME);
    return r.count != 0;
}

static bool take_fitting(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    m5_rig_key k = m5_rig_key_of(rig);
    if (!find_joints(p, rig, &k))
        return false;
    uint32_t named = find_named(p, rig->name, &k);
    if (named != M5_NO_INDEX) {
        take(pair, named, M5_PAIR_JOINTS);
        return true;
    }
    m5_rig_range r = m5_find_rigs_near(p, p->by_joints, &k, m5_joints_order, 4, rig->name);
    take(pair, p->by_joints[r.first], M5_PAIR_JOINTS);
    pair->equals = p->by_joints + r.first;
    pair->num_equals = r.count < M5_PAIR_MOST ? r.count : M5_PAIR_MOST;
    return true;
}

/* A base whose name begins that of the file, in its folder or the one around. */
static uint32_t find_stem(const m5_pairs *p, const m5_rig *rig)
{
    m5_rig_key k = m5_rig_key_of(rig);
    do {
        for (int up = 0; up < 2; up++) {
            k.folder = up ? m5_parent_of(m5_folder_of(rig->name)) : m5_folder_of(rig->name);
            m5_rig_range r = m5_find_rigs(p, p->by_folder, &k, m5_folder_order, 3);
            if (r.count != 0)
                return p->by_folder[r.first];
        }
    } while (m5_shorten_stem(&k.stem));
    return M5_NO_INDEX;
}

/* The only base of the file's folder, or of all (fields: 2 or 1). */
static uint32_t find_only(const m5_pairs *p, const m5_rig *rig, unsigned fields)
{
    m5_rig_key k = m5_rig_key_of(rig);
    m5_rig_range r = m5_find_rigs(p, p->by_folder, &k, m5_folder_order, fields);
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
static bool is_one_unknown(const m5_pairs *p, const m5_rig_key *k)
{
    m5_rig_range r = m5_find_rigs(p, p->by_folder, k, m5_folder_order, 2);
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
    if (m5_family_of(rig) == M5_FAMILY_ILL && rig->known && nearest.shared == rig->num_joints) {
        take(pair, alike, M5_PAIR_JOINTS); /* an illanim may move some of the bones only */
        return;
    }
    offer(p, rig, pair, find_stem(p, rig), M5_PAIR_STEM);
    if (alike != M5_NO_INDEX && is_close(p, rig, alike, nearest.shared))
        offer(p, rig, pair, alike, M5_PAIR_ALIKE);
    offer(p, rig, pair, find_only(p, rig, 2), M5_PAIR_FOLDER);
    if (p->named)
        offer(p, rig, pair, find_only(p, rig, 1), M5_PAIR_ONLY);
    m5_rig_key k = m5_rig_key_of(rig);
    if (pair->base != M5_NO_INDEX || !rig->known || is_one_unknown(p, &k))
        return;
    pair->others = p->num_known[k.family];
    pair->shared = nearest.shared;
    if (pair->others != 0)
        take(pair, alike, M5_PAIR_MISSING);
}

/* The skeletons for an illmesh have no names to compare: its name and folder decide, and how many
 * bones it needs. */
static void take_skeleton(const m5_pairs *p, const m5_rig *rig, m5_pair *pair)
{
    m5_rig_key k = m5_rig_key_of(rig);
    uint32_t found = find_stem(p, rig), fitting = 0, most = 0;
    if (found != M5_NO_INDEX) {
        take(pair, found, M5_PAIR_STEM);
        return;
    }
    m5_rig_range r = m5_find_rigs(p, p->by_stem, &k, m5_stem_order, 2);
    if (r.count == 1) {
        take(pair, p->by_stem[r.first], M5_PAIR_STEM);
        return;
    }
    r = m5_find_rigs(p, p->by_folder, &k, m5_folder_order, 2);
    if (r.count == 0 && p->named)
        r = m5_find_rigs(p, p->by_folder, &k, m5_folder_order, 1);
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
    else if (bit & (M5_IN_MD5ANIM | M5_IN_ILLANIM) && !take_declared(p, rig, pair) &&
             !take_same_name(p, rig, pair) && !take_fitting(p, rig, pair))
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

/* Chains the illmeshes and illanims of each base, in the memory of lists that are not needed any
 * more. */
static void chain_files(m5_pairs *p)
{
    p->first_mesh = p->by_folder;
    p->first_anim = p->by_stem;
    p->next = p->distinct;
    for (uint32_t i = 0; i < p->count; i++)
        p->first_mesh[i] = p->first_anim[i] = M5_NO_INDEX;
    for (uint32_t i = p->count; i-- > 0;) {
        uint32_t file = p->order[i], base = p->list[file].base;
        const m5_format *format = p->rigs[file].format;
        unsigned bit = format != NULL ? m5_format_bit(format) : 0;
        if (base == M5_NO_INDEX || p->list[file].reason == M5_PAIR_MISSING)
            continue;
        uint32_t *first = bit & M5_IN_ILLMESH ? p->first_mesh : p->first_anim;
        if (bit & (M5_IN_ILLMESH | M5_IN_ILLANIM)) {
            p->next[file] = first[base];
            first[base] = file;
        }
    }
}

/* The order of a group: bases, the illmeshes and illanims that skeletons and each other are
 * compared with, and all others. */
enum { BASE, SEEN_MESH, SEEN_ANIM, OTHER };

/* Gives a rank to the first files of a chain. */
static void rank_seen(m5_pairs *p, uint32_t at, uint32_t rank)
{
    for (int seen = 0; at != M5_NO_INDEX && seen < M5_PAIR_SEEN; seen++, at = p->next[at])
        p->rank[at] = rank;
}

/* Animations are looked at for the sake of meshes only. */
static void rank_files(m5_pairs *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        p->rank[i] = m5_lint_is_base(p->rigs[i].format) ? BASE : OTHER;
    for (uint32_t i = 0; i < p->count; i++) {
        rank_seen(p, p->first_mesh[i], SEEN_MESH);
        if (p->first_mesh[i] != M5_NO_INDEX)
            rank_seen(p, p->first_anim[i], SEEN_ANIM);
    }
}

static bool is_shown_before(const void *context, uint32_t a, uint32_t b)
{
    const m5_pairs *p = context;
    uint32_t x = p->place[p->group[a]], y = p->place[p->group[b]];
    if (x != y)
        return x < y;
    return p->rank[a] != p->rank[b] ? p->rank[a] < p->rank[b] : p->place[a] < p->place[b];
}

static void form_groups(m5_pairs *p)
{
    static const m5_rig_field whole_path[] = {M5_BY_PATH, M5_BY_END};
    for (uint32_t i = 0; i < p->count; i++)
        p->order[i] = p->group[i] = i;
    m5_sort_rigs(p, p->order, p->count, whole_path);
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
    chain_files(p);
    rank_files(p);
    m5_check_sort(p->order, p->count, is_shown_before, p);
    for (uint32_t i = 0; i < p->count; i++)
        p->place[p->order[i]] = i;
}

uint32_t m5_pairs_end(const m5_pairs *p, uint32_t at)
{
    uint32_t group = p->group[p->order[at]], end = p->count;
    while (at < end) {
        uint32_t middle = at + (end - at) / 2;
        if (p->group[p->order[middle]] == group)
            at = middle + 1;
        else
            end = middle;
    }
    return end;
}

uint32_t m5_pairs_needed(const m5_pairs *p, uint32_t begin, uint32_t end)
{
    uint32_t needed = begin;
    while (needed < end && p->rank[p->order[needed]] != OTHER)
        needed++;
    return needed - begin;
}

/* ---- All ------------------------------------------------------------------------------------- */

static void sort_bases(m5_pairs *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (!m5_lint_is_base(p->rigs[i].format))
            continue;
        p->by_folder[p->num_bases++] = i;
        p->num_known[m5_family_of(&p->rigs[i])] += p->rigs[i].known;
    }
    memcpy(p->by_stem, p->by_folder, p->num_bases * sizeof *p->by_stem);
    memcpy(p->by_joints, p->by_folder, p->num_bases * sizeof *p->by_joints);
    m5_sort_rigs(p, p->by_folder, p->num_bases, m5_folder_order);
    m5_sort_rigs(p, p->by_stem, p->num_bases, m5_stem_order);
    m5_sort_rigs(p, p->by_joints, p->num_bases, m5_joints_order);
    list_rigs(p);
}

enum { ARRAYS = 8 };

size_t m5_pairs_memory(size_t count)
{
    return count * (sizeof(m5_pair) + ARRAYS * sizeof(uint32_t));
}

void m5_pairs_find(m5_pairs *p, const m5_rig *rigs, const m5_declared *declared, uint32_t count,
                   bool named, void *memory)
{
    *p = (m5_pairs){
        .rigs = rigs, .declared = declared, .count = count, .named = named, .list = memory};
    uint32_t *rest = (uint32_t *)(void *)(p->list + count);
    uint32_t **arrays[ARRAYS] = {&p->by_folder, &p->by_stem, &p->by_joints, &p->distinct,
                                 &p->place,     &p->group,   &p->order,     &p->rank};
    for (int i = 0; i < ARRAYS; i++)
        *arrays[i] = rest + (size_t)i * count;
    sort_bases(p);
    for (uint32_t i = 0; i < count; i++) {
        p->list[i] = (m5_pair){.base = M5_NO_INDEX};
        decide(p, &rigs[i], &p->list[i]);
    }
    form_groups(p);
}
