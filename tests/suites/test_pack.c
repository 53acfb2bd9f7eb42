/* Tests archives: what is found in healthy ones is what Python's zipfile and Info-ZIP find, hostile
 * ones are reported, and each cut of an archive is safe to read. */
#define _XOPEN_SOURCE 700

#include "support.h"
#include "fuzz/harness/harness.h"
#include "tests/assemble/assemble.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Archives that are made ------------------------------------------------------------------ */

enum { MAX_PATH = 512, MAX_ARCHIVES = 64 };

/* The folder that tests/generate/packs has filled, and the archives in its two folders. */
static char folder[] = "/tmp/md5lint-packs-XXXXXX";
static char healthy[MAX_ARCHIVES][MAX_PATH], hostile[MAX_ARCHIVES][MAX_PATH];
static int num_healthy, num_hostile;

static int list_archives(const char *kind, char paths[MAX_ARCHIVES][MAX_PATH])
{
    char path[MAX_PATH];
    int n = 0;
    snprintf(path, sizeof path, "%s/%s", folder, kind);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;)
        if (m5_format_by_name(e->d_name) != NULL && n < MAX_ARCHIVES)
            snprintf(paths[n++], MAX_PATH, "%s/%s/%.200s", folder, kind, e->d_name);
    if (dir != NULL)
        closedir(dir);
    return n;
}

static void make_archives(void)
{
    char command[MAX_PATH];
    if (mkdtemp(folder) == NULL)
        exit(2);
    snprintf(command, sizeof command, "python3 tests/generate/packs %s", folder);
    if (system(command) != 0)
        exit(2);
    num_healthy = list_archives("healthy", healthy);
    num_hostile = list_archives("hostile", hostile);
}

static void remove_archives(void)
{
    char command[MAX_PATH];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        exit(2);
}

/* ---- Healthy ones ---------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A line for each member, sorted: its size, CRC and name. */
static char *describe_members(const m5_pack *pack)
{
    char **lines = calloc(pack->num_members + 1, sizeof *lines);
    size_t size = 1;
    for (uint32_t i = 0; i < pack->num_members; i++) {
        const m5_pack_member *m = &pack->members[i];
        lines[i] = malloc(m->name.length + 64);
        size += (size_t)sprintf(lines[i], "%llu %08x %.*s\n", (unsigned long long)m->size, m->crc,
                                (int)m->name.length,
                                (const char *)pack->source->bytes + m->name.offset);
    }
    qsort(lines, pack->num_members, sizeof *lines, by_text);
    char *text = calloc(size, 1), *end = text;
    for (uint32_t i = 0; i < pack->num_members; i++) {
        end = stpcpy(end, lines[i]);
        free(lines[i]);
    }
    free(lines);
    return text;
}

/* The CRC shows that the bytes are those that both programs know. */
static void read_all_members(const m5_pack *pack)
{
    void *scratch = malloc(M5_MEMBER_SCRATCH);
    for (uint32_t i = 0; i < pack->num_members; i++) {
        const m5_pack_member *m = &pack->members[i];
        if (m->state == M5_PACK_FOLDER)
            continue;
        ck_assert_int_eq(m->state, M5_PACK_READABLE);
        uint8_t *out = malloc((size_t)m->size + 1);
        m5_member_result r = m5_member_read(pack, i, NULL, out, scratch);
        ck_assert_int_eq(r.problem, M5_MEMBER_READ);
        ck_assert_uint_eq(r.size, m->size);
        ck_assert_uint_eq(r.crc, m->crc);
        free(out);
    }
    free(scratch);
}

START_TEST(healthy_archives_hold_what_zipfile_and_unzip_find)
{
    const char *path = healthy[_i];
    char list[MAX_PATH + 8];
    size_t size, length;
    void *bytes = read_file(path, &size);
    snprintf(list, sizeof list, "%s.list", path);
    char *expected = read_file(list, &length);
    linted *l = lint_bytes(path, bytes, size, NULL, false);
    char *found = describe(l, "", true), *members = describe_members(l->file.model.pack);
    ck_assert_msg(*found == '\0', "%s: found\n%.1500s", path, found);
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    ck_assert_msg(strcmp(members, expected) == 0, "%s holds\n%.1000s\nexpected\n%.1000s", path,
                  members, expected);
    read_all_members(l->file.model.pack);
    free(members);
    free(found);
    free_linted(l);
    free(expected);
    free(bytes);
}
END_TEST

/* ---- Hostile ones ---------------------------------------------------------------------------- */

