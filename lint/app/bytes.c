/* Reads files into memory or maps them, and frees them again; reserves memory. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE, MAP_POPULATE */
#define _FILE_OFFSET_BITS 64

#include "bytes.h"

#include "parsers/core/source.h"

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

/* ---- Files that are mapped --------------------------------------------------------------------
 *
 * A large file is mapped, because copying it into fresh memory costs as much as linting it. If a
 * mapped file gets shorter, reading past its new end raises SIGBUS. The handler then maps zeros
 * there and marks the file as lost. It searches the list below, as a signal handler must not wait
 * for a lock. */

enum { MAP_FROM = 1 << 18, MAPS = 64 };

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
        if (at < begin || at >= end)
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

/* Returns false if the file cannot be mapped and has to be read instead. */
static bool map_file(m5_bytes *in, int fd, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    m5_map *map = take_map();
    if (map == NULL)
        return false;
    pthread_once(&once, handle_bus_errors);
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (bytes == MAP_FAILED) {
        map->is_taken = false;
        return false;
    }
    map->begin = (uintptr_t)bytes;
    map->end = map->begin + size;
    in->bytes = bytes;
    in->size = size;
    in->map = map;
    return true;
}

const char *m5_bytes_lost(const m5_bytes *in)
{
    return in->map != NULL && in->map->is_lost ? "the file got shorter while it was being read"
                                               : NULL;
}

/* ---- Files that are read ----------------------------------------------------------------------
 */

/* Makes room for at least one more byte; `known` is the size the file claims to have. */
static bool grow(m5_bytes *in, size_t *room, size_t known)
{
    if (in->size < *room)
        return true;
    size_t more = *room == 0 ? known + 1 : *room * 2; /* on 32 bits, either may overflow */
    uint8_t *bytes = more > *room ? realloc((uint8_t *)in->bytes, more) : NULL;
    if (bytes == NULL) {
        in->error = no_memory;
        return false;
    }
    in->bytes = bytes;
    *room = more;
    return true;
}

static void read_all(m5_bytes *in, int fd, size_t known)
{
    size_t room = 0;
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
        if (in->size > M5_SOURCE_MAX) {
            in->error = too_large;
            return;
        }
    }
}

static void read_open(m5_bytes *in, int fd, bool may_map)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        in->error = strerror(errno);
        return;
    }
    uintmax_t size = S_ISREG(status.st_mode) ? (uintmax_t)status.st_size : 65535;
    in->once |= !S_ISREG(status.st_mode);
    if (S_ISDIR(status.st_mode))
        in->error = "this is a directory";
    else if (size > M5_SOURCE_MAX)
        in->error = too_large;
    else if (!may_map || size < MAP_FROM || !map_file(in, fd, (size_t)size))
        read_all(in, fd, (size_t)size);
}

m5_bytes m5_bytes_read(const m5_input *input, bool may_map)
{
    bool standard = input->path == NULL;
    m5_bytes in = {.once = standard};
    int fd = standard ? STDIN_FILENO : open(input->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        in.error = strerror(errno);
        return in;
    }
    read_open(&in, fd, may_map && !standard);
    if (!standard)
        close(fd);
    if (in.error != NULL)
        m5_bytes_free(&in);
    return in;
}

void m5_bytes_free(m5_bytes *in)
{
    if (in->map == NULL) {
        free((uint8_t *)in->bytes);
    } else {
        in->map->end = in->map->begin = 0; /* before these addresses can be reused */
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

void *m5_reserve(size_t size)
{
    if (size < RESERVE_FROM)
        return malloc(size);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
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
