/* What the name of a material says. */
#include "materials.h"

#include <string.h>

/* Whether the last part of a path is this word, in any case. */
static bool is_last(const uint8_t *path, uint32_t length, const char *word)
{
    uint32_t n = (uint32_t)strlen(word);
    if (length < n)
        return false;
    const uint8_t *last = path + length - n;
    for (uint32_t i = 0; i < n; i++)
        if ((last[i] >= 'A' && last[i] <= 'Z' ? last[i] | 0x20 : last[i]) != word[i])
            return false;
    return length == n || last[-1] == '/' || last[-1] == '\\';
}

bool m5_check_is_unseen(const m5_source *source, m5_name material)
{
    static const char *const unseen[] = {
        "collision",   "clip",         "nodraw",    "caulk",       "playerclip",   "monsterclip",
        "player_clip", "monster_clip", "full_clip", "weapon_clip", "moveable_clip"};
    for (unsigned i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (is_last(source->bytes + material.offset, material.length, unseen[i]))
            return true;
    return false;
}
