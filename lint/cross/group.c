/* Divides the files of one call into groups of files that belong together. */
#include "lint/core/file_names.h"

#include <string.h>

/* The families of formats whose files belong together; an md4 file is complete by itself. */
enum { MD5, ILL, FAMILIES };

typedef enum role { ROLE_NONE, ROLE_MESH, ROLE_OTHER } role;

static role role_of(const m5_lint_file *file, int family)
{
    const m5_format *format = file->model.format;
    unsigned bit = format != NULL ? m5_format_bit(format) : 0;
    unsigned mesh = family == MD5 ? M5_IN_MD5MESH : M5_IN_ILLMESH;
    unsigned all = family == MD5 ? M5_IN_MD5 : M5_IN_ILL;
    return bit & mesh ? ROLE_MESH : bit & all ? ROLE_OTHER : ROLE_NONE;
}

/* The shell may list an animation before the mesh of its name or folder. Moves the end of the group
 * back to before such animations, unless they are as near to the group's last mesh. */
static size_t take_back(m5_lint_file *const *files, size_t last, size_t mesh, int family)
{
    size_t end = mesh;
    while (end > last + 1 && role_of(files[end - 1], family) == ROLE_OTHER &&
           m5_check_kinship(files[mesh]->source.name, files[end - 1]->source.name) >
               m5_check_kinship(files[last]->source.name, files[end - 1]->source.name))
        end--;
    return end;
}

/* Whether an animation of mesh `first` still comes after `mesh`, if the name of `mesh` begins with
 * that of `first`: the shell lists hero, hero2, hero2-walk, hero-walk in this order. */
static bool is_awaited(m5_lint_file *const *files, size_t first, size_t mesh, size_t count,
                       int family)
{
    if (strncmp(files[first]->source.name, files[mesh]->source.name,
                m5_check_length_of_stem(files[first]->source.name)) != 0)
        return false;
    for (size_t i = mesh + 1; i < count; i++)
        if (role_of(files[i], family) == ROLE_OTHER &&
            m5_check_belongs_by_name(files[first]->source.name, files[i]->source.name) &&
            !m5_check_belongs_by_name(files[mesh]->source.name, files[i]->source.name))
            return true;
    return false;
}

static bool begins_group(m5_lint_file *const *files, size_t begin, size_t mesh, size_t count,
                         int family)
{
    for (size_t i = begin; i < mesh; i++)
        if (role_of(files[i], family) == ROLE_MESH && is_awaited(files, i, mesh, count, family))
            return false;
    return true;
}

size_t m5_group_end(m5_lint_file *const *files, size_t begin, size_t count)
{
    bool mesh[FAMILIES] = {false}, after_mesh[FAMILIES] = {false};
    size_t last[FAMILIES] = {begin, begin};
    for (size_t i = begin; i < count; i++)
        for (int family = 0; family < FAMILIES; family++) {
            role r = role_of(files[i], family);
            if (r == ROLE_MESH && after_mesh[family] &&
                begins_group(files, begin, i, count, family))
                return take_back(files, last[family], i, family);
            if (r == ROLE_MESH)
                last[family] = i;
            mesh[family] |= r == ROLE_MESH;
            after_mesh[family] |= mesh[family] && r == ROLE_OTHER;
        }
    return count;
}
