/* Fuzz target: any bytes as declarations, which are linted too, also together with a mesh and an
 * animation that they may name. */
#include "fuzz/harness/harness.h"
#include "lint/def/link.h"

static const char skeleton[] =
    "MD5Version 10\ncommandline \"\"\nnumJoints 4\nnumMeshes 0\njoints {\n"
    "\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n"
    "\"waist\" 0 ( 0 0 1 ) ( 0 0 0 )\n"
    "\"neck\" 1 ( 0 0 2 ) ( 0 0 0 )\n"
    "\"hips\" 0 ( 0 0 3 ) ( 0 0 0 )\n}\n";
enum { ROOM = 1 << 16 };

/* The mesh is all that its joints are taken from; an animation has its joints too. */
static void list_assets(m5_def_asset *assets, m5_lint_file *mesh, void *memory)
{
    static const m5_source source = {"mesh", (const uint8_t *)skeleton, sizeof skeleton - 1};
    m5_lint_bytes(mesh, &(m5_lint_input){.source = source,
                                         .format = m5_format_by_name("x.md5mesh"),
                                         .memory = memory,
                                         .size = ROOM});
    for (int i = 0; i < 2; i++)
        HARNESS_ASSERT(m5_def_asset_of(&assets[i], mesh) && assets[i].num_joints == 4);
    assets[0].path = "base/models/md5/a.md5mesh";
    assets[1].path = "pak000.pk4!a.md5anim";
    assets[1].num_frames = 10;
    assets[1].frame_rate = 24;
}

/* Twice the same file, so that each name is there more than once. */
static void link_all(const uint8_t *data, size_t size)
{
    static uint64_t room[ROOM / 8];
    m5_def_asset assets[2];
    m5_lint_file mesh, file;
    list_assets(assets, &mesh, room);
    size_t bytes = m5_lint_memory(size, 0);
    void *memory = malloc(bytes);
    HARNESS_ASSERT(memory != NULL);
    harness_run run = {.source = &file.source};
    m5_settings settings = {.levels = all_rules()};
    m5_lint_bytes(&file, &(m5_lint_input){.source = {"input.def", data, (uint32_t)size},
                                          .format = m5_format_by_name("x.def"),
                                          .settings = &settings,
                                          .sink = {harness_take, &run},
                                          .memory = memory,
                                          .size = bytes});
    m5_lint_file *defs[] = {&file, &file};
    m5_def_game game = {.defs = defs,
                        .num_defs = 1 + size % 2,
                        .assets = assets,
                        .num_assets = 2,
                        .complete = size / 2 % 2 != 0};
    void *scratch = malloc(m5_def_link_memory(&game));
    HARNESS_ASSERT(scratch != NULL);
    m5_def_link(&game, scratch);
    free(scratch);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    harness_try(m5_format_by_name("x.def"), data, size, HARNESS_LINT);
    if (size < ROOM)
        link_all(data, size);
    return 0;
}
