/* A mesh and an animation in, the vertices of one frame out as OBJ: play MESH ANIM FRAME. */
#include "parsers/m5.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 24 };

static void say(void *path, const m5_diag *d)
{
    fprintf(stderr, "%s: at byte %u: %s\n", (char *)path, d->at.offset, d->message);
}

static m5_model load(char *path, m5_source *source, m5_arena *arena)
{
    uint8_t *bytes = malloc(ROOM);
    FILE *file = fopen(path, "rb");
    *source = (m5_source){path, bytes, file != NULL ? (uint32_t)fread(bytes, 1, ROOM, file) : 0};
    m5_arena_init(arena, malloc(m5_parse_memory(ROOM)), m5_parse_memory(ROOM));
    m5_report report = {.source = source, .sink = {say, path}};
    m5_model model = {.format = m5_format_by_name(path)};
    if (model.format == NULL || m5_parse(model.format, &report, arena, &model) != M5_CLEAN)
        exit(1);
    return model;
}

int main(int argc, char **argv)
{
    static m5_source source[2];
    m5_arena arena[2];
    const m5_md5mesh *mesh = argc == 4 ? load(argv[1], &source[0], &arena[0]).md5mesh : NULL;
    const m5_md5anim *anim = argc == 4 ? load(argv[2], &source[1], &arena[1]).md5anim : NULL;
    uint32_t frame = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    if (mesh == NULL || anim == NULL || frame >= anim->num_frames ||
        anim->num_joints != mesh->num_joints)
        return 2;
    m5_transform *pose = malloc(anim->num_joints * sizeof *pose);
    m5_matrix *bones = malloc(anim->num_joints * sizeof *bones);
    m5_skin skin;
    if (!m5_skin_md5mesh(&arena[0], mesh, 0, mesh->num_meshes, &skin))
        return 2;
    m5_md5anim_pose(anim, frame, pose);
    for (uint32_t i = 0; i < anim->num_joints; i++)
        bones[i] = m5_matrix_of(&pose[i]);
    for (uint32_t i = 0; i < skin.num_verts; i++) {
        m5_vec p = m5_skin_position(&skin, i, bones);
        printf("v %.6f %.6f %.6f\n", p.x, p.y, p.z);
    }
    return 0;
}
