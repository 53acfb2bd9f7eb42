/* Finds the files of a repository that findings are shown at: see in_repo.h. */
#include "in_repo.h"

#include <stdlib.h>
#include <string.h>

/* The text after `begin`, or NULL if the text does not begin with it. */
static const char *after(const char *text, const char *begin)
{
    size_t length = strlen(begin);
    return strncmp(text, begin, length) == 0 ? text + length : NULL;
}

/* `archive!member`, if it is in this archive. */
static m5_repo_file split(const char *path, const char *archive)
{
    const char *rest = archive != NULL ? after(path, archive) : NULL;
    if (rest == NULL || *rest != '!')
        return (m5_repo_file){path, strlen(path), NULL};
    return (m5_repo_file){path, (size_t)(rest - path), rest + 1};
}

m5_repo_file m5_repo_file_of(const m5_result *r)
{
    return split(r->path, r->archive);
}

m5_repo_file m5_repo_file_related(const m5_root *root, const m5_result *r, const m5_source *source)
{
    m5_repo_file file = split(source->name, r->archive);
    for (size_t i = 0; i < root->num_archives && file.member == NULL; i++)
        file = split(source->name, root->archives[i]);
    return file;
}

/* How much of `here`, a path that ends with `/`, is left after a step up. */
static size_t step_up(const char *here, size_t length)
{
    while (length > 0 && here[--length] != '/')
        ;
    while (length > 0 && here[length - 1] != '/')
        length--;
    return length;
}

/* Takes each `name/../` out of a path. Returns its length. */
static size_t drop_steps(char *path)
{
    size_t used = 0, names = 0; /* that a step up may take away */
    for (const char *from = path; *from != '\0';) {
        size_t length = strcspn(from, "/"), all = length + (from[length] == '/');
        bool up = length == 2 && memcmp(from, "..", 2) == 0;
        bool name = !up && length != 0 && !(length == 1 && *from == '.');
        if (up && names != 0) {
            names--;
            for (used--; used != 0 && path[used - 1] != '/'; used--)
                ;
        } else {
            names = name ? names + 1 : 0;
            memmove(path + used, from, all);
            used += all;
        }
        from += all;
    }
    path[used] = '\0';
    return used;
}

/* What is left of an absolute path below the root, or NULL. */
static const char *below_root(const m5_root *root, const char *path)
{
    const char *rest = root->path != NULL ? after(path, root->path) : NULL;
    return rest == NULL && root->given != NULL ? after(path, root->given) : rest;
}

/* The path in two pieces, of which the first is written before the second. */
static const char *find_rest(const m5_root *root, const char *path, size_t *before)
{
    const char *rest = NULL;
    *before = 0;
    if (*path == '/')
        rest = below_root(root, path);
    else if (root->path != NULL && *root->below != '\0')
        rest = after(path, root->below);
    if (rest != NULL || *path == '/')
        return rest != NULL ? rest : path;
    if (after(path, "./") != NULL)
        path += 2;
    *before = root->path != NULL ? strlen(root->here) : 0;
    for (; *before != 0 && after(path, "../") != NULL; path += 3)
        *before = step_up(root->here, *before);
    return path;
}

char *m5_repo_path(const m5_root *root, m5_repo_file file)
{
    size_t before, here = root->path != NULL ? strlen(root->here) : 0;
    char *path = malloc(here + file.length + 1), *given = path != NULL ? path + here : NULL;
    if (path == NULL)
        return NULL;
    memcpy(given, file.path, file.length);
    given[file.length] = '\0';
    size_t length = root->path != NULL ? drop_steps(given) : file.length;
    const char *rest = find_rest(root, given, &before);
    memmove(path + before, rest, length - (size_t)(rest - given) + 1);
    if (before != 0)
        memcpy(path, root->here, before);
    return path;
}

bool m5_repo_has_lines(const m5_result *r)
{
    return r->format->text && m5_repo_file_of(r).member == NULL;
}

uint32_t m5_repo_mark(const m5_source *s)
{
    const uint8_t *p = s->bytes;
    if (s->size >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf)
        return 3;
    return s->size >= 2 && p[0] + p[1] == 0xff + 0xfe && p[0] >= 0xfe ? 2 : 0;
}

/* How many bytes below 0x80 there are before another one, or the end. */
static uint32_t count_ascii(const uint8_t *from, const uint8_t *end)
{
    const uint8_t *p = from;
    uint64_t word = 0;
    for (; end - p >= 8; p += 8) {
        memcpy(&word, p, 8);
        if ((word & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    while (p < end && *p < 0x80)
        p++;
    return (uint32_t)(p - from);
}

uint32_t m5_repo_column(const m5_source *s, uint32_t offset, m5_place place)
{
    enum { FAR = 10000 };
    const uint8_t *end = s->bytes + offset, *p = end - (place.column - 1);
    uint32_t column = 1;
    if (place.column > FAR)
        return 0;
    if (p == s->bytes)
        p += m5_repo_mark(s);
    while (p < end) {
        uint32_t code = 0, ascii = count_ascii(p, end);
        p += ascii;
        column += ascii;
        if (p == end)
            break;
        size_t length = m5_utf8_letter(p, (size_t)(end - p), &code);
        p += length == 0 ? 1 : length;
        column += length == 4 ? 2 : 1;
    }
    return column;
}

void m5_put_repo_message(const m5_writer *out, m5_put_text *put, const m5_result *r,
                         m5_lines *lines, const m5_finding *f)
{
    const char *member = m5_repo_file_of(r).member;
    if (member != NULL) {
        put(out, member);
        m5_put_position(out, r, lines, f->diag.at.offset);
        m5_output_string(out, ": ");
    }
    m5_put_message(out, put, r, f);
}
