/* Finds a file for which two versions of the library report different findings: damages files of
 * the corpus, lints each with both versions, and keeps the one with the least damage. compare
 * ONE.so OTHER.so SECONDS OUT FILE... OUT gets that file. Fails with 1 if there is one. Used by
 * tests/compare/compare-versions. */
#include "damage.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_DAMAGE = 3, LARGEST = 1 << 16, ROOM = 1 << 20 };

typedef size_t findings(const char *name, const uint8_t *bytes, size_t size, char *out,
                        size_t room);

typedef struct file {
    const char *path;
    uint8_t *bytes;
    size_t size;
    bool md4, healthy;
} file;

/* A damaged file, and what each version reports for it. */
typedef struct attempt {
    const file *of;
    damaged bytes;
    char damage[MOST_DAMAGE][DAMAGE_SAYS];
    unsigned count;
    char said[2][ROOM];
    size_t size[2];
} attempt;

static findings *versions[2];

static void load_version(unsigned i, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "compare_findings") : NULL;
    if (library != NULL && symbol == NULL)
        symbol = dlsym(library, "tell_findings"); /* its name up to commit 2f22f56 */
    if (symbol == NULL) {
        fprintf(stderr, "compare: %s\n", dlerror());
        exit(2);
    }
    memcpy(&versions[i], &symbol, sizeof symbol);
}

static bool load_file(file *f, const char *path)
{
    FILE *in = fopen(path, "rb");
    size_t length = strlen(path);
    *f = (file){.path = path, .bytes = malloc(LARGEST)};
    if (in == NULL || f->bytes == NULL) {
        fprintf(stderr, "compare: cannot read %s\n", path);
        exit(2);
    }
    f->size = fread(f->bytes, 1, LARGEST, in);
    f->md4 = length > 4 && strcmp(path + length - 4, ".md4") == 0;
    fclose(in);
    if (f->size < LARGEST)
        return true;
    free(f->bytes);
    return false;
}

static bool differs(attempt *a)
{
    for (unsigned i = 0; i < 2; i++) {
        a->size[i] = versions[i](a->of->path, a->bytes.bytes, a->bytes.size, a->said[i], ROOM);
        a->said[i][a->size[i] < ROOM ? a->size[i] : ROOM - 1] = '\0';
    }
    return a->size[0] != a->size[1] || memcmp(a->said[0], a->said[1], a->size[0]) != 0;
}

static void damage(attempt *a, const file *of, unsigned count)
{
    a->of = of;
    a->count = 0;
    memcpy(a->bytes.bytes, of->bytes, of->size);
    a->bytes.size = of->size;
    for (unsigned i = 0; i < count; i++)
        a->count += (of->md4 ? damage_md4 : damage_text)(&a->bytes, a->damage[a->count]);
}

/* Lower is better: less damage, then no findings before the damage, then fewer bytes. */
static unsigned rank(const attempt *a)
{
    return (2 * a->count + !a->of->healthy) * LARGEST + (unsigned)a->of->size;
}

static void show(const attempt *a)
{
    size_t same = 0, line = 0;
    for (; same < a->size[0] && a->said[0][same] == a->said[1][same]; same++)
        line = a->said[0][same] == '\n' ? same + 1 : line;
    printf("%s, %zu bytes\n", a->of->path, a->bytes.size);
    for (unsigned i = 0; i < a->count; i++)
        printf("%s\n", a->damage[i]);
    printf("---- first version (the first %zu bytes are the same)\n%s---- second version\n%s", line,
           a->said[0] + line, a->said[1] + line);
}

static void keep(const attempt *a, const char *path)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(a->bytes.bytes, 1, a->bytes.size, out) != a->bytes.size ||
        fclose(out) != 0)
        fprintf(stderr, "compare: cannot write %s\n", path);
}

int main(int argc, char **argv)
{
    static attempt now, best;
    if (argc < 6)
        return 2;
    load_version(0, argv[1]);
    load_version(1, argv[2]);
    file *files = calloc((size_t)argc, sizeof *files);
    size_t count = 0, tried = 0;
    for (int i = 5; i < argc; i++)
        count += load_file(&files[count], argv[i]);
    now.bytes.chance = 88172645463325252u;
    unsigned limit = UINT_MAX; /* of the rank */
    time_t end = time(NULL) + atoi(argv[3]);
    for (; tried < count || (limit > 2 * LARGEST && time(NULL) < end); tried++) {
        bool first = tried < count; /* first each file without damage */
        file *f = &files[first ? tried : (now.bytes.chance >> 24) % count];
        damage(&now, f, first ? 0 : 1 + (unsigned)(now.bytes.chance >> 40) % MOST_DAMAGE);
        bool found = rank(&now) < limit && differs(&now);
        f->healthy |= first && now.size[0] == 0;
        if (!found)
            continue;
        best = now;
        limit = rank(&now);
    }
    printf("%zu files tried\n", tried);
    if (limit == UINT_MAX)
        return 0;
    show(&best);
    keep(&best, argv[4]);
    return 1;
}
