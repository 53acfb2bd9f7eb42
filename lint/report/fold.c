/* Folds findings that have one cause: see fold.h. */
#include "fold.h"
#include "lint/core/sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Rules about joints that a mesh and its animations all have, and rules that compare joints and
 * bind pose: there the cause may be in the mesh. What depends on the frames is not among them. */
static const m5_rule *const shared[] = {
    M5_LINT_ROW(md5_joint_name_duplicate),
    M5_LINT_ROW(md5_joint_name_case),
    M5_LINT_ROW(md5_joint_name_empty),
    M5_LINT_ROW(md5_joint_name_space),
    M5_LINT_ROW(md5_joint_name_length),
    M5_LINT_ROW(md5_joint_parent_comment),
    M5_LINT_ROW(md5_joint_count_limit),
    M5_LINT_ROW(pack_pair_split),
    M5_LINT_ROW(cross_joint_count),
    M5_LINT_ROW(cross_joint_name),
    M5_LINT_ROW(cross_joint_name_case),
    M5_LINT_ROW(cross_joint_name_order),
    M5_LINT_ROW(cross_joint_parent),
    M5_LINT_ROW(cross_bind_scale),
    M5_LINT_ROW(cross_bind_space),
    M5_LINT_ROW(cross_bind_bone_length),
    M5_LINT_ROW(cross_bind_one_bone),
    M5_LINT_ROW(cross_bind_exchanged),
    M5_LINT_ROW(cross_bind_axes),
    M5_LINT_ROW(cross_bind_inverted),
    M5_LINT_ROW(cross_ill_anim_unknown_bone),
    M5_LINT_ROW(cross_ill_anim_missing_bone),
    M5_LINT_ROW(cross_ill_anim_no_match),
    M5_LINT_ROW(cross_ill_bind_scale),
    M5_LINT_ROW(cross_ill_bind_one_bone),
    M5_LINT_ROW(cross_ill_bind_axes),
    M5_LINT_ROW(cross_ill_bind_vs_anim),
};

/* Rules that say the same of a mesh and of an animation. */
static const struct {
    const m5_rule *mesh, *anim;
} twins[] = {
    {M5_LINT_ROW(md5mesh_joint_multiple_roots), M5_LINT_ROW(md5anim_multiple_roots)},
    {M5_ROW(md5mesh_joint_parent_range), M5_ROW(md5anim_parent_range)},
    {M5_ROW(md5mesh_joint_parent_order), M5_ROW(md5anim_parent_order)},
};

/* The rule by which findings are compared, or NULL if they are not folded. */
static const m5_rule *common_rule(const m5_rule *rule)
{
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
        if (rule == twins[i].mesh || rule == twins[i].anim)
            return twins[i].mesh;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (rule == shared[i])
            return rule;
    return NULL;
}

bool m5_may_fold(const m5_rule *rule)
{
    return common_rule(rule) != NULL;
}

/* ---- Causes ---------------------------------------------------------------------------------- */

/* A finding, and what is compared of it. The message is split where it names the finding's file. */
typedef struct item {
    m5_finding *finding;
    const m5_rule *rule;
    const m5_lint_file *base; /* a mesh or skeleton is its own */
    uint32_t file;
    uint32_t before;   /* the length of the message up to the file's name */
    const char *after; /* the rest of it */
    uint64_t hash;     /* equal if all else is */
} item;

static void split_message(item *it, const char *path)
{
    const char *message = it->finding->diag.message, *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    it->after = message;
    for (const char *p = message; *name != '\0' && (p = strstr(p, name)) != NULL; p++)
        if (p > message && p[-1] == '\'' && p[length] == '\'') {
            it->before = (uint32_t)(p - message);
            it->after = p + length;
            return;
        }
}

static uint64_t add_to_hash(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return hash;
}

static uint64_t hash_of(const item *it)
{
    uint64_t hash = add_to_hash(UINT64_C(0xcbf29ce484222325), it->finding->diag.message,
                                it->before);
    return add_to_hash(hash ^ it->rule->number, it->after, strlen(it->after));
}

/* A number for a related place: 0 in the finding's own file, where other files have it elsewhere.
 */
static uint64_t place_of(const item *it, const m5_related *related, const m5_fold_file *files)
{
    return related->source == &files[it->file].file->source ? 0 : (uint64_t)related->at.offset + 1;
}

