/* What the suites share. */
#ifndef M5_TEST_SUPPORT_H
#define M5_TEST_SUPPORT_H

#include "lint/fix/fix.h"
#include "lint/report/collect.h"

#include <check.h>

/* A file linted with notes on and no caps. */
typedef struct linted {
    m5_lint_file file;
    m5_collector found;
    m5_levels levels[M5_RULES];
    m5_settings settings;
    m5_lint_input input;
    void *memory, *bytes;
    char archive[64];
} linted;

/* Reads a whole file and adds a NUL; NULL if it cannot be read. To be freed. */
void *read_file(const char *path, size_t *size);

/* Lints a copy of some bytes in the format given by the extension of `name`. `enable` is the id of
 * a rule that is off by default and is switched on, or NULL. `plain` uses the slow readers only.
 * Never NULL. */
linted *lint_bytes(const char *name, const void *bytes, size_t size, const char *enable,
                   bool plain);

/* The same, and then the rules between files that belong together, for the files of one run. */
typedef struct text_file {
    const char *name;
    const void *bytes;
    size_t size;
} text_file;
void lint_files(const text_file *files, size_t count, const char *enable, bool plain, linted **out);

/* The same with settings, of which the levels, `plain` and the targets are used. */
void lint_files_at(const text_file *files, size_t count, const m5_settings *settings, linted **out);

/* What fixes of a file need; of an md5anim also the meshes among `count` files, which are put into
 * `meshes` and are to stay there. */
m5_fix_input fix_input_of(linted *l, linted *const *all, size_t count, const m5_lint_file **meshes);

linted *lint_string(const char *name, const char *text);
void free_linted(linted *l);

/* Text that grows, with a NUL at its end; `bytes` is to be freed. `append_text` is for an
 * m5_writer, whose user is a text_buffer. */
typedef struct text_buffer {
    char *bytes;
    size_t size, room;
} text_buffer;
void append_text(void *user, const void *bytes, size_t count);

/* Describes the findings, one on each line, ordered by place: `12:7 error md5mesh-bias-sum`, in a
 * binary `@0x60+4 error md4-ofs-end`. With `fully`, as in the .expect files, a line also has the
 * length, the message, the path in the model and the related places: `12:7+3 error
 * md5mesh-bias-sum: MESSAGE [PATH]; PLACE: MESSAGE`, where a place in another file begins with the
 * file's name. Each line begins with `prefix`. To be freed. */
char *describe(linted *l, const char *prefix, bool fully);

/* For a test that starts threads, in a case of its own: of the tag "threads", by which
 * CK_INCLUDE_TAGS and CK_EXCLUDE_TAGS choose. */
void add_threads_test(Suite *suite, const TTest *test);

/* The number of findings of a rule. */
unsigned long count_of(const linted *l, const char *id);

#endif
