/* Prints the biped as md5mesh and md5anim, whole or with defects for the demo. */
#include "generate_print.h"

#include "generate_bounds.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct printer {
    FILE *file;
    digits digits;
    char point;
} printer;

/* The mistake in each mesh of a broken file, by the index of the mesh. */
typedef enum mistake {
    WRONG_BIAS,    /* a vertex whose biases sum to 0.93 */
    DECIMAL_COMMA, /* 0,5 */
    WRONG_CORNER,  /* a triangle's vertex index out of range */
    WRONG_JOINT,   /* a weight's joint index out of range */
    WRONG_NUMTRIS, /* numtris is one more than the number of triangles */
    NO_MISTAKE
} mistake;

/* ---- Numbers ------------------------------------------------------------------------------ */

/* Prints a value that was rounded to these digits before; backwards, from the last digit. */
static void put_number(const printer *p, double value)
{
    char text[40], *end = text + sizeof text - 1, *at = end;
    int64_t units = llround(fabs(value) * p->digits.scale);
    bool negative = value < 0 && units != 0, strip = p->digits.stripped;
    *end = '\0';
    for (int i = 0; i < p->digits.decimals; i++, units /= 10) {
        strip = strip && units % 10 == 0;
        if (!strip)
            *--at = (char)('0' + units % 10);
    }
    if (!strip)
        *--at = p->point;
    do
        *--at = (char)('0' + units % 10);
    while ((units /= 10) > 0);
    if (negative)
        *--at = '-';
    fwrite(at, 1, (size_t)(end - at), p->file);
}

static void put_vec(const printer *p, vec v)
{
    fputs("( ", p->file);
    put_number(p, v.x);
    fputc(' ', p->file);
    put_number(p, v.y);
    fputc(' ', p->file);
    put_number(p, v.z);
    fputs(" )", p->file);
}

/* A position and an orientation, or two corners. Only a comment may follow on the line. */
static void put_two(const printer *p, vec a, vec b)
{
    put_vec(p, a);
    fputc(' ', p->file);
    put_vec(p, b);
}

/* ---- The mesh file ------------------------------------------------------------------------ */

static const char *parent_name(const rig *r, int parent)
{
    return parent < 0 ? "" : r->joints[parent].name;
}

static void print_joints(const printer *p, const rig *r)
{
    fputs("joints {\n", p->file);
    for (int i = 0; i < r->count; i++) {
        const joint *j = &r->joints[i];
        fprintf(p->file, "\t\"%s\"\t%d ", j->name, j->parent);
        put_two(p, j->at, j->turn.v);
        fprintf(p->file, "\t\t// %s\n", parent_name(r, j->parent));
    }
    fputs("}\n\n", p->file);
}

/* The first vertex whose s has decimals with either kind of digits. */
static size_t vertex_to_spoil(const body *b, const mesh *m)
{
    size_t i = m->first_vertex;
    while (b->vertices[i].s == 0 || b->vertices[i].s == 1)
        i++;
    return i;
}

static void print_vertices(printer *p, const body *b, const mesh *m, mistake wrong)
{
    size_t spoilt = vertex_to_spoil(b, m);
    fprintf(p->file, "\tnumverts %zu\n", m->vertices);
    for (size_t i = 0; i < m->vertices; i++) {
        const vertex *v = &b->vertices[m->first_vertex + i];
        fprintf(p->file, "\tvert %zu ( ", i);
        p->point = wrong == DECIMAL_COMMA && m->first_vertex + i == spoilt ? ',' : '.';
        put_number(p, v->s);
        p->point = '.';
        fputc(' ', p->file);
        put_number(p, v->t);
        fprintf(p->file, " ) %zu %d\n", v->first_weight - m->first_weight, v->weights);
    }
}