typedef struct table {
    const m5_fold_file *files;
    item *list;
    uint32_t *order; /* of the list */
    uint32_t count;
} table;

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_related(const table *t, const item *a, const item *b)
{
    const m5_diag *x = &a->finding->diag, *y = &b->finding->diag;
    int order = compare_numbers(x->num_related, y->num_related);
    for (uint32_t i = 0; i < x->num_related && order == 0; i++) {
        order = compare_numbers(place_of(a, &x->related[i], t->files),
                                place_of(b, &y->related[i], t->files));
        if (order == 0)
            order = strcmp(x->related[i].message, y->related[i].message);
    }
    return order;
}

/* Returns 0 if two findings have one cause. */
static int compare(const table *t, const item *a, const item *b)
{
    int order = compare_numbers(a->hash, b->hash);
    if (order == 0)
        order = compare_numbers((uintptr_t)a->base, (uintptr_t)b->base);
    if (order == 0)
        order = compare_numbers(a->rule->number, b->rule->number);
    if (order == 0)
        order = compare_numbers(a->finding->diag.severity, b->finding->diag.severity);
    if (order == 0)
        order = compare_numbers(a->before, b->before);
    if (order == 0)
        order = memcmp(a->finding->diag.message, b->finding->diag.message, a->before);
    if (order == 0)
        order = strcmp(a->after, b->after);
    return order != 0 ? order : compare_related(t, a, b);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const table *t = context;
    int order = compare(t, &t->list[a], &t->list[b]);
    return order != 0 ? order < 0 : a < b;
}

/* ---- Folding --------------------------------------------------------------------------------- */

static const m5_lint_file *base_of(const m5_lint_file *file)
{
    bool is_base = file->model.md5mesh != NULL || file->model.illskel != NULL;
    return is_base ? file : file->base;
}

/* Only a mesh, a skeleton and their animations are folded. */
static bool is_folded(const m5_lint_file *file)
{
    return base_of(file) != NULL && file->model.illmesh == NULL;
}

static size_t most_items(const m5_fold_file *files, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += is_folded(files[i].file) ? files[i].found->kept : 0;
    return most;
}

static void list_file(table *t, uint32_t file)
{
    const m5_fold_file *f = &t->files[file];
    if (!is_folded(f->file))
        return;
    for (m5_finding *found = f->found->first; found != NULL; found = found->next) {
        const m5_rule *rule = common_rule(found->diag.rule);
        if (rule == NULL)
            continue;
        item *it = &t->list[t->count];
        *it = (item){.finding = found, .rule = rule, .base = base_of(f->file), .file = file};
        split_message(it, f->file->source.name);
        it->hash = hash_of(it);
        t->order[t->count] = t->count;
        t->count++;
    }
}

/* Folds the items from `begin` to `end`, which have one cause, into the first. A file that has it
 * twice keeps one of its own. Returns the next free place in `also`. */
static const char **fold_one(const table *t, uint32_t begin, uint32_t end, const char **also)
{
    const item *first = &t->list[t->order[begin]];
    uint32_t last = first->file;
    first->finding->also = also;
    for (uint32_t i = begin + 1; i < end; i++) {
        const item *it = &t->list[t->order[i]];
        m5_collector *found = t->files[it->file].found;
        const m5_diag *d = &it->finding->diag;
        if (it->file == last)
            continue;
        last = it->file;
        it->finding->folded = true;
        m5_collector_counts(found, d->rule->number)->folded[d->severity - 1]++;
        found->folded[d->severity]++;
        *also++ = t->files[it->file].file->source.name;
        first->finding->num_also++;
    }
    return also;
}

static void fold_all(table *t, const char **also)
{
    m5_check_sort(t->order, t->count, is_before, t);
    for (uint32_t begin = 0, end; begin < t->count; begin = end) {
        const item *first = &t->list[t->order[begin]];
        for (end = begin + 1; end < t->count; end++)
            if (compare(t, first, &t->list[t->order[end]]) != 0)
                break;
        also = fold_one(t, begin, end, also);
    }
}

void *m5_fold(const m5_fold_file *files, size_t count)
{
    size_t most = most_items(files, count) + 1;
    table t = {.files = files,
               .list = malloc(most * sizeof *t.list),
               .order = malloc(most * sizeof *t.order)};
    const char **also = malloc(most * sizeof *also);
    if (also != NULL && t.list != NULL && t.order != NULL) {
        for (size_t i = 0; i < count; i++)
            list_file(&t, (uint32_t)i);
        fold_all(&t, also);
    } else {
        free(also);
        also = NULL;
    }
    free(t.list);
    free(t.order);
    return also;
}
