/* A mesh as a whole: its shader and its size. */
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <string.h>

static m5_diag at_shader(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh)
{
    m5_span name = f->model.md5mesh->meshes[mesh].shader;
    bool quoted = f->source.bytes[name.offset - 1] == '"';
    m5_diag d = m5_found(rule, m5_lex_nth(&f->source, name.offset - quoted, 0));
    d.path = m5_path1("mesh", mesh);
    return d;
}

/* A dot and letters at the end of the path; `Material.001` has no extension. */
static bool has_extension(const char *s, uint32_t length)
{
    uint32_t letters = 0;
    while (letters < length && ((s[length - 1 - letters] | 0x20) >= 'a') &&
           (s[length - 1 - letters] | 0x20) <= 'z')
        letters++;
    return letters > 0 && letters <= 5 && letters < length && s[length - 1 - letters] == '.';
}

static const char *path_oddity(const char *s, uint32_t length)
{
    if (memchr(s, '\\', length) != NULL)
        return "contains a backslash, expected '/' as in Doom 3";
    if (length > 0 && s[0] == '/')
        return "is an absolute path, expected a path inside the game's folder";
    if (length > 1 && s[1] == ':')
        return "has a drive letter, expected a path inside the game's folder";
    if (has_extension(s, length))
        return "has a file extension, expected none";
    for (uint32_t i = 0; i < length; i++)
        if (s[i] >= 'A' && s[i] <= 'Z')
            return "has upper case, which Doom 3 changes to lower case";
    return NULL;
}

static void check_shader(m5_lint_file *f, uint32_t mesh)
{
    m5_name n = f->model.md5mesh->meshes[mesh].shader;
    const char *text = (const char *)f->source.bytes + n.offset;
    if (n.offset == 0)
        return;
    m5_diag d = at_shader(f, M5_LINT_ROW(md5mesh_shader_empty), mesh);
    if (n.length == 0)
        m5_emit(&f->report, &d, 0, "the shader's name is empty");
    const char *oddity = path_oddity(text, n.length);
    d.rule = M5_LINT_ROW(md5mesh_shader_path);
    if (oddity != NULL)
        m5_emit(&f->report, &d, 0, "the shader's name '%.*s' %s", M5_CHECK_NAME(f, n), oddity);
}

/* Once a file, at the longest: they come from one folder. */
static void check_lengths(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    const m5_rule *rule = M5_LINT_ROW(md5mesh_shader_length);
    uint32_t longest = 0, count = 0;
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        uint32_t length = m->meshes[i].shader.length;
        count += m5_would_say(&f->report, rule, length) != M5_SILENT;
        if (length > m->meshes[longest].shader.length)
            longest = i;
    }
    if (count == 0)
        return;
    char more[32] = "";
    if (count > 1)
        m5_check_print(more, sizeof more, " (longest of %u)", count);
    uint32_t length = m->meshes[longest].shader.length;
    m5_diag d = at_shader(f, rule, longest);
    m5_emit(&f->report, &d, length, "the shader's name is %u bytes long, expected at most 63%s",
            length, more);
}

static void check_size(m5_lint_file *f, uint32_t i)
{
    const m5_md5mesh_mesh *mesh = &f->model.md5mesh->meshes[i];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_verts_limit), mesh->num_verts_at, 0);
    d.path = m5_path1("mesh", i);
    m5_emit(&f->report, &d, mesh->num_verts,
            "%u vertices, expected at most 10000 for Daemon without vertex buffers and 65535 for "
            "16-bit indices",
            mesh->num_verts);
    d.rule = M5_LINT_ROW(md5mesh_tris_limit);
    d.at = m5_check_at(f, NULL, mesh->num_tris_at, 0).at;
    m5_emit(
        &f->report, &d, mesh->num_tris,
        "%u triangles, expected at most 20000 for Daemon without vertex buffers and about 43690 "
        "for Doom 3's edge table",
        mesh->num_tris);
}

static void check_more_sizes(m5_lint_file *f, uint32_t i)
{
    const m5_md5mesh *m = f->model.md5mesh;
    const m5_md5mesh_mesh *mesh = &m->meshes[i];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_weights_limit), mesh->num_weights_at, 0);
    d.path = m5_path1("mesh", i);
    m5_emit(&f->report, &d, mesh->num_weights,
            "%u weights, expected at most 8192 for q2pro and 65536 for Cube 2", mesh->num_weights);
    d.rule = M5_LINT_ROW(md5mesh_meshes_limit);
    d.at = m5_lex_word_at(&f->source, mesh->offset);
    if (i + 1 == m->num_meshes)
        m5_emit(&f->report, &d, m->meshes_found,
                "%u meshes in the file, expected at most 32 for q2pro and 65535 for Daemon",
                m->meshes_found);
}

static void check_empty(m5_lint_file *f, uint32_t i)
{
    const m5_md5mesh_mesh *mesh = &f->model.md5mesh->meshes[i];
    if (mesh->num_verts != 0 && mesh->num_tris != 0)
        return;
    m5_diag d = m5_found(M5_LINT_ROW(md5mesh_mesh_empty), m5_lex_word_at(&f->source, mesh->offset));
    d.path = m5_path1("mesh", i);
    m5_emit(&f->report, &d, 0, "the mesh has no %s",
            mesh->num_verts == 0 ? "vertices" : "triangles");
}

void m5_check_md5mesh_shaders(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    check_lengths(f);
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        check_shader(f, i);
        check_size(f, i);
        check_more_sizes(f, i);
        if (m->meshes[i].whole)
            check_empty(f, i);
    }
}
