/* Copies joints with their names, so that their file need not stay in memory. */
#include "asset.h"
#include "parsers/core/number.h"

#include <stdlib.h>
#include <string.h>

/* The number of frames in the header of an animation, of which only the joints were read. */
static uint32_t frames_of(const m5_lint_file *f)
{
    const m5_md5anim *anim = f->model.md5anim;
    int32_t frames = 0;
    if (anim != NULL && m5_read_int(f->source.bytes + anim->num_frames_at.offset,
                                    anim->num_frames_at.length, &frames) != M5_NUMBER_FINE)
        return 0;
    return frames > 0 ? (uint32_t)frames : 0;
}

static bool copy_joints(m5_asset *out)
{
    m5_def_asset *asset = &out->asset;
    size_t bytes = 1;
    for (uint32_t i = 0; i < asset->num_joints; i++)
        bytes += asset->joints[i].name.length;
    out->joints = malloc((asset->num_joints + 1) * sizeof *out->joints);
    out->names = malloc(bytes);
    if (out->joints == NULL || out->names == NULL)
        return false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < asset->num_joints; i++) {
        m5_name name = asset->joints[i].name;
        out->joints[i] = asset->joints[i];
        out->joints[i].name.offset = at;
        memcpy(out->names + at, asset->source->bytes + name.offset, name.length);
        at += name.length;
    }
    out->source = (m5_source){asset->path, out->names, at};
    asset->source = &out->source;
    asset->joints = out->joints;
    return true;
}

bool m5_asset_keep(m5_asset *out, const m5_lint_file *file)
{
    out->is_kept = m5_def_asset_of(&out->asset, file);
    if (!out->is_kept)
        return true;
    out->asset.num_frames = frames_of(file);
    return copy_joints(out);
}

void m5_asset_free(m5_asset *asset)
{
    free(asset->joints);
    free(asset->names);
    *asset = (m5_asset){.is_kept = false};
}
