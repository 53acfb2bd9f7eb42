/* Writes text of any bytes in the ways of other formats. */
#include "escape.h"

#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* What is written instead of a character; NULL: itself. `room` has 16 bytes. */
typedef const char *escape(uint32_t code, char *room);

/* A way to write text: what is written instead of a character, and which bytes are themselves: none
 * from 128 on. */
typedef struct language {
    escape *instead;
    bool plain[256];
} language;

/* A value of `is` for each byte below 128. */
#define EACH(is)                                                                                   \
    EACH_OF_16(is, 0x00), EACH_OF_16(is, 0x10), EACH_OF_16(is, 0x20), EACH_OF_16(is, 0x30),        \
        EACH_OF_16(is, 0x40), EACH_OF_16(is, 0x50), EACH_OF_16(is, 0x60), EACH_OF_16(is, 0x70)
#define EACH_OF_16(is, c)                                                                          \
    EACH_OF_4(is, c), EACH_OF_4(is, (c) + 4), EACH_OF_4(is, (c) + 8), EACH_OF_4(is, (c) + 12)
#define EACH_OF_4(is, c) is(c), is((c) + 1), is((c) + 2), is((c) + 3)

#define IS_PRINTABLE(c) ((c) >= ' ' && (c) < 0x7f)
#define IS_LETTER(c) (((c) | 0x20) >= 'a' && ((c) | 0x20) <= 'z')
#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')