START_TEST(hostile_archives_are_reported)
{
    const char *path = hostile[_i], *name = strrchr(path, '/') + 1;
    char id[64];
    size_t size;
    void *bytes = read_file(path, &size);
    linted *l = lint_bytes(path, bytes, size, NULL, false);
    snprintf(id, sizeof id, "%.*s", (int)strcspn(name, "."), name);
    ck_assert_msg(count_of(l, id) != 0, "%s: not reported", path);
    ck_assert_int_ne(l->file.status, M5_NO_MEMORY);
    harness_walk_readable(l->file.model.pack);
    free_linted(l);
    free(bytes);
}
END_TEST

/* ---- Cut archives ---------------------------------------------------------------------------- */

static const char *const whole[] = {
    "whole/whole.stored.pk4",
    "whole/whole.two.pak",
    "whole/whole.folder.zip",
    "whole/whole.compressed.kpf",
    "whole/whole.model.pak",
    "pack-descriptor/pack-descriptor.ok.pk4",
    "pack-zip64/pack-zip64.ok.pk4",
    "pack-extra/pack-extra.ok.zip64.pk4",
    "pack-name-length/pack-name-length.ok.pk4",
};
enum { WHOLE = sizeof whole / sizeof *whole };

static uint8_t *load(const char *name, size_t *size)
{
    char path[MAX_PATH], error[ASSEMBLE_ERROR];
    snprintf(path, sizeof path, "corpus/pack/%s.source", name);
    uint8_t *bytes = assemble_file(path, size, error);
    ck_assert_msg(bytes != NULL, "%s: %s", path, error);
    return bytes;
}

/* A cut zip has no end record, a cut pak no directory or only a part of it. */
START_TEST(an_archive_that_is_cut_anywhere_is_flawed_and_safe)
{
    size_t size;
    uint8_t *bytes = load(whole[_i], &size);
    const m5_format *format = m5_format_by_name(whole[_i]);
    for (size_t length = 0; length <= size; length++) {
        uint8_t *exact = malloc(length);
        if (length != 0)
            memcpy(exact, bytes, length);
        harness_run run = harness_try(format, exact, length, HARNESS_LINT);
        ck_assert_int_eq(run.status, length == size ? M5_CLEAN : M5_FLAWED);
        free(exact);
    }
    free(bytes);
}
END_TEST

/* ---- Reading members ------------------------------------------------------------------------- */

static linted *lint_case(const char *name, size_t more)
{
    size_t size;
    uint8_t *bytes = load(name, &size);
    bytes = realloc(bytes, size + more + 1);
    memset(bytes + size, 0, more);
    linted *l = lint_bytes(name, bytes, size + more, NULL, false);
    free(bytes);
    return l;
}

START_TEST(a_member_is_read_within_the_limits_that_are_set)
{
    linted *l = lint_case("whole/whole.compressed.kpf", 0);
    const m5_pack *pack = l->file.model.pack;
    m5_settings settings = {.max_member = pack->members[0].size};
    ck_assert_int_eq(m5_member_limit(pack, 0, &settings), M5_MEMBER_READ);
    ck_assert_int_eq(m5_member_read(pack, 0, &settings, NULL, NULL).problem, M5_MEMBER_NO_MEMORY);
    settings.max_member--;
    ck_assert_int_eq(m5_member_limit(pack, 0, &settings), M5_MEMBER_LARGE);
    ck_assert_int_eq(m5_member_read(pack, 0, &settings, NULL, NULL).problem, M5_MEMBER_LARGE);
    free_linted(l);
}
END_TEST

/* 1,000 times as many bytes are allowed, and any number up to 16 MiB. */
START_TEST(a_member_may_expand_a_thousand_times)
{
    m5_source source = {"a.pk4", (const uint8_t *)"", 0};
    m5_pack_member m = {.packed = 20000, .method = M5_PACK_DEFLATED};
    m5_pack pack = {.source = &source, .zip = true, .num_members = 1, .members = &m};
    m.size = 20000999;
    ck_assert_int_eq(m5_member_limit(&pack, 0, NULL), M5_MEMBER_READ);
    m.size = 20001000;
    ck_assert_int_eq(m5_member_limit(&pack, 0, NULL), M5_MEMBER_RATIO);
    m.packed = 2;
    m.size = 16 << 20;
    ck_assert_int_eq(m5_member_limit(&pack, 0, NULL), M5_MEMBER_READ);
    m.size++;
    ck_assert_int_eq(m5_member_limit(&pack, 0, NULL), M5_MEMBER_RATIO);
    m.packed = UINT32_MAX;
    m.size = M5_MAX_MEMBER;
    ck_assert_int_eq(m5_member_limit(&pack, 0, NULL), M5_MEMBER_READ);
    m.size++;
    ck_assert_int_eq(m5_member_limit(&pack, 0, NULL), M5_MEMBER_LARGE);
}
END_TEST

