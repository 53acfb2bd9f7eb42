/* Converts a clean MD5 pair to another format, which is chosen by the extension of OUT:
 *
 *     convert MESH.md5mesh ANIM.md5anim OUT.(md4|illmesh|illskel|illanim) [options]
 *
 * The output depends on the input and, for the name in an md4, on the last part of OUT.
 *   --surface-verts=N, --surface-tris=N   md4: at most N vertices or triangles in a surface. The
 *                                         defaults, 999 and 1999, are Quake 3's limits; at most
 * 4096 and 8192
 *   --layout=spec|engine                  illmesh: texture coordinates before or after the bones
 *   --copies=N                            md4, illskel: N copies of the skeleton; in an md4, the
 *                                         copies share the weights
 * From the 40 bones of generate's biped, --frames 200 makes an md4 of 1.1 MB, its defaults an
 * illmesh of 1.7 MB and an illanim of 210 KB, and --copies=20 an illskel of 103 KB.
 * Exits with 0, or with 2 after an error, which is printed on stderr; then nothing is written. */
#include "convert_ill.h"
#include "convert_md4.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *files[3]; /* mesh, animation, what to write */
    int file_count;
    cut most;
    bool engine_order;
    uint32_t copies;
} options;

/* ---- Options ------------------------------------------------------------------------------ */

static _Noreturn void usage(void)
{
    fputs("usage: convert MESH.md5mesh ANIM.md5anim OUT.(md4|illmesh|illskel|illanim)\n"
          "               [--surface-verts=N] [--surface-tris=N] [--layout=spec|engine]\n"
          "               [--copies=N]\n",
          stderr);
    exit(2);
}

static uint32_t read_number(const char *text, long least, long most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most)
        fail("not a number from %ld to %ld: %s", least, most, text);
    return (uint32_t)value;
}

/* The rest of `word` after `name`, or NULL if it does not begin with `name`. */
static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 ? word + length : NULL;
}

static void read_layout(options *o, const char *value)
{
    o->engine_order = strcmp(value, "engine") == 0;
    if (!o->engine_order && strcmp(value, "spec") != 0)
        fail("unknown layout: %s", value);
}

static void read_option(options *o, const char *word)
{
    const char *value;
    if ((value = value_of(word, "--surface-verts=")))
        o->most.verts = read_number(value, 3, MD4_VERTS);
    else if ((value = value_of(word, "--surface-tris=")))
        o->most.tris = read_number(value, 1, MD4_TRIS);
    else if ((value = value_of(word, "--layout=")))
        read_layout(o, value);
    else if ((value = value_of(word, "--copies=")))
        o->copies = read_number(value, 1, 10000);
    else
        fail("unknown option: %s", word);
}

static options read_options(int argc, char **argv)
{
    options o = {.most = {999, 1999}, .copies = 1};
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            read_option(&o, argv[i]);
        else if (o.file_count == 3)
            usage();
        else
            o.files[o.file_count++] = argv[i];
    }
    if (o.file_count != 3)
        usage();
    return o;
}

/* ---- Input -------------------------------------------------------------------------------- */

/* A file, its model, and the memory of both. */
typedef struct input {
    m5_source source;
    m5_arena arena;
    m5_report report;
    bytes content;
    char *finding; /* the first error */
} input;

static void read_file(input *in, const char *path)
{
    bytes *b = &in->content;
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot read %s: %s", path, strerror(errno));
    do {
        b->data = one_more(b->data, b->count, &b->room, 1);
        b->count += fread(b->data + b->count, 1, b->room - b->count, file);
    } while (!feof(file) && !ferror(file));
    if (ferror(file))
        fail("cannot read %s", path);
    fclose(file);
    if (b->count > M5_SOURCE_MAX)
        fail("%s is larger than 4 GiB - 1", path);
    in->source = (m5_source){path, b->data, (uint32_t)b->count};
}

