/* Fixes counts: where all that is counted is whole, and nothing refers to more, the number in the
 * header is wrong. */
#include "fixes.h"
#include "shape.h"
#include "parsers/core/allocate.h"
#include "parsers/core/number.h"

#include <string.h>

/* The finding is at the number. If it is known which record is lost or extra, that is the flaw, and
 * a list without any record has lost all. If it is not certain that no record is lost, a number
 * that is lowered may hide that. */
static bool set_count(m5_fixing *x, uint32_t count, bool certain)
{
    const m5_diag *d = x->diag;
    const uint8_t *text = x->f->source.bytes + d->at.offset;
    int32_t declared = 0;
    if (count == 0 || (d->num_related != 0 && d->related[0].at.length != 0))
        return false;
    bool known = m5_read_int(text, d->at.length, &declared) < M5_NUMBER_IS_FLOAT;
    x->unsafe = !certain && !(known && declared >= 0 && (uint32_t)declared < count);
    m5_fix_print(x, x->diag->at, "%u", count);
    return true;
}

/* A record that is lost leaves others unused, which is not certain either if the number is raised:
 * those may be extra. */
static bool set_list_count(m5_fixing *x, const m5_mesh_shape *s, uint32_t mesh, int list)
{
    const m5_md5mesh *m = x->f->model.md5mesh;
    size_t mark = x->arena->used;
    bool *used = m5_arena_take(x->arena, s->count[M5_SHAPE_VERTS], sizeof *used);
    bool all = m5_shape_uses_all(m->source, m->meshes[mesh].offset, s, used);
    m5_arena_release(x->arena, mark);
    bool set = set_count(x, s->count[list], all);
    x->unsafe = !all;
    return set;
}

bool m5_fix_md5mesh_list_count(m5_fixing *x)
{
    const m5_md5mesh *m = x->f->model.md5mesh;
    uint32_t mesh = x->diag->path.step[0].index, at = x->diag->at.offset;
    m5_mesh_shape s;
    if (mesh >= m->num_meshes || !m5_shape_of_mesh(m->source, m->meshes[mesh].offset, &s))
        return false;
    const m5_md5mesh_mesh *p = &m->meshes[mesh];
    if (at == p->num_tris_at)
        return set_list_count(x, &s, mesh, M5_SHAPE_TRIS);
    if (at == p->num_verts_at && s.needs[M5_SHAPE_TRIS] <= s.count[M5_SHAPE_VERTS])
        return set_list_count(x, &s, mesh, M5_SHAPE_VERTS);
    if (at == p->num_weights_at && s.needs[M5_SHAPE_VERTS] <= s.count[M5_SHAPE_WEIGHTS])
        return set_list_count(x, &s, mesh, M5_SHAPE_WEIGHTS);
    return false;
}

/* A mesh that is there twice may be the flaw. */
bool m5_fix_md5mesh_mesh_count(m5_fixing *x)
{
    m5_file_shape s;
    bool set = m5_shape_of_file(&x->f->source, &s) && set_count(x, s.meshes, false);
    x->unsafe |= set && s.twins;
    return set;
}

/* If no file of the group has more joints, it is this one that has lost some. */
static bool has_most_joints(const m5_fixing *x, uint32_t count)
{
    return x->in->most_joints <= count;
}

bool m5_fix_md5mesh_joint_count(m5_fixing *x)
{
    m5_file_shape s;
    if (!m5_shape_of_file(&x->f->source, &s))
        return false;
    uint32_t count = s.lines[M5_SHAPE_JOINTS];
    return count != 0 && s.needs <= count && set_count(x, count, has_most_joints(x, count));
}

bool m5_fix_md5anim_joint_count(m5_fixing *x)
{
    m5_file_shape s;
    if (!m5_shape_of_file(&x->f->source, &s))
        return false;
    uint32_t count = s.lines[M5_SHAPE_HIERARCHY];
    return count == s.lines[M5_SHAPE_BASEFRAME] &&
           x->diag->at.offset == x->f->model.md5anim->num_joints_at.offset &&
           set_count(x, count, has_most_joints(x, count));
}

bool m5_fix_md5anim_frame_count(m5_fixing *x)
{
    m5_file_shape s;
    return m5_shape_of_file(&x->f->source, &s) && s.frames == s.lines[M5_SHAPE_BOUNDS] &&
           set_count(x, s.frames, true);
}

/* Where all frames have as many values as flags are set. */
bool m5_fix_md5anim_components(m5_fixing *x)
{
    m5_span at = x->f->model.md5anim->num_components_at;
    m5_file_shape s;
    if (x->diag->at.offset != at.offset || !m5_shape_of_file(&x->f->source, &s) || s.frames == 0 ||
        s.values != s.flags)
        return false;
    m5_fix_print(x, at, "%u", s.values);
    return true;
}

/* A line that is there twice may be the flaw, or the camera rests. */
bool m5_fix_md5camera_frame_count(m5_fixing *x)
{
    m5_file_shape s;
    bool set = m5_shape_of_file(&x->f->source, &s) && s.last_cut <= s.lines[M5_SHAPE_CAMERA] &&
               set_count(x, s.lines[M5_SHAPE_CAMERA], false);
    x->unsafe |= set && s.twins;
    return set;
}

bool m5_fix_md5camera_cut_count(m5_fixing *x)
{
    m5_file_shape s;
    return m5_shape_of_file(&x->f->source, &s) && s.last_cut <= s.lines[M5_SHAPE_CAMERA] &&
           set_count(x, s.lines[M5_SHAPE_CUTS], false);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

static uint32_t line_start(const m5_fixing *x, uint32_t at)
{
    while (at > 0 && x->f->source.bytes[at - 1] != '\n')
        at--;
    return at;
}

/* Deletes the boxes after the last frame, or repeats the last one. Where they are wrong then, that
 * is found when the file is linted again. */
bool m5_fix_md5anim_box_count(m5_fixing *x)
{
    m5_file_shape s;
    if (!m5_shape_of_file(&x->f->source, &s) || s.frames != s.num_frames || s.frames == 0 ||
        s.lines[M5_SHAPE_BOUNDS] == 0)
        return false;
    const char *bytes = (const char *)x->f->source.bytes;
    uint32_t end = line_start(x, s.boxes_end), from = line_start(x, s.last_box);
    if (s.extra_box != 0) {
        from = line_start(x, s.extra_box);
        m5_fix_replace(x, (m5_span){from, end - from}, NULL, 0);
        return from < end;
    }
    uint32_t missing = s.frames - s.lines[M5_SHAPE_BOUNDS], length = end - from;
    char *copies = from < end ? m5_arena_take(x->arena, missing, length) : NULL;
    for (uint32_t i = 0; i < missing && copies != NULL; i++)
        memcpy(copies + (size_t)i * length, bytes + from, length);
    if (copies != NULL)
        m5_fix_replace(x, (m5_span){end, 0}, copies, (size_t)missing * length);
    return copies != NULL;
}
