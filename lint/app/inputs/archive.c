/* Opens archives and reads their members. */
#define _POSIX_C_SOURCE 200809L

#include "archive.h"

#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "out of memory";

/* ---- The archive ----------------------------------------------------------------------------- */

static bool read_directory(m5_archive *a)
{
    m5_report silent = {.source = &a->source};
    m5_arena arena;
    a->memory_size = m5_parse_memory(a->source.size);
    a->memory = m5_reserve(a->memory_size);
    if (a->memory == NULL)
        return false;
    m5_arena_init(&arena, a->memory, a->memory_size);
    return m5_pack_parse(&silent, &arena, &a->pack) != M5_NO_MEMORY;
}

bool m5_archive_has_model(const m5_archive *a, uint32_t member)
{
    const m5_format *format = m5_member_format(a->pack, member);
    return a->pack->members[member].state == M5_PACK_READABLE && format != NULL &&
           format->parse != NULL && m5_format_bit(format) != M5_IN_PACK;
}

char *m5_archive_name(const m5_archive *a, uint32_t member)
{
    m5_span own = a->pack->members[member].name; /* of a readable member, which has no NUL */
    size_t path = strlen(a->source.name);
    char *name = malloc(path + own.length + 2);
    if (name == NULL)
        return NULL;
    memcpy(name, a->source.name, path);
    name[path] = '!';
    memcpy(name + path + 1, a->source.bytes + own.offset, own.length);
    name[path + 1 + own.length] = '\0';
    return name;
}

/* By the extension; only if that is unknown by the content. */
bool m5_archive_is(const char *path, const m5_bytes *bytes, const char **error)
{
    uint8_t start[4];
    const m5_format *format = m5_format_by_name(path);
    if (format == NULL && bytes != NULL)
        format = m5_format_by_content(bytes->bytes, bytes->size);
    else if (format == NULL)
        format = m5_format_by_content(start, m5_bytes_peek(path, start, sizeof start, error));
    return format != NULL && m5_format_bit(format) == M5_IN_PACK;
}

m5_archive *m5_archive_open(const char *path, m5_bytes bytes, const char **error)
{
    m5_archive *a = calloc(1, sizeof *a);
    *error = no_memory;
    if (a == NULL) {
        m5_bytes_free(&bytes);
        return NULL;
    }
    a->bytes = bytes;
    a->path = strdup(path);
    if (a->path == NULL) {
        m5_archive_free(a);
        return NULL;
    }
    a->source = (m5_source){a->path, a->bytes.bytes, (uint32_t)a->bytes.size};
    if (a->bytes.error == NULL && read_directory(a))
        a->results = calloc((size_t)a->pack->num_members + 1, sizeof *a->results);
    if (a->results != NULL) {
        *error = NULL;
        return a;
    }
    if (a->bytes.error != NULL)
        *error = a->bytes.error;
    m5_archive_free(a);
    return NULL;
}

void m5_archive_free(m5_archive *a)
{
    m5_bytes_free(&a->bytes);
    m5_unreserve(a->memory, a->memory_size);
    free(a->results);
    free(a->path);
    free(a);
}

/* ---- Members --------------------------------------------------------------------------------- */

/* After small members of a large archive it would take longer to map the bytes again than to read
 * these. */
enum { REST_BELOW = 1 << 20, REST_FROM = 1 << 13 };

/* Memory for the member, and for zlib. */
static m5_member_result read_member(const m5_archive *a, uint32_t member,
                                    const m5_settings *settings, m5_bytes *out)
{
    m5_member_result result = {.problem = M5_MEMBER_NO_MEMORY};
    size_t size = (size_t)a->pack->members[member].size;
    uint8_t *bytes = malloc(size + 1);
    void *scratch = malloc(M5_MEMBER_SCRATCH);
    if (bytes != NULL && scratch != NULL)
        result = m5_member_read(a->pack, member, settings, bytes, scratch);
    free(scratch);
    if (a->source.size < REST_BELOW || a->pack->members[member].packed >= REST_FROM)
        m5_bytes_rest(&a->bytes);
    if (result.problem == M5_MEMBER_READ) {
        out->bytes = bytes;
        out->size = size;
        return result;
    }
    out->error = result.problem == M5_MEMBER_NO_MEMORY ? no_memory : "it cannot be read";
    free(bytes);
    return result;
}

m5_bytes m5_archive_read(const m5_archive *a, uint32_t member, const m5_settings *settings,
                         m5_member_result *result)
{
    m5_bytes out = {0};
    *result = (m5_member_result){.problem = m5_member_limit(a->pack, member, settings)};
    if (result->problem == M5_MEMBER_READ)
        *result = read_member(a, member, settings, &out);
    else
        out.error = "it is not read";
    return out;
}

bool m5_archive_is_flawed(const m5_archive *a, uint32_t member)
{
    m5_member_problem problem = a->results[member].problem;
    return problem != M5_MEMBER_READ && problem != M5_MEMBER_NO_MEMORY;
}

/* The directory was read once more for `file`. If the archive changed since, it may be another one.
 */
void m5_archive_report(const m5_archive *a, m5_lint_file *file)
{
    const m5_pack *pack = file->model.pack;
    for (uint32_t i = 0; i < a->pack->num_members && i < pack->num_members; i++)
        if (m5_archive_is_flawed(a, i))
            m5_member_report(&file->report, pack, i, &a->results[i]);
}
