/* Fuzz target for archives: any bytes as an archive, and each member that can be read is read. It
 * is a zip or a pak by its content. */
#include "fuzz/harness/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Memory for a member stays small: larger ones are read without it. */
enum { LARGEST = 1 << 20 };

/* A member is read within its bounds: not more than a byte past what the directory says. Without
 * memory for it, the result is the same. */
static void read_member(const m5_pack *pack, uint32_t i, void *scratch)
{
    const m5_pack_member *m = &pack->members[i];
    m5_settings settings = {.max_member = LARGEST};
    m5_member_result dry = m5_member_read(pack, i, &settings, NULL, scratch);
    if (m->size > LARGEST) {
        HARNESS_ASSERT(dry.problem == M5_MEMBER_LARGE);
        return;
    }
    uint8_t *out = malloc((size_t)m->size + 1);
    HARNESS_ASSERT(out != NULL);
    m5_member_result r = m5_member_read(pack, i, &settings, out, scratch);
    HARNESS_ASSERT(r.problem == dry.problem && r.size == dry.size && r.crc == dry.crc);
    HARNESS_ASSERT(r.size <= m->size + 1 && r.at >= m->at && r.at - m->at <= m->packed);
    HARNESS_ASSERT(r.problem != M5_MEMBER_NO_MEMORY);
    HARNESS_ASSERT(r.problem != M5_MEMBER_READ || r.size == m->size);
    if (m->method == M5_PACK_STORED && m->packed != 0)
        HARNESS_ASSERT(memcmp(out, pack->source->bytes + m->at, m->packed) == 0);
    free(out);
}

static void read_members(const uint8_t *data, size_t size)
{
    m5_source source = {"input.pk4", data, (uint32_t)size};
    m5_report report = {.source = &source};
    m5_arena arena;
    const m5_pack *pack;
    void *memory = malloc(m5_parse_memory(size)), *scratch = malloc(M5_MEMBER_SCRATCH);
    HARNESS_ASSERT(memory != NULL && scratch != NULL);
    m5_arena_init(&arena, memory, m5_parse_memory(size));
    HARNESS_ASSERT(m5_pack_parse(&report, &arena, &pack) != M5_NO_MEMORY);
    for (uint32_t i = 0; i < pack->num_members; i++)
        if (pack->members[i].state == M5_PACK_READABLE)
            read_member(pack, i, scratch);
    free(scratch);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    harness_try(m5_format_by_name("x.pk4"), data, size, HARNESS_LINT);
    read_members(data, size);
    return 0;
}
