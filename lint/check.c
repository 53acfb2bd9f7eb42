#include "check.h"

#include <string.h>

bool check_wanted(const m5_lint_file *f, const m5_rule *rule)
{
    return m5_would_say(&f->report, rule, DBL_MAX) != M5_SILENT;
}

m5_diag check_at(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n)
{
    return m5_found(rule, m5_lex_nth(&f->source, offset, n));
}

m5_diag check_at_record(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n)
{
    m5_span last = m5_lex_nth(&f->source, offset, n);
    return m5_found(rule, (m5_span){offset, last.offset + last.length - offset});
}

void *check_scratch(m5_lint_file *f, size_t count, size_t size)
{
    return m5_arena_take(&f->arena, count, size);
}

/* ---- Heap sort ------------------------------------------------------------------------------- */

typedef bool (*less_than)(const void *context, uint32_t a, uint32_t b);

static void sift_down(uint32_t *heap, uint32_t root, uint32_t count, less_than less,
                      const void *context)
{
    uint32_t item = heap[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && less(context, heap[child], heap[child + 1]))
            child++;
        if (!less(context, item, heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = item;
}

void check_sort(uint32_t *index, uint32_t count, less_than less, const void *context)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(index, i, count, less, context);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t top = index[0];
        index[0] = index[end];
        index[end] = top;
        sift_down(index, 0, end, less, context);
    }
}

/* ---- Names ----------------------------------------------------------------------------------- */

static int fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static int compare_folded(const uint8_t *a, uint32_t a_length, const uint8_t *b, uint32_t b_length)
{
    for (uint32_t i = 0; i < a_length && i < b_length; i++)
        if (fold(a[i]) != fold(b[i]))
            return fold(a[i]) - fold(b[i]);
    return (a_length > b_length) - (a_length < b_length);
}

int check_compare_names(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    const uint8_t *x = a_in->bytes + a.offset, *y = b_in->bytes + b.offset;
    int order = compare_folded(x, a.length, y, b.length);
    return order != 0 ? order : memcmp(x, y, a.length);
}

bool check_same_but_case(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    return compare_folded(a_in->bytes + a.offset, a.length, b_in->bytes + b.offset, b.length) == 0;
}

typedef struct names {
    const m5_source *source;
    const m5_md5_joint *joints;
} names;

static bool name_less(const void *context, uint32_t a, uint32_t b)
{
    const names *n = context;
    int order = check_compare_names(n->source, n->joints[a].name, n->source, n->joints[b].name);
    return order != 0 ? order < 0 : a < b;
}

static const uint32_t *sort_names(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count)
{
    uint32_t *index = m5_arena_keep(&f->arena, count * sizeof *index);
    if (index == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        index[i] = i;
    check_sort(index, count, name_less, &(names){&f->source, joints});
    return index;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void lint_md5mesh(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    f->names = sort_names(f, m->joints, m->num_joints);
    check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at);
    check_md5mesh_joints(f);
    check_md5mesh_shaders(f);
    check_md5mesh_verts(f);
    check_md5mesh_triangles(f);
    check_md5mesh_weights(f);
    check_md5_layout(f, m->num_joints_at.length != 0);
}

static void lint_md5anim(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    f->names = sort_names(f, m->joints, m->num_joints);
    check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at);
    check_md5anim_joints(f);
    check_md5anim_frames(f, check_md5anim_components(f));
    check_md5anim_bounds(f);
    check_md5_layout(f, m->num_joints_at.length != 0);
}

void m5_lint_model(m5_lint_file *f)
{
    if (f->model.md5mesh != NULL)
        lint_md5mesh(f);
    if (f->model.md5anim != NULL)
        lint_md5anim(f);
}

size_t m5_lint_memory(size_t size, size_t findings)
{
    size_t fixed = 65536 + findings * 1024;
    return size < (SIZE_MAX - fixed) / 16 ? fixed + 16 * size : SIZE_MAX;
}