static void put_escaped(const m5_writer *out, const char *text, size_t count, const language *of)
{
    const uint8_t *p = (const uint8_t *)text, *end = p + count, *plain = p;
    char room[16];
    for (;;) {
        while (p < end && of->plain[*p])
            p++;
        if (p == end)
            break;
        uint32_t code = 0;
        size_t length = m5_utf8_letter(p, (size_t)(end - p), &code);
        const char *instead = length == 0 ? replacement : of->instead(code, room);
        length = length == 0 ? 1 : length;
        if (instead != NULL) {
            m5_output_bytes(out, (const char *)plain, (size_t)(p - plain));
            m5_output_string(out, instead);
            plain = p + length;
        }
        p += length;
    }
    m5_output_bytes(out, (const char *)plain, (size_t)(p - plain));
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* ---- XML ------------------------------------------------------------------------------------- */

static const char *xml_of(uint32_t code, char *room)
{
    (void)room;
    switch (code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: return is_control(code) || code == 0xfffe || code == 0xffff ? replacement : NULL;
    }
}

void m5_put_xml(const m5_writer *out, const char *text)
{
#define IS_XML(c) (IS_PRINTABLE(c) && (c) != '&' && (c) != '<' && (c) != '>' && (c) != '"')
    static const language xml = {xml_of, {EACH(IS_XML)}};
    put_escaped(out, text, strlen(text), &xml);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A prefix and the two hexadecimal digits of a byte. */
static const char *hex_of(const char *prefix, uint32_t byte, char *room)
{
    size_t length = strlen(prefix);
    memcpy(room, prefix, length);
    room[length] = "0123456789ABCDEF"[byte >> 4];
    room[length + 1] = "0123456789ABCDEF"[byte & 15];
    room[length + 2] = '\0';
    return room;
}

static const char *json_of(uint32_t code, char *room)
{
    switch (code) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\t': return "\\t";
    case '\n': return "\\n";
    case '\f': return "\\f";
    case '\r': return "\\r";
    default: return is_control(code) ? hex_of("\\u00", code, room) : NULL;
    }
}

void m5_put_json_bytes(const m5_writer *out, const char *bytes, size_t count)
{
#define IS_JSON(c) (IS_PRINTABLE(c) && (c) != '"' && (c) != '\\')
    static const language json = {json_of, {EACH(IS_JSON)}};
    put_escaped(out, bytes, count, &json);
}

void m5_put_json(const m5_writer *out, const char *text)
{
    m5_put_json_bytes(out, text, strlen(text));
}

/* What jansson leaves as it is, and terminals may obey. */
static const char *high_control_of(uint32_t code, char *room)
{
    return code >= 0x7f && is_control(code) ? hex_of("\\u00", code, room) : NULL;
}

void m5_put_json_text(const m5_writer *out, const char *text)
{
#define IS_JSON_TEXT(c) ((c) < 0x7f)
    static const language json = {high_control_of, {EACH(IS_JSON_TEXT)}};
    put_escaped(out, text, strlen(text), &json);
}

/* ---- GitHub ---------------------------------------------------------------------------------- */

static const char *command_of(uint32_t code, char *room)
{
    (void)room;
    switch (code) {
    case '%': return "%25";
    case '\r': return "%0D";
    case '\n': return "%0A";
    case '\t': return NULL;
    default: return is_control(code) ? replacement : NULL;
    }
}

static const char *property_of(uint32_t code, char *room)
{
    return code == ':' ? "%3A" : code == ',' ? "%2C" : command_of(code, room);
}

void m5_put_command(const m5_writer *out, const char *text)
{
#define IS_COMMAND(c) (IS_PRINTABLE(c) && (c) != '%')
    static const language command = {command_of, {EACH(IS_COMMAND)}};
    put_escaped(out, text, strlen(text), &command);
}

void m5_put_property(const m5_writer *out, const char *text)
{
#define IS_PROPERTY(c) (IS_COMMAND(c) && (c) != ':' && (c) != ',')
    static const language property = {property_of, {EACH(IS_PROPERTY)}};
    put_escaped(out, text, strlen(text), &property);
}

/* In Markdown punctuation means itself after a backslash. `@`, `#` and `:` do not begin mentions
 * and links if they are written as numbers. */
static const char *markdown_of(uint32_t code, char *room)
{
    switch (code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '@': return "&#64;";
    case '#': return "&#35;";
    case ':': return "&#58;";
    case '|': return "&#124;";
    default: break;
    }
    if (is_control(code))
        return replacement;
    if (code == 0 || code >= 0x80 || strchr("!$*.[\\]^_`{}~", (int)code) == NULL)
        return NULL;
    room[0] = '\\';
    room[1] = (char)code;
    room[2] = '\0';
    return room;
}

void m5_put_markdown(const m5_writer *out, const char *text)
{
#define IS_MARKDOWN(c) (IS_LETTER(c) || IS_DIGIT(c) || (c) == ' ' || (c) == '-' || (c) == '/')
    static const language markdown = {markdown_of, {EACH(IS_MARKDOWN)}};
    put_escaped(out, text, strlen(text), &markdown);
}

/* ---- URIs ------------------------------------------------------------------------------------ */

void m5_put_uri(const m5_writer *out, const char *path)
{
#define IS_URI(c)                                                                                  \
    (IS_LETTER(c) || IS_DIGIT(c) || (c) == '/' || (c) == '-' || (c) == '.' || (c) == '_' ||        \
     (c) == '~')
    static const language uri = {NULL, {EACH(IS_URI)}};
    char room[16];
    for (;;) {
        size_t plain = 0;
        while (uri.plain[(uint8_t)path[plain]])
            plain++;
        m5_output_bytes(out, path, plain);
        path += plain;
        if (*path == '\0')
            return;
        m5_output_string(out, hex_of("%", (uint8_t)*path++, room));
    }
}

/* ---- Messages -------------------------------------------------------------------------------- */

void m5_put_message(const m5_writer *out, m5_put_text *put, const m5_result *r, const m5_finding *f)
{
    char name[200];
    if (!r->format->text && m5_path_text(&f->diag.path, name, sizeof name) != 0)
        m5_write(out, "%s: ", name);
    put(out, f->diag.message);
    m5_output_also(out, r, f, "; ", "");
    m5_output_effects(out, r, &f->diag);
}

void m5_put_position(const m5_writer *out, const m5_result *r, m5_lines *lines, uint32_t offset)
{
    static const m5_source unnamed = {"", NULL, 0};
    m5_output_place(out, &unnamed, lines, offset, r->format->text);
}