START_TEST(a_member_has_the_format_of_its_extension)
{
    const char *const names[] = {"a.md5mesh", "m/very.long.name/b.MD4",      "c.tga", "md5mesh",
                                 "d.pk3",     "very-long-extension.xmd5mesh"};
    const char *const formats[] = {"md5mesh", "md4", NULL, NULL, "pack", NULL};
    for (int i = 0; i < 6; i++) {
        m5_source source = {"a.pk4", (const uint8_t *)names[i], (uint32_t)strlen(names[i])};
        m5_pack_member m = {.name = {0, source.size}};
        m5_pack pack = {.source = &source, .num_members = 1, .members = &m};
        const m5_format *format = m5_member_format(&pack, 0);
        ck_assert((format == NULL) == (formats[i] == NULL));
        if (format != NULL)
            ck_assert_str_eq(format->name, formats[i]);
    }
}
END_TEST

START_TEST(archives_are_recognised_by_their_extensions)
{
    static const char *const names[] = {"a.pk4", "a.PK3", "a.dpk", "a.Kpf",
                                        "a.zip", "a.ZIP", "a.pak"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_str_eq(m5_format_by_name(names[i])->name, "pack");
    ck_assert_ptr_null(m5_format_by_name("a.pack"));
    ck_assert_ptr_null(m5_format_by_name("pk4"));
    ck_assert_str_eq(m5_format_by_content((const uint8_t *)"PK\3\4", 4)->name, "pack");
    ck_assert_str_eq(m5_format_by_content((const uint8_t *)"PK\5\6", 4)->name, "pack");
    ck_assert_str_eq(m5_format_by_content((const uint8_t *)"PACK", 4)->name, "pack");
}
END_TEST

START_TEST(the_caller_may_read_members_himself)
{
    linted *l = lint_case("pack-crc/pack-crc.bad.pk4", 0);
    ck_assert_uint_eq(count_of(l, "pack-crc"), 1);
    l->settings.members_apart = true;
    uint64_t errors = l->file.report.errors;
    m5_collector_init(&l->found, &l->file.arena, 0);
    m5_lint_bytes(&l->file, &l->input);
    ck_assert_uint_eq(errors, 1);
    ck_assert_uint_eq(l->file.report.errors, 0);
    free_linted(l);
}
END_TEST

/* ---- What follows the end -------------------------------------------------------------------- */

START_TEST(the_end_record_is_found_before_any_number_of_bytes)
{
    const size_t more[] = {1, 65535, 65536, 200000};
    for (int i = 0; i < 4; i++) {
        linted *l = lint_case("whole/whole.stored.pk4", more[i]);
        ck_assert_uint_eq(count_of(l, "pack-end-comment"), 1);
        ck_assert_uint_eq(l->file.report.errors, more[i] > 65535);
        ck_assert_uint_eq(l->file.model.pack->num_members, 2);
        free_linted(l);
    }
}
END_TEST

int main(void)
{
    make_archives();
    Suite *suite = suite_create("pack");
    TCase *made = tcase_create("made"), *own = tcase_create("own");
    tcase_set_timeout(made, 300);
    tcase_set_timeout(own, 300);
    tcase_add_loop_test(made, healthy_archives_hold_what_zipfile_and_unzip_find, 0, num_healthy);
    tcase_add_loop_test(made, hostile_archives_are_reported, 0, num_hostile);
    tcase_add_loop_test(own, an_archive_that_is_cut_anywhere_is_flawed_and_safe, 0, WHOLE);
    tcase_add_test(own, a_member_is_read_within_the_limits_that_are_set);
    tcase_add_test(own, a_member_may_expand_a_thousand_times);
    tcase_add_test(own, a_member_has_the_format_of_its_extension);
    tcase_add_test(own, archives_are_recognised_by_their_extensions);
    tcase_add_test(own, the_caller_may_read_members_himself);
    tcase_add_test(own, the_end_record_is_found_before_any_number_of_bytes);
    suite_add_tcase(suite, made);
    suite_add_tcase(suite, own);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner) + (num_healthy < 20) + (num_hostile < 13);
    srunner_free(runner);
    remove_archives();
    return failed != 0;
}
