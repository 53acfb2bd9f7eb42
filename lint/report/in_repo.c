/* Finds the files of a repository that findings are shown at: see in_repo.h. */
#include "in_repo.h"
#include "whole_path.h"

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

/* Whatever way an absolute path leads to the file, from the root on if it is below it. */
static const char *below_root(const m5_root *root, const char *path)
{
    const char *rest = after(path, root->path);
    return rest == NULL && root->given != NULL ? after(path, root->given) : rest;
}

/* The same with a `../` for each folder that must be left first. */
static char *from_root(const m5_root *root, const char *path)
{
    size_t common = 0, up = 0;
    for (size_t i = 0; path[i] != '\0' && path[i] == root->path[i]; i++)
        if (path[i] == '/')
            common = i + 1;
    for (const char *p = root->path + common; *p != '\0'; p++)
        up += *p == '/';
    size_t length = strlen(path + common);
    char *way = malloc(3 * up + length + 1);
    for (size_t i = 0; i < up && way != NULL; i++)
        memcpy(way + 3 * i, "../", 3);
    if (way != NULL)
        memcpy(way + 3 * up, path + common, length + 1);
    return way;
}

static char *copy(const char *text, size_t length)
{
    char *own = malloc(length + 1);
    if (own == NULL)
        return NULL;
    memcpy(own, text, length);
    own[length] = '\0';
    return own;
}

char *m5_repo_path(const m5_root *root, m5_repo_file file)
{
    size_t here = after(file.path, "./") != NULL ? 2 : 0;
    char *given = copy(file.path + here, file.length - here);
    if (given == NULL || root->path == NULL)
        return given;
    char *whole = m5_path_whole(root->folder, given);
    free(given);
    if (whole == NULL)
        return NULL;
    const char *rest = below_root(root, whole);
    if (rest == NULL && *file.path == '/')
        return whole;
    char *way = rest != NULL ? copy(rest, strlen(rest)) : from_root(root, whole);
    free(whole);
    return way;
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
