/* Reads files into memory or maps them, and frees them again; reserves memory. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE, MAP_POPULATE, MADV_DONTNEED */
#define _FILE_OFFSET_BITS 64

#include "bytes.h"

#include "parsers/core/source.h"
#include "parsers/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifndef MAP_POPULATE /* Linux only, and only faster */
#define MAP_POPULATE 0
#endif

static const char too_large[] = "the file is larger than 4 GiB - 1 byte";
static const char no_memory[] = "out of memory";
static const char got_shorter[] = "the file got shorter while it was being read";
static const char got_longer[] = "the file got longer while it was being read";

/* ---- Files that change ------------------------------------------------------------------------
 */

static m5_stamp stamp_of(const struct stat *status)
{
    return (m5_stamp){S_ISREG(status->st_mode), (uintmax_t)status->st_size, status->st_mtim.tv_sec,
                      status->st_mtim.tv_nsec};
}

const char *m5_stamp_differs(const m5_stamp *before, const m5_stamp *after)
{
    if (!before->is_known)
        return NULL;
    if (after->is_known && before->size != after->size)
        return after->size < before->size ? got_shorter : got_longer;
    bool same = after->is_known && before->seconds == after->seconds &&
                before->nanoseconds == after->nanoseconds;
    return same ? NULL : "the file changed while it was being read";
}

/* ---- Files that are mapped --------------------------------------------------------------------
 *
 * A large file is mapped, because copying it into fresh memory costs as much as linting it. If a
 * mapped file gets shorter, reading past its new end raises SIGBUS. The handler then maps zeros
 * there and marks the file as lost. It searches the list below, as a signal handler must not wait
 * for a lock. */

enum { MAP_FROM = 1 << 18, MAPS = 4096 };

typedef struct m5_map {
    _Atomic bool is_taken, is_lost;
    _Atomic uintptr_t begin, end;
} m5_map;

static m5_map maps[MAPS];

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = at - at % page;
    (void)context;
    for (int i = 0; i < MAPS; i++) {
        uintptr_t begin = maps[i].begin, end = maps[i].end;
        if (at < begin || at >= end || begin != maps[i].begin) /* or it is another by now */
            continue;
        if (mmap((void *)from, end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                 0) == MAP_FAILED)
            break;
        maps[i].is_lost = true;
        return;
    }
    signal(number, SIG_DFL); /* not one of our maps: the access faults again and ends the program */
}

static void handle_bus_errors(void)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

static m5_map *take_map(void)
{
    for (int i = 0; i < MAPS; i++)
        if (!atomic_exchange(&maps[i].is_taken, true))
            return &maps[i];
    return NULL;
}

/* Returns false if the file is not to be mapped, or cannot be, and has to be read instead. */
static bool map_file(m5_bytes *in, int fd, uintmax_t size, m5_mapping mapping)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    bool whole = mapping == M5_MAP_WHOLE;
    if ((!whole && mapping != M5_MAP_PARTS) || size < MAP_FROM)
        return false;
    m5_map *map = take_map();
    if (map == NULL)
        return false;
    pthread_once(&once, handle_bus_errors);
    int flags = MAP_PRIVATE | (whole ? MAP_POPULATE : 0);
    void *bytes = mmap(NULL, (size_t)size, PROT_READ, flags, fd, 0);
    if (bytes == MAP_FAILED) {
        map->is_taken = false;
        return false;
    }
    map->begin = (uintptr_t)bytes;
    map->end = map->begin + size;
    in->bytes = bytes;
    in->size = (size_t)size;
    in->map = map;
    return true;
}

const char *m5_bytes_changed(const m5_bytes *in, const char *name)
{
    struct stat status;
    if (in->map != NULL && in->map->is_lost)
        return got_shorter;
    if (!in->stamp.is_known)
        return NULL;
    m5_stamp now = stat(name, &status) == 0 ? stamp_of(&status) : (m5_stamp){0};
    return m5_stamp_differs(&in->stamp, &now);
}

/* ---- Files that are read ----------------------------------------------------------------------
 */

/* Makes room for at least one more byte; `known` is the size the file claims to have. */
static bool grow(m5_bytes *in, size_t *room, size_t known)
{
    if (in->size < *room)
        return true;
    const size_t most = (size_t)M5_SOURCE_MAX +
                        (M5_SOURCE_MAX < SIZE_MAX);   /* is seen to be too large */
    size_t more = *room == 0 ? known + 1 : *room * 2; /* on 32 bits, either may overflow */
    more = more > most ? most : more;
    uint8_t *bytes = more > *room ? realloc((uint8_t *)in->bytes, more) : NULL;
    if (bytes == NULL) {
        in->error = no_memory;
        return false;
    }
    in->bytes = bytes;
    *room = more;
    return true;
}

/* Reads at most a little more than `most` bytes; if there are as many, that is the error `beyond`,
 * or NULL if no more are wanted. */
static void read_all(m5_bytes *in, int fd, size_t known, size_t most, const char *beyond)
{
    size_t room = in->size; /* of what was read before */
    while (grow(in, &room, known)) {
        ssize_t n = read(fd, (uint8_t *)in->bytes + in->size, room - in->size);
        if (n == 0)
            return;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            in->error = strerror(errno);
            return;
        }
        in->size += (size_t)n;
        if (in->size > most) {
            in->error = beyond;
            return;
        }
    }
}

