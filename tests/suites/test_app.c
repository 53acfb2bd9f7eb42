/* Tests parts of the program that scripts cannot see from outside: how far the pool works ahead,
 * files that change while they are read, and memory that grows. */
#define _GNU_SOURCE

#include "support.h"
#include "lint/app/jobs/rest.h"
#include "lint/app/system/pool.h"

#include <check.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- The pool -------------------------------------------------------------------------------- */

enum { GROUPS = 40, THREADS = 2, AHEAD = 4 * THREADS, PARTS = 3, OUTPUTS = 5 };

typedef struct office {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t begun, ended; /* groups */
    size_t parts;        /* that were shown */
    size_t written[OUTPUTS];
    size_t most_ahead; /* groups begun and not ended */
    bool in_order, waited_enough;
} office;

/* Waits for something of another thread; false if it does not come. The lock is held. */
static bool wait_for(office *o)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 10;
    return pthread_cond_timedwait(&o->changed, &o->lock, &end) == 0;
}

/* The first group takes until the other thread has done all that it may do before the first one has
 * ended. */
static void work(void *user, size_t group, size_t item, m5_step step)
{
    office *o = user;
    (void)item;
    if (step != M5_STEP_ALONE)
        return;
    pthread_mutex_lock(&o->lock);
    o->begun++;
    if (o->begun - o->ended > o->most_ahead)
        o->most_ahead = o->begun - o->ended;
    pthread_cond_broadcast(&o->changed);
    while (group == 0 && o->begun < AHEAD && o->waited_enough)
        o->waited_enough = wait_for(o);
    pthread_mutex_unlock(&o->lock);
}

/* Each part comes when all outputs of the last but one are written. */
static bool show(void *user, size_t group, size_t part)
{
    office *o = user;
    pthread_mutex_lock(&o->lock);
    o->in_order &= group == o->ended && part == o->parts && part / PARTS == group;
    for (size_t i = 0; i < OUTPUTS; i++)
        o->in_order &= o->written[i] + 1 >= part;
    o->parts++;
    pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    return (part + 1) % PARTS != 0;
}

static void end(void *user, size_t group)
{
    office *o = user;
    pthread_mutex_lock(&o->lock);
    o->in_order &= group == o->ended;
    for (size_t i = 0; i < OUTPUTS; i++)
        o->in_order &= o->written[i] == o->parts;
    o->ended++;
    pthread_mutex_unlock(&o->lock);
}

/* Nothing of the first part is written until the second one was shown. */
static void write_output(void *user, size_t part, size_t output)
{
    office *o = user;
    pthread_mutex_lock(&o->lock);
    while (part == 0 && o->parts == 1 && o->waited_enough)
        o->waited_enough = wait_for(o);
    o->in_order &= o->written[output] == part && part < o->parts;
    o->written[output]++;
    pthread_mutex_unlock(&o->lock);
}

START_TEST(the_pool_works_on_eight_groups_ahead_with_two_threads)
{
    office o = {.in_order = true, .waited_enough = true};
    size_t ends[GROUPS], leads[GROUPS];
    for (size_t i = 0; i < GROUPS; i++) {
        ends[i] = i + 1;
        leads[i] = i % 2; /* both are the same with one item */
    }
    pthread_mutex_init(&o.lock, NULL);
    pthread_cond_init(&o.changed, NULL);
    m5_pool pool = {GROUPS, ends, leads, work, show, end, OUTPUTS, write_output, &o};
    ck_assert(m5_pool_run(&pool, THREADS));
    ck_assert_msg(o.waited_enough, "only %zu groups were begun before the first ended",
                  o.most_ahead);
    ck_assert_uint_eq(o.most_ahead, AHEAD);
    ck_assert_uint_eq(o.ended, GROUPS);
    ck_assert_uint_eq(o.parts, GROUPS * PARTS);
    ck_assert(o.in_order);
    pthread_cond_destroy(&o.changed);
    pthread_mutex_destroy(&o.lock);
}
END_TEST

enum { ITEMS = 200 };

typedef struct line {
    pthread_mutex_t lock;
    size_t leads, steps[ITEMS]; /* that were done of each item */
    size_t open, most_open;     /* items that do not lead, and had their first step only */
    bool in_order, is_shown;
} line;