static void print_triangles(const printer *p, const body *b, const mesh *m, mistake wrong)
{
    fprintf(p->file, "\n\tnumtris %zu\n", m->triangles + (wrong == WRONG_NUMTRIS));
    for (size_t i = 0; i < m->triangles; i++) {
        const int *corner = b->triangles[m->first_triangle + i].corner;
        bool off = wrong == WRONG_CORNER && i == m->triangles / 2;
        int last = off ? (int)m->vertices : corner[2];
        fprintf(p->file, "\ttri %zu %d %d %d\n", i, corner[0], corner[1], last);
    }
}

/* A weight in the middle that is large enough to be lowered a little. There is one, as a vertex has
 * at most four weights. */
static size_t weight_to_spoil(const body *b, const mesh *m)
{
    size_t i = m->first_weight + m->weights / 2;
    while (b->weights[i].bias < 0.2)
        i++;
    return i;
}

static void print_weights(const printer *p, const body *b, const mesh *m, mistake wrong)
{
    size_t spoilt = weight_to_spoil(b, m);
    fprintf(p->file, "\n\tnumweights %zu\n", m->weights);
    for (size_t i = 0; i < m->weights; i++) {
        weight w = b->weights[m->first_weight + i];
        if (wrong == WRONG_JOINT && m->first_weight + i == spoilt)
            w.joint = b->rig->count;
        if (wrong == WRONG_BIAS && m->first_weight + i == spoilt)
            w.bias -= 0.07;
        fprintf(p->file, "\tweight %zu %d ", i, w.joint);
        put_number(p, w.bias);
        fputc(' ', p->file);
        put_vec(p, w.at);
        fputc('\n', p->file);
    }
}

static void print_one_mesh(printer *p, const body *b, const mesh *m, mistake wrong)
{
    fprintf(p->file, "mesh {\n\t// meshes: %s\n", m->part);
    fprintf(p->file, "\tshader \"models/characters/biped/%s\"\n\n", m->part);
    print_vertices(p, b, m, wrong);
    print_triangles(p, b, m, wrong);
    print_weights(p, b, m, wrong);
    fputs("}\n\n", p->file);
}

static printer printer_for(FILE *file, const rig *r)
{
    return (printer){file, r->digits, '.'};
}

void print_mesh(FILE *file, const body *b, bool broken)
{
    printer p = printer_for(file, b->rig);
    fputs("MD5Version 10\ncommandline \"mesh models/characters/biped/biped.mb\"\n\n", file);
    fprintf(file, "numJoints %d\nnumMeshes %zu\n\n", b->rig->count, b->mesh_count);
    print_joints(&p, b->rig);
    for (size_t i = 0; i < b->mesh_count; i++) {
        bool wrong = broken && i < NO_MISTAKE;
        print_one_mesh(&p, b, &b->meshes[i], wrong ? (mistake)i : NO_MISTAKE);
    }
}

/* ---- The animation file ------------------------------------------------------------------- */

/* The components that differ from the first frame in any frame, as the format's flags. */
static void find_flags(const walk *w, unsigned flags[MAX_JOINTS])
{
    pose first[MAX_JOINTS], now[MAX_JOINTS];
    walk_pose(w, 0, first);
    memset(flags, 0, MAX_JOINTS * sizeof *flags);
    for (int f = 1; f < w->frames; f++) {
        walk_pose(w, f, now);
        for (int i = 0; i < w->rig->count; i++)
            for (int c = 0; c < COMPONENTS; c++)
                if (pose_component(&now[i], c) != pose_component(&first[i], c))
                    flags[i] |= 1u << c;
    }
}

static int count_flags(unsigned flags)
{
    int count = 0;
    for (; flags; flags &= flags - 1)
        count++;
    return count;
}

/* The comment is the parent's name and the components: // pelvis ( Qx Qy ) */
static void print_hierarchy_comment(FILE *file, const char *parent, unsigned flags)
{
    static const char *const names[COMPONENTS] = {"Tx", "Ty", "Tz", "Qx", "Qy", "Qz"};
    fprintf(file, "\t// %s%s", parent, flags ? " (" : "");
    for (int c = 0; c < COMPONENTS; c++)
        if (flags & 1u << c)
            fprintf(file, " %s", names[c]);
    fputs(flags ? " )\n" : "\n", file);
}