/* A file that grows is not followed: what is more than its size and some, as the files of /proc
 * have, tells that it does. */
static void read_whole(m5_bytes *in, int fd, size_t known, bool file)
{
    enum { MORE = 65536 };
    if (file && known < M5_SOURCE_MAX - MORE)
        read_all(in, fd, known, known + MORE, got_longer);
    else
        read_all(in, fd, known, M5_SOURCE_MAX, too_large);
}

/* Why this cannot be a model, or NULL. */
static const char *refuse(mode_t mode, bool standard)
{
    if (S_ISREG(mode))
        return NULL;
    if (S_ISDIR(mode))
        return "this is a folder";
    if (standard)
        return NULL;
    return S_ISFIFO(mode) ? "this is a pipe, not a file; give `-` to read standard input"
                          : "this is a device or a socket, not a file";
}

/* Whether the file is still the one that was opened. */
static void check_unchanged(m5_bytes *in, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        in->error = strerror(errno);
        return;
    }
    m5_stamp now = stamp_of(&status);
    in->error = m5_stamp_differs(&in->stamp, &now);
}

/* Reads the first bytes. Returns whether there may be more of a format that they tell. */
static bool read_start(m5_bytes *in, int fd)
{
    read_all(in, fd, M5_BYTES_START - 1, M5_BYTES_START - 1, NULL);
    return in->error == NULL && in->size >= M5_BYTES_START &&
           m5_format_by_content(in->bytes, in->size) != NULL;
}

static void read_open(m5_bytes *in, int fd, m5_mapping mapping, bool standard)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        in->error = strerror(errno);
        return;
    }
    bool file = S_ISREG(status.st_mode);
    uintmax_t size = file ? (uintmax_t)status.st_size : 65535;
    in->stamp = stamp_of(&status);
    in->error = refuse(status.st_mode, standard);
    bool more = in->error == NULL;
    if (more && (mapping == M5_READ_START || mapping == M5_READ_KNOWN))
        more = read_start(in, fd) && mapping == M5_READ_KNOWN;
    if (more && size > M5_SOURCE_MAX)
        in->error = too_large;
    else if (more && (standard || !map_file(in, fd, size, mapping)))
        read_whole(in, fd, (size_t)size, file);
    if (in->error == NULL && in->stamp.is_known)
        check_unchanged(in, fd);
    if (standard)
        in->stamp = (m5_stamp){0}; /* it has no name to look at later */
}

m5_bytes m5_bytes_read(const m5_input *input, m5_mapping mapping)
{
    bool standard = input->is_stdin;
    m5_bytes in = {.once = standard};
    /* without O_NONBLOCK, opening a pipe would wait for someone to write to it */
    int fd = standard ? STDIN_FILENO : open(input->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        bool pattern = errno == ENOENT && strchr(input->name, '*') != NULL;
        in.error = pattern ? "no such file: the shell found nothing for this pattern"
                           : strerror(errno);
        return in;
    }
    read_open(&in, fd, mapping, standard);
    if (!standard)
        close(fd);
    if (in.error != NULL)
        m5_bytes_free(&in);
    return in;
}

size_t m5_bytes_peek(const char *path, uint8_t *out, size_t count, const char **error)
{
    struct stat status;
    int fd = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_CLOEXEC)
                                                                 : -1;
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, out, count);
    if (n < 0)
        *error = strerror(errno);
    close(fd);
    return n > 0 ? (size_t)n : 0;
}

void m5_bytes_rest(const m5_bytes *in)
{
#ifdef MADV_DONTNEED /* else the system takes it back when it needs it */
    if (in->map != NULL)
        madvise((uint8_t *)in->bytes, in->size, MADV_DONTNEED);
#else
    (void)in;
#endif
}

void m5_bytes_free(m5_bytes *in)
{
    if (in->borrowed) {
        m5_bytes_rest(in);
        in->borrowed = false;
    } else if (in->map == NULL) {
        free((uint8_t *)in->bytes);
    } else {
        in->map->end = 0;   /* before these addresses can be reused; and first, as without it ... */
        in->map->begin = 0; /* ... the other would begin at any address */
        munmap((uint8_t *)in->bytes, in->size);
        in->map->is_lost = false;
        in->map->is_taken = false;
    }
    in->bytes = NULL;
    in->size = 0;
    in->map = NULL;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

enum { RESERVE_FROM = 64 << 20 };

/* Files need about the same amount of memory one after another. Keeping freed memory for the next
 * file avoids returning it to the system, which would have to clear each page again. */
void m5_keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, RESERVE_FROM / 2);
    mallopt(M_TRIM_THRESHOLD, RESERVE_FROM);
#endif
}

void *m5_reserve_sparse(size_t size)
{
    if (size < RESERVE_FROM)
        return malloc(size);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void *m5_reserve(size_t size)
{
    void *memory = m5_reserve_sparse(size);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && size >= RESERVE_FROM)
        madvise(memory, size, MADV_HUGEPAGE); /* fewer page faults; the kernel may ignore it */
#endif
    return memory;
}

void m5_unreserve(void *memory, size_t size)
{
    if (size < RESERVE_FROM)
        free(memory);
    else if (memory != NULL)
        munmap(memory, size);
}
