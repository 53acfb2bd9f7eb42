#include "check.h"

#include <stdarg.h>
#include <string.h>

bool check_wanted(const m5_lint_file *f, const m5_rule *rule)
{
    return m5_would_say(&f->report, rule, DBL_MAX) != M5_SILENT;
}

void check_print(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    m5_text text = {out, size, 0, false};
    m5_text_format(&text, format, args);
    va_end(args);
}

bool check_are_equal(const float *a, const float *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool check_are_pixels(uint32_t count, uint32_t all, float largest)
{
    enum { MANY = 8 };
    static const float least_texture = 60; /* of 64, but for a margin */
    return count >= MANY && count > all - all / 4 && largest >= least_texture;
}

double check_least(const m5_lint_file *f, const m5_rule *rule)
{
    const m5_levels *l = f->report.levels != NULL ? &f->report.levels[rule->number] : &rule->levels;
    return fmin(l->note, fmin(l->warning, l->error));
}

uint64_t check_budget(const m5_lint_file *f, uint64_t bytes)
{
    uint64_t most = f->geometry_budget != 0 ? f->geometry_budget : M5_GEOMETRY_BUDGET;
    uint64_t linear = M5_GEOMETRY_A_BYTE * bytes;
    return most == UINT64_MAX || most < linear ? most : linear;
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

/* What the last of a number's decimals counts, if that is the third, fourth or fifth. */
static double last_decimal(double number)
{
    static const double precision = 1e-7; /* of a float, about 1 */
    for (double unit = 1e-3; unit > 0.9e-5; unit /= 10)
        if (fabs(number - unit * round(number / unit)) <= precision)
            return unit;
    return 0;
}

double check_rounding(const float q[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most += fabs((double)q[k]) * last_decimal((double)q[k]);
    return most;
}

void *check_scratch(m5_lint_file *f, size_t count, size_t size)
{
    return m5_arena_take(&f->arena, count, size);
}

void check_mark_frame(m5_lint_file *f, uint32_t frame, const m5_rule *rule, double measure)
{
    const m5_model *m = &f->model;
    uint32_t count = m->md5anim != NULL ? m->md5anim->num_frames
                     : m->md4 != NULL   ? m->md4->num_frames
                                        : 0;
    if (count == 0 || m5_would_say(&f->report, rule, measure) < M5_WARNING)
        return;
    if (f->odd_frames == NULL && (f->odd_frames = m5_arena_keep(&f->arena, count)) != NULL)
        memset(f->odd_frames, 0, count);
    if (f->odd_frames != NULL)
        f->odd_frames[frame] = 1;
}

bool check_is_odd_frame(const m5_lint_file *f, uint32_t frame)
{
    return f->odd_frames != NULL && f->odd_frames[frame];
}

bool check_can_pose(const m5_md5anim *m)
{
    bool whole = m->channels_whole && m->frames_whole && m->num_frames != 0 && m->num_base == m->num_joints;
    for (uint32_t i = 0; whole && i < m->num_joints; i++)
        whole = !isnan(m->base[i].pos[0]) && m->joints[i].parent != M5_BROKEN_PARENT;
    return whole;
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

m5_name check_name_at(const m5_model *m, uint32_t i)
{
    if (m->md5mesh != NULL)
        return m->md5mesh->joints[i].name;
    if (m->md5anim != NULL)
        return m->md5anim->joints[i].name;
    if (m->md4 != NULL)
        return m5_md4_bone_at(m->md4, i).name;
    return m->illskel != NULL ? m->illskel->bones[i].name : m->illanim->bones[i].name;
}

uint32_t check_name_count(const m5_model *m)
{
    if (m->md5mesh != NULL)
        return m->md5mesh->num_joints;
    if (m->md5anim != NULL)
        return m->md5anim->num_joints;
    if (m->md4 != NULL)
        return m->md4->num_bones;
    if (m->illskel != NULL)
        return m->illskel->num_bones;
    return m->illanim != NULL ? m->illanim->num_bones : 0;
}

/* Names in order, `first`: the first eight bytes of each, case folded, which mostly tell. */
typedef struct name_order {
    const m5_lint_file *f;
    uint64_t *first;
} name_order;

static uint64_t first_bytes(const m5_source *s, m5_name name)
{
    uint64_t first = 0;
    for (uint32_t i = 0; i < 8; i++)
        first = first << 8 | (i < name.length ? (uint64_t)fold(s->bytes[name.offset + i]) : 0);
    return first;
}

static bool name_less(const void *context, uint32_t a, uint32_t b)
{
    const name_order *o = context;
    if (o->first[a] != o->first[b])
        return o->first[a] < o->first[b];
    const m5_lint_file *f = o->f;
    int order = check_compare_names(&f->source, check_name_at(&f->model, a), &f->source,
                                    check_name_at(&f->model, b));
    return order != 0 ? order < 0 : a < b;
}

static const uint32_t *sort_names(m5_lint_file *f)
{
    uint32_t count = check_name_count(&f->model);
    size_t mark = f->arena.used;
    uint32_t *index = m5_arena_keep(&f->arena, count * sizeof *index);
    name_order order = {f, check_scratch(f, count, sizeof *order.first)};
    bool room = index != NULL && order.first != NULL;
    for (uint32_t i = 0; i < count && room; i++) {
        index[i] = i;
        order.first[i] = first_bytes(&f->source, check_name_at(&f->model, i));
    }
    if (room)
        check_sort(index, count, name_less, &order);
    m5_arena_release(&f->arena, mark);
    return room ? index : NULL;
}

void check_ill_duplicates(m5_lint_file *f, const m5_rule *rule, uint32_t count)
{
    for (uint32_t i = 1; f->names != NULL && i < count; i++) {
        m5_name name = check_name_at(&f->model, f->names[i]);
        m5_name before = check_name_at(&f->model, f->names[i - 1]);
        if (name.length == 0 || check_compare_names(&f->source, before, &f->source, name) != 0)
            continue;
        m5_diag d = m5_found(rule, name);
        d.path = m5_path1("bone", f->names[i]);
        m5_relate(&d, &f->source, before, "the other bone of this name");
        m5_emit(&f->report, &d, 0, "bone %u is named '%.*s' like bone %u", f->names[i],
                CHECK_NAME(f, name), f->names[i - 1]);
    }
}

/* ---- All of them ----------------------------------------------------------------------------- */

void check_md5mesh(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at);
    check_md5mesh_joints(f);
    check_md5mesh_shaders(f);
    check_md5mesh_verts(f);
    check_md5mesh_triangles(f);
    check_md5mesh_weights(f);
    if (!f->no_geometry)
        check_md5mesh_shape(f);
    check_md5_layout(f, m->num_joints_at.length != 0, m->long_lines);
}

void check_md5anim(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at);
    check_md5anim_joints(f);
    f->values_known = check_md5anim_components(f);
    check_md5anim_frames(f, f->values_known);
    check_md5anim_bounds(f);
    if (!f->no_geometry && f->values_known && check_can_pose(m))
        check_md5anim_motion(f);
    check_md5_layout(f, m->num_joints_at.length != 0, m->long_lines);
}

void check_md4(m5_lint_file *f)
{
    bool clean = f->report.flaws == 0; /* so far: every index and number is sound */
    check_md4_bones(f);
    bool rigid = check_md4_frames(f);
    check_md4_surfaces(f);
    if (clean && !f->no_geometry)
        check_md4_geometry(f, rigid);
}

void m5_lint_model(m5_lint_file *f)
{
    f->names = sort_names(f);
#define M5_FORMAT(symbol, name, text)                                                              \
    if (f->model.symbol != NULL)                                                                   \
        check_##symbol(f);
#define M5_FORMAT_LATER(name, text)
#include "../parsers/formats.def"
#undef M5_FORMAT
#undef M5_FORMAT_LATER
}

size_t m5_lint_memory(size_t size, size_t findings)
{
    size_t fixed = findings < (SIZE_MAX - 65536) / 1024 ? 65536 + findings * 1024 : SIZE_MAX;
    return size < (SIZE_MAX - fixed) / 16 ? fixed + 16 * size : SIZE_MAX;
}
