/* Matches paths name by name. */
#include "glob.h"

#include <stddef.h>
#include <string.h>

/* A name of a path or of a pattern, which ends at '/' or at the end of the text. */
typedef struct name {
    const char *at, *end;
} name;

static name first_name(const char *at, const char *end)
{
    const char *slash = memchr(at, '/', (size_t)(end - at));
    return (name){at, slash != NULL ? slash : end};
}

/* ---- One name -------------------------------------------------------------------------------- */

/* One byte of a class, with its backslash before it; and the next one. */
static unsigned char class_byte(const char **at, const char *end)
{
    if (**at == '\\' && *at + 1 < end)
        ++*at;
    return (unsigned char)*(*at)++;
}

/* Whether `c` is in the class that begins at `*at`, after its bracket. Moves there after the
 * closing bracket; without one, the class matches nothing. */
static bool is_in_class(const char **at, const char *end, unsigned char c)
{
    const char *p = *at;
    bool in = false, negated = p < end && (*p == '!' || *p == '^');
    p += negated;
    for (bool first = true; p < end && (*p != ']' || first); first = false) {
        unsigned char low = class_byte(&p, end), high = low;
        if (p + 1 < end && *p == '-' && p[1] != ']') {
            p++;
            high = class_byte(&p, end);
        }
        in |= c >= low && c <= high;
    }
    bool closed = p < end;
    *at = p + closed;
    return closed && in != negated;
}

/* Whether the next part of a pattern, which is not `*`, matches a byte. Moves behind that part. */
static bool matches_byte(const char **at, const char *end, char c)
{
    char part = *(*at)++;
    if (part == '?')
        return true;
    if (part == '[')
        return is_in_class(at, end, (unsigned char)c);
    if (part == '\\' && *at < end)
        part = *(*at)++;
    return part == c;
}

/* If the rest does not match, the last `*` takes one byte more; the ones before it need not. */
static bool matches_name(name pattern, name text)
{
    const char *p = pattern.at, *t = text.at;
    const char *star = NULL, *retry = NULL;
    while (t < text.end) {
        if (p < pattern.end && *p == '*') {
            star = ++p;
            retry = t;
        } else if (p < pattern.end && matches_byte(&p, pattern.end, *t)) {
            t++;
        } else if (star != NULL) {
            p = star;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.end && *p == '*')
        p++;
    return p == pattern.end;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static bool is_any_names(name pattern)
{
    return pattern.end - pattern.at == 2 && memcmp(pattern.at, "**", 2) == 0;
}

/* Goes from a name to the next one; false behind the last. */
static bool next_name(name *n, const char *end)
{
    if (n->end == end)
        return false;
    *n = first_name(n->end + 1, end);
    return true;
}

/* As matches_name, with names for bytes and `**` for `*`. */
static bool matches_path(const char *pattern, const char *pattern_end, const char *path,
                         const char *path_end)
{
    name p = first_name(pattern, pattern_end), t = first_name(path, path_end);
    name star = {NULL, NULL}, retry = t;
    bool more_p = true, more_t = true;
    while (more_t) {
        if (more_p && is_any_names(p)) {
            more_p = next_name(&p, pattern_end);
            if (!more_p)
                return true;
            star = p;
            retry = t;
        } else if (more_p && matches_name(p, t)) {
            more_p = next_name(&p, pattern_end);
            more_t = next_name(&t, path_end);
        } else if (star.at != NULL) {
            p = star;
            more_p = true;
            more_t = next_name(&retry, path_end);
            t = retry;
        } else {
            return false;
        }
    }
    return !more_p;
}

static bool matches(const char *pattern, const char *path, const char *path_end, bool folder)
{
    const char *end = pattern + strlen(pattern);
    bool only_folders = end > pattern && end[-1] == '/';
    end -= only_folders;
    if (end == pattern || (only_folders && !folder))
        return false;
    if (memchr(pattern, '/', (size_t)(end - pattern)) == NULL) {
        const char *last = path_end;
        while (last > path && last[-1] != '/')
            last--;
        return matches_name((name){pattern, end}, (name){last, path_end});
    }
    return matches_path(pattern + (*pattern == '/'), end, path, path_end);
}

bool m5_glob_matches(const char *pattern, const char *path, bool folder)
{
    return matches(pattern, path, path + strlen(path), folder);
}

bool m5_glob_covers(const char *pattern, const char *path)
{
    bool any = m5_glob_matches(pattern, path, false);
    for (const char *p = strchr(path, '/'); p != NULL && !any; p = strchr(p + 1, '/'))
        any = matches(pattern, path, p, true);
    return any;
}
