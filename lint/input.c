#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#define _FILE_OFFSET_BITS 64

#include "input.h"

#include "../parsers/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char too_large[] = "larger than 4 GiB - 1, which is the limit";
static const char no_memory[] = "out of memory";

/* Makes room for at least one more byte; `known` is the size the file claims to have. */
static bool grow(m5_input *in, size_t *room, size_t known)
{
    if (in->size < *room)
        return true;
    size_t more = *room == 0 ? known + 1 : *room * 2;
    uint8_t *bytes = realloc(in->bytes, more);
    if (bytes == NULL) {
        in->error = no_memory;
        return false;
    }
    in->bytes = bytes;
    *room = more;
    return true;
}

static void read_all(m5_input *in, int fd, size_t known)
{
    size_t room = 0;
    while (grow(in, &room, known)) {
        ssize_t n = read(fd, in->bytes + in->size, room - in->size);
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

static void read_open(m5_input *in, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        in->error = strerror(errno);
    else if (S_ISDIR(status.st_mode))
        in->error = "is a directory";
    else if ((uintmax_t)status.st_size > M5_SOURCE_MAX)
        in->error = too_large;
    else
        read_all(in, fd, S_ISREG(status.st_mode) ? (size_t)status.st_size : 65535);
}

m5_input m5_input_read(const char *path)
{
    m5_input in = {NULL, 0, NULL};
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        in.error = strerror(errno);
        return in;
    }
    read_open(&in, fd);
    if (!standard)
        close(fd);
    if (in.error != NULL)
        m5_input_free(&in);
    return in;
}

void m5_input_free(m5_input *in)
{
    free(in->bytes);
    in->bytes = NULL;
    in->size = 0;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

enum { RESERVE_FROM = 64 << 20 };

void *m5_reserve(size_t size)
{
    if (size < RESERVE_FROM)
        return malloc(size);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void m5_unreserve(void *memory, size_t size)
{
    if (size < RESERVE_FROM)
        free(memory);
    else if (memory != NULL)
        munmap(memory, size);
}