static void stand_in_line(void *user, size_t group, size_t item, m5_step step)
{
    line *l = user;
    pthread_mutex_lock(&l->lock);
    l->in_order &= group == 0 && l->steps[item] == (step == M5_STEP_TOGETHER) && !l->is_shown;
    for (size_t i = 0; i < l->leads; i++)
        l->in_order &= l->steps[i] != 0 || (step == M5_STEP_ALONE && item < l->leads);
    l->steps[item]++;
    if (item >= l->leads)
        l->open += step == M5_STEP_ALONE ? 1 : (size_t)-1;
    if (l->open > l->most_open)
        l->most_open = l->open;
    pthread_mutex_unlock(&l->lock);
}

static bool show_line(void *user, size_t group, size_t part)
{
    line *l = user;
    l->in_order &= group == 0 && part == 0;
    for (size_t i = 0; i < ITEMS; i++)
        l->in_order &= l->steps[i] == 2;
    l->is_shown = true;
    return false;
}

START_TEST(the_pool_begins_with_items_that_lead_and_ends_one_item_after_another)
{
    static const size_t leads[] = {0, 1, 3, ITEMS};
    size_t end = ITEMS;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        line l = {.leads = leads[i], .in_order = true};
        pthread_mutex_init(&l.lock, NULL);
        m5_pool pool = {1, &end, &l.leads, stand_in_line, show_line, NULL, 0, NULL, &l};
        ck_assert(m5_pool_run(&pool, THREADS));
        ck_assert(l.in_order && l.is_shown);
        ck_assert_uint_le(l.most_open, THREADS);
        ck_assert_uint_eq(l.most_open == 0, l.leads == ITEMS);
        pthread_mutex_destroy(&l.lock);
    }
}
END_TEST

/* ---- Files that change ----------------------------------------------------------------------- */

static char path[] = "/tmp/md5lint-test-app-XXXXXX.md5mesh";

/* Makes a file of blanks, with a magic word before them. */
static int make_file(size_t size)
{
    memcpy(strrchr(path, '-'), "-XXXXXX", 7);
    int fd = mkstemps(path, 8);
    char *bytes = malloc(size);
    ck_assert(fd >= 0 && bytes != NULL);
    memset(bytes, ' ', size);
    memcpy(bytes, "MD5Version 10\n", 14);
    ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    free(bytes);
    return fd;
}

/* Why a file is not linted that has another size after it was scanned. */
static const char *error_of_resized(size_t from, size_t to)
{
    int fd = make_file(from);
    m5_options o = {.reporter = &m5_report_text, .max_per_rule = 10};
    m5_input input = {.name = path};
    m5_job job = {.input = &input};
    m5_rig rig;
    m5_job_scan(&job, &rig, &o);
    if (to != from)
        ck_assert_int_eq(ftruncate(fd, (off_t)to), 0);
    m5_job_lint(&job, &o);
    const char *error = job.error;
    m5_job_free(&job);
    close(fd);
    unlink(path);
    return error;
}

START_TEST(a_file_that_changes_its_size_is_in_error)
{
    static const size_t sizes[] = {1000, 1 << 20}; /* read, mapped */
    size_t size = sizes[_i];
    ck_assert_ptr_null(error_of_resized(size, size));
    ck_assert_pstr_eq(error_of_resized(size, size - 1),
                      "the file got shorter while it was being read");
    ck_assert_pstr_eq(error_of_resized(size, size + 1),
                      "the file got longer while it was being read");
}
END_TEST

/* Why a file is not linted that was written again after it was scanned; the size is the same. */
static const char *error_of_rewritten(size_t size, long nanoseconds)
{
    int fd = make_file(size);
    struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
    m5_options o = {.reporter = &m5_report_text, .max_per_rule = 10};
    m5_input input = {.name = path};
    m5_job job = {.input = &input};
    m5_rig rig;
    ck_assert_int_eq(futimens(fd, times), 0);
    m5_job_scan(&job, &rig, &o);
    times[1].tv_nsec = nanoseconds;
    ck_assert_int_eq(futimens(fd, times), 0);
    m5_job_lint(&job, &o);
    const char *error = job.error;
    m5_job_free(&job);
    close(fd);
    unlink(path);
    return error;
}

