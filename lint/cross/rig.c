/* Fingerprints of joints: what tells which files belong together once their models are gone. */
#include "rig.h"
#include "cross.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/core/sort.h"
#include "lint/cross/ill/checks.h"
#include "parsers/core/allocate.h"

static const uint64_t hash_begin = UINT64_C(14695981039346656037);

static uint64_t hash_byte(uint64_t hash, unsigned byte)
{
    return (hash ^ byte) * UINT64_C(1099511628211);
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        hash = hash_byte(hash, number >> (8 * i) & 0xff);
    return hash;
}

static uint64_t hash_name(const m5_source *s, m5_name name, bool fold)
{
    uint64_t hash = hash_begin;
    for (uint32_t i = 0; i < name.length; i++) {
        uint8_t c = s->bytes[name.offset + i];
        hash = hash_byte(hash, fold && c >= 'A' && c <= 'Z' ? c | 0x20U : c);
    }
    return hash;
}

static int32_t parent_of(const m5_model *m, uint32_t i)
{
    return m->md5mesh != NULL ? m->md5mesh->joints[i].parent : m->md5anim->joints[i].parent;
}

/* MD5 joints are compared in order. Bones of ill* are found by name, so that only the set of names
 * counts: their hashes are added up. */
static void hash_joints(m5_rig *rig, const m5_source *s, const m5_model *m)
{
    bool in_order = m->md5mesh != NULL || m->md5anim != NULL;
    for (uint32_t i = 0; i < rig->num_joints; i++) {
        m5_name name = m5_check_name_at(m, i);
        uint64_t folded = hash_name(s, name, true), exact = hash_name(s, name, false);
        if (in_order) {
            rig->names_hash = hash_number(rig->names_hash, folded);
            rig->joints_hash = hash_number(rig->joints_hash, exact);
            rig->joints_hash = hash_number(rig->joints_hash, (uint32_t)parent_of(m, i));
        } else {
            rig->names_hash += hash_number(hash_begin, folded);
            rig->joints_hash += hash_number(hash_begin, exact);
        }
    }
}

static bool are_joints_known(const m5_model *m)
{
    if (m->md5mesh != NULL)
        return m->md5mesh->joints_whole;
    if (m->md5anim != NULL)
        return m->md5anim->joints_whole;
    if (m->illskel != NULL)
        return m->illskel->names_whole;
    return m->illanim != NULL;
}

void m5_rig_of(m5_rig *rig, const m5_source *source, const m5_model *model, m5_arena *arena)
{
    *rig = (m5_rig){.name = source->name, .format = model->format};
    if (model->illmesh != NULL) {
        rig->num_joints = m5_check_bones_needed(model->illmesh);
        rig->known = model->illmesh->verts_whole;
    }
    if (model->md4 != NULL || model->illmesh != NULL)
        return;
    rig->num_joints = m5_check_name_count(model);
    rig->known = rig->num_joints != 0 && are_joints_known(model);
    uint32_t *names = rig->known ? m5_arena_keep(arena, rig->num_joints * sizeof *names) : NULL;
    for (uint32_t i = 0; names != NULL && i < rig->num_joints; i++)
        names[i] = (uint32_t)hash_name(source, m5_check_name_at(model, i), false);
    if (names != NULL)
        m5_check_sort(names, rig->num_joints, m5_is_less, NULL);
    rig->known = names != NULL;
    rig->names = names;
    if (rig->known)
        hash_joints(rig, source, model);
}

bool m5_rig_read(m5_rig *rig, const m5_lint_input *in)
{
    m5_settings settings = {.joints_only = true};
    m5_report report = {.source = &in->source, .settings = &settings};
    m5_model model = {.format = m5_lint_format(in)};
    m5_arena arena;
    *rig = (m5_rig){.name = in->source.name, .format = model.format};
    m5_arena_init(&arena, in->memory, in->size);
    if (model.format == NULL || m5_parse(model.format, &report, &arena, &model) == M5_NO_MEMORY)
        return false;
    m5_rig_of(rig, &in->source, &model, &arena);
    return true;
}
