/* Writes text for people through a callback: formatted, and safe for a terminal. */
#include "report.h"
#include "parsers/core/write.h"

#include <string.h>

void m5_output_bytes(const m5_writer *out, const char *bytes, size_t count)
{
    out->write(out->user, bytes, count);
}

void m5_output_string(const m5_writer *out, const char *text)
{
    m5_output_bytes(out, text, strlen(text));
}

size_t m5_utf8_letter(const uint8_t *p, size_t count, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] < 0x80       ? 1
                    : p[0] >> 5 == 6  ? 2
                    : p[0] >> 4 == 14 ? 3
                    : p[0] >> 3 == 30 ? 4
                                      : 0;
    if (length == 0 || length > count)
        return 0;
    *code = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

/* Control characters, and characters that reverse the direction of text or are invisible. */
static bool is_unsafe(uint32_t code)
{
    static const uint32_t range[][2] = {
        {0, 0x1f},        {0x7f, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},   {0x200b, 0x200f},
        {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
    };
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i][0] && code <= range[i][1])
            return true;
    return false;
}

/* Characters that terminals draw two columns wide: East Asian scripts and emoji. */
static bool is_wide(uint32_t code)
{
    return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
           (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
           (code >= 0x1f300 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd);
}

size_t m5_safe_letter(const uint8_t *p, size_t count, uint32_t *columns)
{
    uint32_t code = 0, digits = 4;
    size_t length = m5_utf8_letter(p, count, &code);
    *columns = is_wide(code) ? 2 : 1;
    if (length == 0 || (length == 1 && is_unsafe(code))) {
        *columns = 4; /* \xNN */
    } else if (is_unsafe(code)) {
        while (digits < 8 && code >> 4 * digits != 0)
            digits++;
        *columns = 4 + digits; /* \u{NNNN} */
    }
    return length == 0 ? 1 : length;
}

static void escape(const m5_writer *out, uint32_t value, bool byte)
{
    static const char digit[] = "0123456789abcdef";
    char text[12];
    size_t n = sizeof text;
    if (!byte)
        text[--n] = '}';
    for (int i = 0; i < (byte ? 2 : 4) || value != 0; i++, value >>= 4)
        text[--n] = digit[value & 15];
    m5_output_string(out, byte ? "\\x" : "\\u{");
    m5_output_bytes(out, text + n, sizeof text - n);
}

void m5_output_safe(const m5_writer *out, const char *text, size_t count)
{
    const uint8_t *p = (const uint8_t *)text, *end = p + count, *plain = p;
    while (p < end) {
        uint32_t code = 0;
        size_t length = m5_utf8_letter(p, (size_t)(end - p), &code);
        if (length != 0 && !is_unsafe(code)) {
            p += length;
            continue;
        }
        m5_output_bytes(out, (const char *)plain, (size_t)(p - plain));
        escape(out, length == 0 ? *p : code, length <= 1);
        p += length == 0 ? 1 : length;
        plain = p;
    }
    m5_output_bytes(out, (const char *)plain, (size_t)(p - plain));
}

void m5_output_place(const m5_writer *out, const m5_source *source, m5_lines *lines,
                     uint32_t offset, bool text)
{
    m5_output_safe(out, source->name, strlen(source->name));
    if (!text) {
        m5_output_string(out, ":@");
        char hex[11] = "0x";
        size_t n = 2;
        for (int shift = 28; shift >= 0; shift -= 4)
            if (offset >> shift != 0 || shift == 0)
                hex[n++] = "0123456789abcdef"[offset >> shift & 15];
        m5_output_bytes(out, hex, n);
        return;
    }
    m5_place place = m5_lines_find(lines, offset);
    m5_write(out, ":%u:%u", place.line, place.column);
}

m5_lines *m5_lines_of(m5_both_lines *lines, const m5_source *source)
{
    if (source == lines->own.source)
        return &lines->own;
    if (source != lines->other.source)
        lines->other = (m5_lines){.source = source};
    return &lines->other;
}

void m5_output_hidden(const m5_writer *out, const m5_result *r)
{
    for (unsigned i = 0; i < M5_RULES; i++) {
        if (r->shown.hidden[i] == 0)
            continue;
        m5_output_safe(out, r->path, strlen(r->path));
        m5_write(out, ": %llu more %s finding%s not shown\n",
                 (unsigned long long)r->shown.hidden[i], m5_rule_at(i)->id,
                 r->shown.hidden[i] == 1 ? "" : "s");
    }
}

const char *m5_format_error(const m5_format *format)
{
    if (format == NULL)
        return "unknown format: neither the extension nor the content is recognised";
    return format->parse == NULL ? "this format is not supported yet" : NULL;
}
