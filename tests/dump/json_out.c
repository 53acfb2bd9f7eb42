/* The JSON of dump: see json_out.h. */
#include "json_out.h"

#include <stdio.h>
#include <string.h>

static bool comma; /* a value came before in the same list or object */

static void begin(const char *key)
{
    if (comma)
        putchar(',');
    if (key != NULL)
        printf("\"%s\":", key);
    comma = true;
}

void json_open(const char *key, char bracket)
{
    begin(key);
    putchar(bracket);
    comma = false;
}

void json_close(char bracket)
{
    putchar(bracket);
    comma = true;
}

void json_end_line(void)
{
    putchar('\n');
    comma = false;
}

void json_int(const char *key, int64_t value)
{
    begin(key);
    printf("%lld", (long long)value);
}

void json_bool(const char *key, bool value)
{
    begin(key);
    fputs(value ? "true" : "false", stdout);
}

static void put_bytes(const uint8_t *p, size_t count)
{
    putchar('"');
    for (size_t i = 0; i < count; i++)
        if (p[i] == '"' || p[i] == '\\')
            printf("\\%c", p[i]);
        else if (p[i] < ' ' || p[i] >= 0x7f)
            printf("\\u%04x", p[i]);
        else
            putchar(p[i]);
    putchar('"');
}

void json_text(const char *key, const char *text)
{
    begin(key);
    put_bytes((const uint8_t *)text, strlen(text));
}

void json_span(const char *key, const m5_source *source, m5_span span)
{
    begin(key);
    put_bytes(source->bytes + span.offset, span.length);
}

void json_float(const char *key, float value)
{
    begin(key);
    printf("%.9g", (double)value);
}

void json_floats(const char *key, const float *values, size_t count)
{
    json_open(key, '[');
    for (size_t i = 0; i < count; i++)
        json_float(NULL, values[i]);
    json_close(']');
}

void json_ints(const char *key, const uint32_t *values, size_t count)
{
    json_open(key, '[');
    for (size_t i = 0; i < count; i++)
        json_int(NULL, values[i]);
    json_close(']');
}
