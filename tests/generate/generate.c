/* Writes a walking biped as md5mesh and md5anim, of any size, correct or broken.
 *
 *     generate MESH_FILE ANIM_FILE [--detail N] [--frames N] [--digits fixed6|stripped10] [--break]
 *
 * One file may be - to leave it out. The output depends on the arguments only. --detail N has N
 * times the vertices around and along each limb: 7 makes an md5mesh of 70 MB, with its larger
 * meshes cut at 60000 vertices; 0.25 makes one of 100 KB. --frames 70000 makes an md5anim of 62 MB.
 * --break makes each of some typical mistakes once; generate_print.c lists them. */
#include "generate_print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED = 2, MAX_DETAIL = 32, MAX_FRAMES = 1000000 };

typedef struct options {
    const char *files[2]; /* mesh, animation; NULL when left out */
    int file_count;
    double detail;
    int frames;
    digits digits;
    bool broken;
} options;

static const digits fixed6 = {6, 1e6, false};
static const digits stripped10 = {10, 1e10, true};

static _Noreturn void usage(void)
{
    fputs("usage: generate MESH_FILE ANIM_FILE [--detail N] [--frames N]\n"
          "                [--digits fixed6|stripped10] [--break]\n"
          "One file may be - to leave it out.\n",
          stderr);
    exit(FAILED);
}

static _Noreturn void misused(const char *what, const char *value)
{
    fprintf(stderr, "generate: %s: %s\n", what, value);
    usage();
}

static int count_option(const char *text, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "generate: not a number from 1 to %d: %s\n", most, text);
        usage();
    }
    return (int)value;
}

static double detail_option(const char *text)
{
    char *end;
    double detail = strtod(text, &end);
    if (end == text || *end != '\0' || !(detail >= 1.0 / MAX_DETAIL && detail <= MAX_DETAIL)) {
        fprintf(stderr, "generate: not a number from 1/%d to %d: %s\n", MAX_DETAIL, MAX_DETAIL,
                text);
        usage();
    }
    return detail;
}

static digits digits_option(const char *text)
{
    if (strcmp(text, "fixed6") == 0)
        return fixed6;
    if (strcmp(text, "stripped10") == 0)
        return stripped10;
    misused("unknown digits", text);
}

static void read_value(options *o, const char *name, const char *value)
{
    if (strcmp(name, "--detail") == 0)
        o->detail = detail_option(value);
    else if (strcmp(name, "--frames") == 0)
        o->frames = count_option(value, MAX_FRAMES);
    else
        o->digits = digits_option(value);
}

static bool takes_value(const char *name)
{
    return strcmp(name, "--detail") == 0 || strcmp(name, "--frames") == 0 ||
           strcmp(name, "--digits") == 0;
}

static void read_file_name(options *o, const char *name)
{
    if (o->file_count == 2)
        misused("extra file", name);
    o->files[o->file_count++] = strcmp(name, "-") == 0 ? NULL : name;
}

static options read_options(int argc, char **argv)
{
    options o = {.detail = 1, .frames = 60, .digits = fixed6};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--break") == 0)
            o.broken = true;
        else if (takes_value(word) && i + 1 == argc)
            misused("missing value after", word);
        else if (takes_value(word))
            read_value(&o, word, argv[++i]);
        else if (word[0] == '-' && word[1] != '\0')
            misused("unknown option", word);
        else
            read_file_name(&o, word);
    }
    if (o.file_count < 2 || (!o.files[0] && !o.files[1]))
        usage();
    return o;
}

static _Noreturn void unwritable(const char *name)
{
    fprintf(stderr, "generate: cannot write %s: %s\n", name, strerror(errno));
    exit(FAILED);
}

static FILE *open_file(const char *name)
{
    FILE *file = fopen(name, "wb");
    if (!file)
        unwritable(name);
    return file;
}

static void close_file(FILE *file, const char *name)
{
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        unwritable(name);
}

static void write_mesh(const options *o, const body *b)
{
    FILE *file = open_file(o->files[0]);
    print_mesh(file, b, o->broken);
    close_file(file, o->files[0]);
}

static void write_anim(const options *o, const body *b, const rig *r)
{
    walk w;
    walk_build(&w, r, o->frames);
    FILE *file = open_file(o->files[1]);
    print_anim(file, b, &w, o->broken);
    close_file(file, o->files[1]);
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    rig r;
    body b;
    rig_build(&r, o.digits);
    body_build(&b, &r, o.detail);
    if (o.files[0])
        write_mesh(&o, &b);
    if (o.files[1])
        write_anim(&o, &b, &r);
    body_free(&b);
    return 0;
}
