/* A mesh and an animation in, the vertices of one frame out as OBJ: play MESH ANIM FRAME. */
#include "lint/m5_file.h"

#include <stdio.h>
#include <stdlib.h>

static int play(const m5_md5mesh *mesh, const m5_md5anim *anim, uint32_t frame)
{
    size_t room = m5_parse_memory(mesh->source->size); /* more than a skin takes */
    void *memory = malloc(room);
    m5_transform *pose = malloc(anim->num_joints * sizeof *pose);
    m5_matrix *bones = malloc(anim->num_joints * sizeof *bones);
    m5_arena arena;
    m5_skin skin = {0};
    bool made = memory != NULL && pose != NULL && bones != NULL;
    m5_arena_init(&arena, memory, made ? room : 0);
    made = made && m5_skin_md5mesh(&arena, mesh, 0, mesh->num_meshes, &skin);
    if (made)
        m5_md5anim_pose(anim, frame, pose);
    for (uint32_t i = 0; made && i < anim->num_joints; i++)
        bones[i] = m5_matrix_of(&pose[i]);
    for (uint32_t i = 0; made && i < skin.num_verts; i++) {
        m5_vec p = m5_skin_position(&skin, i, bones);
        printf("v %.6f %.6f %.6f\n", p.x, p.y, p.z);
    }
    free(bones), free(pose), free(memory);
    return made ? 0 : 2;
}

int main(int argc, char **argv)
{
    m5_file *mesh = argc == 4 ? m5_file_read(argv[1]) : NULL;
    m5_file *anim = argc == 4 ? m5_file_read(argv[2]) : NULL;
    uint32_t frame = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    bool clean = mesh != NULL && anim != NULL && mesh->status == M5_CLEAN &&
                 anim->status == M5_CLEAN && mesh->model.md5mesh != NULL &&
                 anim->model.md5anim != NULL;
    bool fit = clean && mesh->model.md5mesh->num_joints == anim->model.md5anim->num_joints &&
               frame < anim->model.md5anim->num_frames;
    int status = fit ? play(mesh->model.md5mesh, anim->model.md5anim, frame) : 1;
    if (status != 0)
        fprintf(stderr, "play: expected a clean md5mesh and an md5anim of it with that frame\n");
    m5_free(mesh), m5_free(anim);
    return status;
}