START_TEST(a_file_that_is_written_again_is_in_error)
{
    static const size_t sizes[] = {1000, 1 << 20}; /* read, mapped */
    ck_assert_ptr_null(error_of_rewritten(sizes[_i], 0));
    ck_assert_pstr_eq(error_of_rewritten(sizes[_i], 1000),
                      "the file changed while it was being read");
}
END_TEST

/* Reads a file that rests. Returns what is wrong with it. There are as many bytes either way. */
static const char *wake(m5_job *job, const m5_options *o, size_t size)
{
    ck_assert(m5_job_wake(job, o));
    const char *late = m5_job_late_error(job);
    const m5_source *s = &job->file.source;
    ck_assert_uint_eq(s->size, size);
    ck_assert_ptr_eq(s->bytes, job->bytes.bytes);
    ck_assert_int_eq(s->bytes[0], late == NULL || strstr(late, "the file ") ? 'M' : 0);
    bool cut = late != NULL && (strstr(late, "shorter") || strstr(late, "No such"));
    ck_assert_int_eq(s->bytes[size - 1], cut ? 0 : ' ');
    return late;
}

/* What was found stays; the bytes come back, as long as they are the same. */
START_TEST(a_file_that_rests_is_read_again)
{
    size_t size = _i < 5 ? 1000 : 1 << 20;
    int fd = make_file(size);
    m5_options o = {.reporter = &m5_report_text, .max_per_rule = 10};
    m5_input input = {.name = path};
    m5_job job = {.input = &input};
    m5_rig rig;
    m5_job_scan(&job, &rig, &o);
    m5_job_lint(&job, &o);
    ck_assert_ptr_null(job.error);
    uint32_t kept = job.turn->found.kept;
    ck_assert_uint_gt(kept, 0);
    m5_job_rest(&job, &o, false); /* not one of many */
    ck_assert(!job.rests && job.bytes.bytes != NULL);
    m5_job_rest(&job, &o, true);
    ck_assert(job.rests && job.bytes.bytes == NULL && job.memory == NULL);
    ck_assert_uint_eq(job.turn->found.kept, kept);
    ck_assert_ptr_null(m5_job_late_error(&job));
    const char *late = NULL;
    struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
    switch (_i % 5) {
    case 0:
        ck_assert_int_eq(ftruncate(fd, 20), 0);
        late = "the file got shorter while it was being read";
        break;
    case 1:
        ck_assert_int_eq(ftruncate(fd, 2 << 20), 0);
        late = "the file got longer while it was being read";
        break;
    case 2:
        ck_assert_int_eq(futimens(fd, times), 0);
        late = "the file changed while it was being read";
        break;
    case 3:
        unlink(path);
        late = "No such file or directory";
        break;
    }
    if (_i % 5 != 3)
        ck_assert_pstr_eq(m5_job_late_error(&job), late);
    else
        ck_assert_ptr_nonnull(m5_job_late_error(&job));
    ck_assert_pstr_eq(wake(&job, &o, size), late);
    ck_assert_uint_eq(job.turn->found.kept, kept);
    m5_job_end_rest(&job);
    m5_job_end_rest(&job);
    ck_assert(job.bytes.bytes == NULL && job.turn == NULL && job.file.source.bytes == NULL);
    m5_job_free(&job);
    close(fd);
    unlink(path);
}
END_TEST

START_TEST(a_mapped_file_that_gets_shorter_is_lost)
{
    int fd = make_file(1 << 20);
    m5_bytes bytes = m5_bytes_read(&(m5_input){.name = path}, M5_MAP_PARTS);
    ck_assert_ptr_null(bytes.error);
    ck_assert_ptr_nonnull(bytes.map);
    ck_assert_ptr_null(m5_bytes_changed(&bytes, path));
    ck_assert_int_eq(ftruncate(fd, 1000), 0);
    volatile const uint8_t *end = bytes.bytes + bytes.size - 1;
    ck_assert_int_eq(*end, 0);
    ck_assert_pstr_eq(m5_bytes_changed(&bytes, path),
                      "the file got shorter while it was being read");
    bytes.stamp.is_known = false; /* what was mapped tells it by itself */
    ck_assert_pstr_eq(m5_bytes_changed(&bytes, path),
                      "the file got shorter while it was being read");
    m5_bytes_free(&bytes);
    close(fd);
    unlink(path);
}
END_TEST

