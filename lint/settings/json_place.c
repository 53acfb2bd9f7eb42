/* Finds the place of a value in a JSON text: see json_place.h. */
#include "json_place.h"

#include <stdbool.h>
#include <string.h>

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p + 1;
}

/* Past a value, which begins at `p`. */
static const char *skip_value(const char *p)
{
    size_t depth = 0;
    do {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        p++;
    } while (depth != 0 || strchr(",]} \t\r\n", *p) == NULL);
    return p;
}

/* Past a member's key and colon. */
static const char *skip_key(const char *p)
{
    return skip_space(skip_space(skip_string(p)) + 1);
}

/* The n-th member or item of an object or list. */
static const char *enter(const char *p, size_t n)
{
    bool object = *p == '{';
    for (p = skip_space(p + 1); n > 0; n--) {
        p = skip_value(object ? skip_key(p) : p);
        p = skip_space(skip_space(p) + 1);
    }
    return p;
}

m5_json_place m5_json_find(const char *text, const size_t *steps, size_t num_steps)
{
    const char *p = skip_space(text);
    m5_json_place place = {1, 1};
    for (size_t i = 0; i < num_steps; i++) {
        bool member = *p == '{';
        p = enter(p, steps[i]);
        if (member && i + 1 < num_steps)
            p = skip_key(p);
    }
    for (const char *c = text; c < p; c++) {
        place.line += *c == '\n';
        place.column = *c == '\n' ? 1 : place.column + 1;
    }
    return place;
}
