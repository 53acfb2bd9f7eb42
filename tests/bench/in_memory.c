/* Compares the processor time of several readers of the same bytes in memory:
 *
 *     in_memory ROUNDS RATIO... -- TITLE FILE...
 *
 * RATIO is, for example, lint/floor<=1.25, with names of readers from the list below; all files are
 * read one after another. */
#define _POSIX_C_SOURCE 200809L

#include "files.h"
#include "floor.h"
#include "numbers.h"
#include "peers.h"
#include "race.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct set {
    file *files;
    size_t count, bytes;
    void *memory;   /* for the largest of them: an arena, or a copy */
    float *numbers; /* ... and its numbers */
    m5_levels levels[M5_RULES];
} set;

/* ---- The ways to read a file ----------------------------------------------------------------- */

static void lint(const set *s, const file *f)
{
    lint_file(f, s->levels, s->memory, false);
}

static void lint_with_geometry(const set *s, const file *f)
{
    lint_file(f, s->levels, s->memory, true);
}

static void parse(const set *s, const file *f)
{
    m5_settings settings = {.levels = s->levels};
    m5_report report = {.source = &f->source, .settings = &settings};
    m5_arena arena;
    m5_model model;
    m5_arena_init(&arena, s->memory, m5_parse_memory(f->source.size));
    m5_parse(f->format, &report, &arena, &model);
}

static bool is_md5(const file *f)
{
    return strncmp(f->format->name, "md5", 3) == 0;
}

static void read_floor(const set *s, const file *f)
{
    floor_read(f->source.bytes, f->source.size, is_md5(f), s->numbers);
}

static void read_fast_float(const set *s, const file *f)
{
    fast_float_read(f->source.bytes, f->source.size, is_md5(f), s->numbers);
}

static void read_strtod(const set *s, const file *f)
{
    strtod_read(f->source.bytes, f->source.size, is_md5(f), s->numbers);
}

static void copy(const set *s, const file *f)
{
    memcpy(s->memory, f->source.bytes, f->source.size);
}

static void read_assimp(const set *s, const file *f)
{
    (void)s;
    if (!assimp_read(f->source.bytes, f->source.size, f->format->name))
        race_fail("assimp does not load", f->source.name);
}

static const struct way {
    const char *name;
    void (*read)(const set *s, const file *f);
} ways[] = {{"lint", lint},
            {"lint with geometry", lint_with_geometry},
            {"parse", parse},
            {"floor", read_floor},
            {"tokenizer + fast_float", read_fast_float},
            {"strtod per number", read_strtod},
            {"memcpy", copy},
            {"assimp", read_assimp}};

/* ---- The race -------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double run(void *user, const char *name)
{
    const set *s = user;
    size_t i = 0;
    while (i < sizeof ways / sizeof *ways && strcmp(ways[i].name, name) != 0)
        i++;
    if (i == sizeof ways / sizeof *ways)
        race_fail("unknown reader", name);
    double start = now();
    for (size_t k = 0; k < s->count; k++)
        ways[i].read(s, &s->files[k]);
    return now() - start;
}

static set read_set(char **paths)
{
    set s = {0};
    size_t largest = 0;
    while (paths[s.count] != NULL)
        s.count++;
    s.files = must_allocate(s.count * sizeof *s.files);
    for (size_t i = 0; i < s.count; i++) {
        s.files[i] = file_read(paths[i]);
        size_t size = s.files[i].source.size;
        s.bytes += size;
        largest = size > largest ? size : largest;
    }
    s.memory = must_allocate(lint_memory(largest));
    s.numbers = must_allocate((largest / 2 + 1) * sizeof *s.numbers);
    lint_levels(s.levels);
    return s;
}

/* Checks that the readers to be timed are right: md5lint finds no error, and the floor reads the
 * same numbers. */
static void check(const set *s, const file *f)
{
    m5_report report = {.source = &f->source};
    m5_arena arena;
    m5_model model;
    m5_arena_init(&arena, s->memory, m5_parse_memory(f->source.size));
    if (m5_parse(f->format, &report, &arena, &model) != M5_CLEAN)
        race_fail("is not clean", f->source.name);
    float *right = must_allocate((f->source.size / 2 + 1) * sizeof *right);
    size_t count = model_numbers(&model, right);
    if (f->format->text &&
        floor_read(f->source.bytes, f->source.size, is_md5(f), s->numbers) != count)
        race_fail("the floor finds more or fewer numbers than md5lint", f->source.name);
    for (size_t i = 0; i < count; i++)
        if (right[i] == right[i] && s->numbers[i] != right[i])
            race_fail("the floor reads a number differently from md5lint", f->source.name);
    free(right);
}

int main(int argc, char **argv)
{
    (void)argc;
    static race r;
    char **rest = race_read(&r, argv + 1);
    if (rest[0] == NULL || rest[1] == NULL)
        race_fail("missing", "TITLE FILE...");
    set s = read_set(rest + 1);
    for (size_t i = 0; i < s.count; i++)
        check(&s, &s.files[i]);
    race_run(&r, run, &s);
    race_print(&r, rest[0], s.bytes);
    return 0;
}
