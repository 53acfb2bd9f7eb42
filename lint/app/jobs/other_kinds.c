/* What files are that lie beside models. */
#include "other_kinds.h"
#include "lint/core/check.h"
#include "parsers/core/magic.h"

#include <string.h>
#include <strings.h>

static const struct kind {
    const char *extension, *what;
} kinds[] = {
    {"mtr", "a material, not a model"},
    {"shader", "a material, not a model"},
    {"skin", "a skin, not a model"},
    {"tga", "a texture, not a model"},
    {"png", "a texture, not a model"},
    {"jpg", "a texture, not a model"},
    {"jpeg", "a texture, not a model"},
    {"dds", "a texture, not a model"},
    {"pcx", "a texture, not a model"},
    {"bmp", "a texture, not a model"},
    {"crn", "a texture, not a model"},
    {"ktx", "a texture, not a model"},
    {"webp", "a texture, not a model"},
    {"wav", "a sound, not a model"},
    {"ogg", "a sound, not a model"},
    {"iqm", "an IQM model, which md5lint does not read"},
    {"iqe", "an IQE model, which md5lint does not read"},
    {"md2", "an MD2 model, which md5lint does not read"},
    {"md3", "an MD3 model, which md5lint does not read"},
    {"mdc", "an MDC model, which md5lint does not read"},
    {"mdl", "an MDL model, which md5lint does not read"},
    {"mdr", "an MDR model, which md5lint does not read"},
    {"mds", "an MDS model, which md5lint does not read"},
    {"ase", "an ASE model, which md5lint does not read"},
    {"lwo", "a LightWave model, which md5lint does not read"},
    {"obj", "an OBJ model, which md5lint does not read"},
    {"smd", "an SMD model, which md5lint does not read"},
    {"dae", "a COLLADA model, which md5lint does not read"},
    {"fbx", "an FBX model, which md5lint does not read"},
    {"gltf", "a glTF model, which md5lint does not read"},
    {"glb", "a glTF model, which md5lint does not read"},
    {"blend", "a Blender file: export the model from it"},
    {"map", "a map, not a model"},
    {"bsp", "a map, not a model"},
    {"proc", "a map, not a model"},
    {"script", "a script, not a model"},
    {"cfg", "a configuration file, not a model"},
    {"md", "a text, not a model"},
};

static const char *by_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL || strchr(dot, '/') != NULL)
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(kinds[i].extension, dot + 1) == 0)
            return kinds[i].what;
    return NULL;
}

bool m5_is_other_kind(const m5_source *source)
{
    return by_name(source->name) != NULL && (source->size == 0 || m5_magic_of(source) == NULL);
}

/* The content knows better. */
void m5_say_other_kind(const m5_source *source, char *out, size_t size)
{
    const char *what = by_name(source->name);
    const m5_magic *magic = source->size != 0 ? m5_magic_of(source) : NULL;
    if (magic != NULL)
        m5_check_print(out, size, "this is %s: %s", magic->what, magic->advice);
    else if (what != NULL)
        m5_check_print(out, size, "this is %s", what);
    else
        m5_check_print(out, size,
                       "unknown format: neither the extension nor the content is recognised");
}