/* In place of the C library's: a file does not end while `is_endless` is set, or only when it is
 * far too large. */
enum { FAR_TOO_LARGE = 100000000 };
static bool is_endless;
static size_t bytes_given;

ssize_t read(int fd, void *bytes, size_t count)
{
    if (!is_endless)
        return syscall(SYS_read, fd, bytes, count);
    if (bytes_given > FAR_TOO_LARGE)
        return 0;
    memset(bytes, ' ', count);
    bytes_given += count;
    return (ssize_t)count;
}

/* A file that grows faster than it is read is not read to the end of memory. */
START_TEST(a_file_that_grows_without_end_is_in_error)
{
    static const size_t sizes[] = {0, 1, 1000, 200000};
    close(make_file(sizes[_i] + 14));
    ck_assert_int_eq(truncate(path, (off_t)sizes[_i]), 0);
    is_endless = true;
    bytes_given = 0;
    m5_bytes bytes = m5_bytes_read(&(m5_input){.name = path}, M5_MAP_WHOLE);
    is_endless = false;
    ck_assert_pstr_eq(bytes.error, "the file got longer while it was being read");
    ck_assert_ptr_null(bytes.bytes);
    ck_assert_uint_lt(bytes_given, 2 * sizes[_i] + 200000);
    unlink(path);
}
END_TEST

/* Of a file in no format nothing more is looked at. */
START_TEST(only_the_start_of_a_file_is_read)
{
    static const size_t sizes[] = {14, 1000, 65535, 65536, 65537, 1 << 20};
    close(make_file(sizes[_i]));
    m5_bytes bytes = m5_bytes_read(&(m5_input){.name = path}, M5_READ_START);
    ck_assert_ptr_null(bytes.error);
    ck_assert_uint_eq(bytes.size, sizes[_i] < M5_BYTES_START ? sizes[_i] : M5_BYTES_START);
    ck_assert_int_eq(memcmp(bytes.bytes, "MD5Version 10", 13), 0);
    m5_bytes_free(&bytes);
    unlink(path);
}
END_TEST

/* ---- Memory ---------------------------------------------------------------------------------- */

START_TEST(blocks_stay_and_do_not_overlap)
{
    enum { PIECES = 3000 };
    m5_blocks blocks = {NULL};
    uint8_t *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = m5_blocks_take(&blocks, i);
        ck_assert_ptr_nonnull(pieces[i]);
        ck_assert_uint_eq((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        memset(pieces[i], (int)(i % 251), i);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_uint_eq(pieces[i][k], i % 251);
    m5_blocks_free(&blocks);
    m5_blocks_free(&blocks);
}
END_TEST

/* No sum of sizes is more than a size_t holds. */
START_TEST(blocks_too_large_for_memory_are_refused)
{
    m5_blocks blocks = {NULL};
    ck_assert_ptr_nonnull(m5_blocks_take(&blocks, 8));
    for (size_t less = 0; less < 100; less++)
        ck_assert_ptr_null(m5_blocks_take(&blocks, SIZE_MAX - less));
    m5_blocks_free(&blocks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("app");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    add_threads_test(suite, the_pool_works_on_eight_groups_ahead_with_two_threads);
    add_threads_test(suite, the_pool_begins_with_items_that_lead_and_ends_one_item_after_another);
    tcase_add_loop_test(all, a_file_that_changes_its_size_is_in_error, 0, 2);
    tcase_add_loop_test(all, a_file_that_is_written_again_is_in_error, 0, 2);
    tcase_add_loop_test(all, a_file_that_rests_is_read_again, 0, 10);
    tcase_add_test(all, a_mapped_file_that_gets_shorter_is_lost);
    tcase_add_loop_test(all, a_file_that_grows_without_end_is_in_error, 0, 4);
    tcase_add_loop_test(all, only_the_start_of_a_file_is_read, 0, 6);
    tcase_add_test(all, blocks_stay_and_do_not_overlap);
    tcase_add_test(all, blocks_too_large_for_memory_are_refused);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
