/* A mesh and an animation in, the vertices of one frame out as OBJ: play MESH ANIM FRAME. */
#include "lint/m5_file.h"

#include <stdio.h>
#include <stdlib.h>

static bool play(const m5_md5mesh *mesh, const m5_md5anim *anim, unsigned long frame)
{
    enum { JOINTS = 256 }; /* this game's limit */
    if (mesh == NULL || anim == NULL || mesh->num_joints != anim->num_joints ||
        mesh->num_joints > JOINTS || frame >= anim->num_frames)
        return false;
    m5_transform pose[JOINTS];
    m5_matrix bones[JOINTS];
    size_t room = m5_parse_memory(mesh->source->size); /* enough for a skin, too */
    void *memory = malloc(room);
    m5_arena arena;
    m5_skin skin = {0};
    m5_arena_init(&arena, memory, memory != NULL ? room : 0);
    bool made = m5_skin_md5mesh(&arena, mesh, 0, mesh->num_meshes, &skin);
    m5_md5anim_pose(anim, (uint32_t)frame, pose);
    for (uint32_t i = 0; i < anim->num_joints; i++)
        bones[i] = m5_matrix_of(&pose[i]);
    for (uint32_t i = 0; made && i < skin.num_verts; i++) {
        m5_vec p = m5_skin_position(&skin, i, bones);
        printf("v %.6f %.6f %.6f\n", p.x, p.y, p.z);
    }
    return free(memory), made;
}

int main(int argc, char **argv)
{
    m5_file *m = m5_file_read(argc == 4 ? argv[1] : "");
    m5_file *a = m5_file_read(argc == 4 ? argv[2] : "");
    bool clean = m != NULL && a != NULL && m->status == M5_CLEAN && a->status == M5_CLEAN;
    bool done = clean && play(m->model.md5mesh, a->model.md5anim, strtoul(argv[3], NULL, 10));
    if (!done)
        fprintf(stderr, "play: expected a clean md5mesh, an md5anim for it, and a frame of that\n");
    return m5_free(m), m5_free(a), !done;
}
