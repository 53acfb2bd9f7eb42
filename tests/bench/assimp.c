/* Reads a model with assimp, for comparison. */
#include "peers.h"

#include <assimp/cimport.h>
#include <assimp/config.h>

/* Without this option assimp would look for an animation beside the mesh and find the mesh. */
bool assimp_read(const uint8_t *bytes, size_t size, const char *extension)
{
    struct aiPropertyStore *options = aiCreatePropertyStore();
    aiSetImportPropertyInteger(options, AI_CONFIG_IMPORT_MD5_NO_ANIM_AUTOLOAD, 1);
    const struct aiScene *scene = aiImportFileFromMemoryWithProperties(
        (const char *)bytes, (unsigned)size, 0, extension, options);
    aiReleasePropertyStore(options);
    aiReleaseImport(scene);
    return scene != NULL;
}
