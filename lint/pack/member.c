/* Reads a member of an archive with zlib, and reports why it cannot be read. The only file that
 * calls zlib. */
#include "lint/lint.h"
#include "parsers/core/emit.h"

#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

/* MemorySanitizer does not see what zlib writes. */
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(memory, bytes) __msan_unpoison(memory, bytes)
#endif
#endif
#ifndef WRITTEN
#define WRITTEN(memory, bytes) ((void)0)
#endif

/* Of the scratch memory, this is for bytes that nobody wants; zlib takes the rest: 32 KiB and its
 * state, of about 7 KiB. */
enum { CHUNK = 4096, MOST_AT_ONCE = 1 << 30 };

/* Expanding far is what bombs do; up to RATIO_FROM bytes it does no harm. */
enum { RATIO_FROM = 16 << 20, RATIO_MAX = 1000 };

const m5_format *m5_member_format(const m5_pack *pack, uint32_t member)
{
    enum { LONGEST = 15 };
    char end[LONGEST + 1];
    m5_span name = pack->members[member].name;
    uint32_t length = name.length < LONGEST ? name.length : LONGEST;
    memcpy(end, pack->source->bytes + name.offset + name.length - length, length);
    end[length] = '\0';
    return m5_format_by_name(end);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* `left` and `used`: of the scratch memory. */
typedef struct reading {
    const m5_pack_member *m;
    const uint8_t *data;
    uint8_t *out, *chunk;
    uint8_t *memory;
    size_t used, room;
    m5_member_result result;
} reading;

static void *take(void *user, unsigned count, unsigned size)
{
    reading *r = user;
    size_t bytes = ((size_t)count * size + 15) / 16 * 16;
    if (bytes > r->room - r->used)
        return NULL;
    void *block = r->memory + r->used;
    r->used += bytes;
    return block;
}

static void give_back(void *user, void *block)
{
    (void)user;
    (void)block; /* all of it is the caller's */
}

/* Where the next bytes go: at most so many that the member is one byte too long. */
static unsigned next_room(const reading *r, uint8_t **to)
{
    uint64_t left = r->m->size + 1 - r->result.size, most = r->out != NULL ? MOST_AT_ONCE : CHUNK;
    *to = r->out != NULL ? r->out + r->result.size : r->chunk;
    return (unsigned)(left < most ? left : most);
}

static int inflate_all(reading *r, z_stream *z)
{
    int status = Z_OK;
    while (status == Z_OK && r->result.size <= r->m->size) {
        uint8_t *to;
        unsigned room = next_room(r, &to);
        z->next_out = to;
        z->avail_out = room;
        status = inflate(z, Z_NO_FLUSH);
        WRITTEN(to, room - z->avail_out);
        r->result.size += room - z->avail_out;
        r->result.crc = (uint32_t)crc32(r->result.crc, to, room - z->avail_out);
    }
    return status;
}

static m5_member_problem unpack(reading *r)
{
    z_stream z = {.next_in = r->data,
                  .avail_in = r->m->packed,
                  .zalloc = take,
                  .zfree = give_back,
                  .opaque = r};
    int status = inflateInit2(&z, -MAX_WBITS); /* without a header */
    if (status == Z_OK)
        status = inflate_all(r, &z);
    r->result.at = r->m->at + r->m->packed - z.avail_in;
    r->result.reason = status == Z_DATA_ERROR ? z.msg : NULL;
    if (status == Z_DATA_ERROR)
        return M5_MEMBER_DEFLATE;
    if (r->result.size > r->m->size)
        return M5_MEMBER_LONG;
    if (status != Z_STREAM_END)
        return status == Z_MEM_ERROR ? M5_MEMBER_NO_MEMORY : M5_MEMBER_CUT;
    return r->result.size < r->m->size ? M5_MEMBER_SHORT : M5_MEMBER_READ;
}

static m5_member_problem copy(reading *r)
{
    const m5_pack_member *m = r->m;
    if (r->out != NULL && m->packed != 0)
        memcpy(r->out, r->data, m->packed);
    r->result.at = m->at + m->packed;
    r->result.size = m->packed;
    const uint8_t *bytes = r->out != NULL ? r->out : r->data; /* those that are linted */
    r->result.crc = (uint32_t)crc32(0, bytes, m->packed);
    return M5_MEMBER_READ;
}

m5_member_problem m5_member_limit(const m5_pack *pack, uint32_t member, const m5_settings *settings)
{
    const m5_pack_member *m = &pack->members[member];
    uint64_t set = settings != NULL ? settings->max_member : 0;
    if (m->size > (set != 0 ? set : M5_MAX_MEMBER) || m->size >= M5_SOURCE_MAX ||
        m->size > SIZE_MAX / 2)
        return M5_MEMBER_LARGE;
    return m->size > RATIO_FROM && m->size / RATIO_MAX > m->packed ? M5_MEMBER_RATIO
                                                                   : M5_MEMBER_READ;
}

m5_member_result m5_member_read(const m5_pack *pack, uint32_t member, const m5_settings *settings,
                                void *out, void *scratch)
{
    const m5_pack_member *m = &pack->members[member];
    m5_member_problem limit = m5_member_limit(pack, member, settings);
    reading r = {.m = m,
                 .data = pack->source->bytes + m->at,
                 .out = out,
                 .chunk = scratch,
                 .memory = scratch,
                 .used = CHUNK,
                 .room = M5_MEMBER_SCRATCH};
    r.result.at = m->at;
    if (limit != M5_MEMBER_READ)
        r.result.problem = limit;
    else if (scratch == NULL)
        r.result.problem = M5_MEMBER_NO_MEMORY;
    else
        r.result.problem = m->method == M5_PACK_DEFLATED ? unpack(&r) : copy(&r);
    if (r.result.problem == M5_MEMBER_READ && pack->zip && r.result.crc != m->crc)
        r.result.problem = M5_MEMBER_CRC;
    return r.result;
}

/* ---- Reporting ------------------------------------------------------------------------------- */

static const m5_rule *rule_of(m5_member_problem problem)
{
    switch (problem) {
    case M5_MEMBER_LARGE: return M5_LINT_ROW(pack_member_size);
    case M5_MEMBER_RATIO: return M5_LINT_ROW(pack_ratio);
    case M5_MEMBER_SHORT:
    case M5_MEMBER_LONG: return M5_LINT_ROW(pack_data_size);
    case M5_MEMBER_CRC: return M5_LINT_ROW(pack_crc);
    default: return M5_LINT_ROW(pack_deflate);
    }
}

/* The entry's CRC or uncompressed size, or the data. */
static m5_diag found(const m5_pack *pack, uint32_t member, const m5_member_result *result)
{
    const m5_pack_member *m = &pack->members[member];
    m5_member_problem problem = result->problem;
    bool data = problem == M5_MEMBER_DEFLATE || problem == M5_MEMBER_CUT;
    uint32_t crc = m->entry + (pack->recovered ? 14 : 16), size = crc + 8;
    if (!pack->zip)
        size = m->entry + 60;
    uint32_t last = m->at + m->packed - (m->packed != 0);
    uint32_t at = result->at < last ? result->at : last;
    m5_diag d = m5_found(rule_of(problem), data                       ? (m5_span){at, 1}
                                           : problem == M5_MEMBER_CRC ? (m5_span){crc, 4}
                                                                      : (m5_span){size, 4});
    d.path = m5_path2("member", member,
                      data                       ? "data"
                      : problem == M5_MEMBER_CRC ? "crc"
                                                 : "uncompressedSize",
                      M5_NO_INDEX);
    return d;
}

void m5_member_report(m5_report *report, const m5_pack *pack, uint32_t member,
                      const m5_member_result *result)
{
    const m5_pack_member *m = &pack->members[member];
    int length = (int)m->name.length;
    const char *name = (const char *)pack->source->bytes + m->name.offset;
    unsigned long long size = m->size, made = result->size;
    m5_diag d = found(pack, member, result);
    switch (result->problem) {
    case M5_MEMBER_LARGE:
        m5_emit(report, &d, 0, "'%.*s' has %llu bytes, more than the limit; it is not read", length,
                name, size);
        break;
    case M5_MEMBER_RATIO:
        m5_emit(report, &d, 0,
                "'%.*s' has %u bytes here and %llu unpacked, more than 1,000 times as many; it is "
                "not read",
                length, name, m->packed, size);
        break;
    case M5_MEMBER_DEFLATE:
        m5_emit(report, &d, 0, "the data of '%.*s' is not what Deflate makes (%s)", length, name,
                result->reason != NULL ? result->reason : "no reason given");
        break;
    case M5_MEMBER_CUT:
        m5_emit(report, &d, 0, "the data of '%.*s' ends early, after %llu of %llu bytes", length,
                name, made, size);
        break;
    case M5_MEMBER_SHORT:
        m5_emit(report, &d, 0, "'%.*s' unpacks to %llu bytes, expected %llu", length, name, made,
                size);
        break;
    case M5_MEMBER_LONG:
        m5_emit(report, &d, 0, "'%.*s' unpacks to more than %llu bytes", length, name, size);
        break;
    case M5_MEMBER_CRC:
        m5_emit(report, &d, 0, "the bytes of '%.*s' have CRC 0x%x, expected 0x%x: they are damaged",
                length, name, result->crc, m->crc);
        break;
    default: break;
    }
}