/* Formatted like a compiler's message: path:line:column: message */
static void take_finding(void *user, const m5_diag *d)
{
    input *in = user;
    m5_lines lines = {.source = &in->source};
    if (in->finding || d->severity != M5_ERROR)
        return;
    m5_place at = m5_lines_find(&lines, d->at.offset);
    size_t room = strlen(d->message) + strlen(d->rule->id) + 40;
    in->finding = allocate(room, 1);
    snprintf(in->finding, room, "%u:%u: %s [%s]", at.line, at.column, d->message, d->rule->id);
}

static void open_input(input *in, const char *path)
{
    *in = (input){.content = {0}};
    read_file(in, path);
    size_t room = m5_parse_memory(in->source.size);
    m5_arena_init(&in->arena, allocate(room, 1), room);
    in->report = (m5_report){.source = &in->source, .sink = {take_finding, in}};
}

static void check_clean(const input *in, m5_status status)
{
    if (status == M5_FLAWED)
        fail("not clean: %s:%s", in->source.name, in->finding ? in->finding : " unknown error");
    if (status != M5_CLEAN)
        fail("out of memory");
}

static void close_input(input *in)
{
    free(in->content.data);
    free(in->arena.memory);
    free(in->finding);
}

/* ---- The pair ----------------------------------------------------------------------------- */

static bool same_name(const pair *p, m5_name x, m5_name y)
{
    const uint8_t *a = p->mesh->source->bytes, *b = p->anim->source->bytes;
    return x.length == y.length && memcmp(a + x.offset, b + y.offset, x.length) == 0;
}

static void check_pair(const pair *p)
{
    uint32_t in_mesh = p->mesh->num_joints, in_anim = p->anim->num_joints;
    if (in_mesh != in_anim)
        fail("not a pair: %u joints in the mesh, %u in the animation", in_mesh, in_anim);
    if (in_mesh == 0)
        fail("there are no joints");
    for (uint32_t i = 0; i < in_mesh; i++) {
        const m5_md5_joint *x = &p->mesh->joints[i], *y = &p->anim->joints[i];
        if (!same_name(p, x->name, y->name) || x->parent != y->parent)
            fail("not a pair: joint %u has another name or parent in the animation", i);
    }
}

/* ---- Output ------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_as_md4(bytes *out, const pair *p, const options *o)
{
    put_md4(out, p, last_part(o->files[2]), o->most);
}

static void put_as_illmesh(bytes *out, const pair *p, const options *o)
{
    put_illmesh(out, p, o->engine_order);
}

static void put_as_illskel(bytes *out, const pair *p, const options *o)
{
    (void)o;
    put_illskel(out, p);
}

static void put_as_illanim(bytes *out, const pair *p, const options *o)
{
    (void)o;
    put_illanim(out, p);
}

typedef void (*writer)(bytes *out, const pair *p, const options *o);

static writer writer_for(const char *path)
{
    static const struct {
        const char *extension;
        writer write;
    } formats[] = {{".md4", put_as_md4},
                   {".illmesh", put_as_illmesh},
                   {".illskel", put_as_illskel},
                   {".illanim", put_as_illanim}};
    const char *extension = strrchr(last_part(path), '.');
    for (size_t i = 0; extension && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(extension, formats[i].extension) == 0)
            return formats[i].write;
    fail("unknown extension: %s", path);
}

static void write_file(const char *path, const bytes *b)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(b->data, 1, b->count, file) == b->count;
    bool closed = file && fclose(file) == 0;
    if (!written || !closed)
        fail("cannot write %s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "C");
    options o = read_options(argc, argv);
    writer write = writer_for(o.files[2]);
    input mesh, anim;
    pair p = {.copies = o.copies};
    bytes out = {0};
    open_input(&mesh, o.files[0]);
    check_clean(&mesh, m5_md5mesh_parse(&mesh.report, &mesh.arena, &p.mesh));
    open_input(&anim, o.files[1]);
    check_clean(&anim, m5_md5anim_parse(&anim.report, &anim.arena, &p.anim));
    check_pair(&p);
    write(&out, &p, &o);
    write_file(o.files[2], &out);
    free(out.data);
    close_input(&mesh);
    close_input(&anim);
    return 0;
}