static void print_hierarchy(FILE *file, const rig *r, const unsigned *flags, bool broken)
{
    int start = 0;
    fputs("hierarchy {\n", file);
    for (int i = 0; i < r->count; i++) {
        const joint *j = &r->joints[i];
        bool renamed = broken && strcmp(j->name, "lowerArm.L") == 0;
        const char *name = renamed ? "lowerarm_L" : j->name;
        fprintf(file, "\t\"%s\"\t%d %u %d", name, j->parent, flags[i], flags[i] ? start : 0);
        print_hierarchy_comment(file, parent_name(r, j->parent), flags[i]);
        start += count_flags(flags[i]);
    }
    fputs("}\n\n", file);
}

/* A broken file has one box inside out, from left to right. */
static void print_bounds(const printer *p, const body *b, const walk *w, bool broken)
{
    pose poses[MAX_JOINTS];
    box now;
    fputs("bounds {\n", p->file);
    for (int f = 0; f < w->frames; f++) {
        walk_pose(w, f, poses);
        now = body_box(b, poses, f ? &now : NULL);
        bool swap = broken && f == w->frames / 3;
        fputc('\t', p->file);
        put_two(p, (vec){now.min[0], swap ? now.max[1] : now.min[1], now.min[2]},
                (vec){now.max[0], swap ? now.min[1] : now.max[1], now.max[2]});
        fputc('\n', p->file);
    }
    fputs("}\n\n", p->file);
}

static void print_baseframe(const printer *p, const walk *w)
{
    pose poses[MAX_JOINTS];
    walk_pose(w, 0, poses);
    fputs("baseframe {\n", p->file);
    for (int i = 0; i < w->rig->count; i++) {
        fputc('\t', p->file);
        put_two(p, poses[i].at, poses[i].turn.v);
        fputc('\n', p->file);
    }
    fputs("}\n\n", p->file);
}

static void print_components(const printer *p, const pose *j, unsigned flags)
{
    char before = '\t';
    for (int c = 0; c < COMPONENTS; c++) {
        if (!(flags & 1u << c))
            continue;
        fputc(before, p->file);
        put_number(p, pose_component(j, c));
        before = ' ';
    }
    if (flags)
        fputc('\n', p->file);
}

/* In a broken frame the first value of the first animated joint is missing. */
static void print_frame(const printer *p, const walk *w, const unsigned *flags, int f, bool broken)
{
    pose poses[MAX_JOINTS];
    walk_pose(w, f, poses);
    fprintf(p->file, "frame %d {\n", f);
    for (int i = 0; i < w->rig->count; i++) {
        unsigned shown = flags[i];
        if (broken && shown) {
            shown &= shown - 1;
            broken = false;
        }
        print_components(p, &poses[i], shown);
    }
    fputs("}\n\n", p->file);
}

void print_anim(FILE *file, const body *b, const walk *w, bool broken)
{
    printer p = printer_for(file, w->rig);
    unsigned flags[MAX_JOINTS];
    int animated = 0;
    find_flags(w, flags);
    for (int i = 0; i < w->rig->count; i++)
        animated += count_flags(flags[i]);
    fputs("MD5Version 10\ncommandline \"anim models/characters/biped/walk.mb\"\n\n", file);
    fprintf(file, "numFrames %d\nnumJoints %d\n", w->frames, w->rig->count);
    fprintf(file, "frameRate %d\nnumAnimatedComponents %d\n\n", FRAME_RATE, animated);
    print_hierarchy(file, w->rig, flags, broken);
    print_bounds(&p, b, w, broken);
    print_baseframe(&p, w);
    for (int f = 0; f < w->frames; f++)
        print_frame(&p, w, flags, f, broken && f == w->frames / 2);
}
