/* Writes text for people through a callback: formatted, and safe for a terminal. */
#include "report.h"
#include "parsers/core/write.h"

#include <string.h>

void m5_output_bytes(const m5_writer *out, const char *bytes, size_t count)
{
    if (count != 0)
        out->write(out->user, bytes, count);
}

void m5_output_string(const m5_writer *out, const char *text)
{
    m5_output_bytes(out, text, strlen(text));
}

void m5_output_number(const m5_writer *out, uint64_t number)
{
    char text[27];
    size_t n = sizeof text, digits = 0;
    do {
        if (digits != 0 && digits % 3 == 0)
            text[--n] = ',';
        text[--n] = (char)('0' + number % 10);
        digits++;
    } while ((number /= 10) != 0);
    m5_output_bytes(out, text + n, sizeof text - n);
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
    for (;;) {
        while (p < end && m5_is_printable(*p))
            p++;
        if (p == end)
            break;
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

void m5_output_also(const m5_writer *out, const m5_result *r, const m5_finding *finding,
                    const char *before, const char *after)
{
    if (finding->num_also == 0 || r->shown.each)
        return;
    bool md5 = (m5_format_bit(r->format) & M5_IN_MD5) != 0;
    m5_write(out, "%sand in %u more animation%s of this %s%s", before, finding->num_also,
             finding->num_also == 1 ? "" : "s", md5 ? "mesh" : "skeleton", after);
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

enum { GONE_SHOWN = 10 };

void m5_output_gone(const m5_writer *out, const char *before, const m5_old_totals *old)
{
    for (size_t i = 0; i < old->num_list && i < GONE_SHOWN; i++) {
        const m5_gone *g = &old->list[i];
        m5_output_string(out, before);
        m5_output_safe(out, g->file, strlen(g->file));
        m5_write(out, ": gone: %s%s", g->rule->id, *g->path != '\0' ? " at " : "");
        m5_output_safe(out, g->path, strlen(g->path));
        if (g->count != 1)
            m5_write(out, " (%u findings)", g->count);
        m5_output_string(out, "\n");
    }
    if (old->num_list > GONE_SHOWN)
        m5_write(out, "%s...\n", before);
    if (old->gone == 0)
        return;
    m5_output_string(out, before);
    m5_output_number(out, old->gone);
    m5_write(out, " old finding%s gone; --prune-baseline takes %s out of the baseline\n",
             old->gone == 1 ? " is" : "s are", old->gone == 1 ? "it" : "them");
}

void m5_totals_add(m5_totals *t, const m5_result *r)
{
    static const m5_collector none;
    const m5_collector *from = r->shown.from != NULL ? r->shown.from : &none;
    const uint64_t *folded = from->folded, *old = from->old;
    t->errors += r->file->report.errors - folded[M5_ERROR] - old[M5_ERROR];
    t->warnings += r->file->report.warnings - folded[M5_WARNING] - old[M5_WARNING];
    t->notes += r->file->report.notes - folded[M5_NOTE] - old[M5_NOTE];
    t->folded += folded[M5_ERROR] + folded[M5_WARNING] + folded[M5_NOTE];
    t->suppressed += r->file->suppressed;
    t->old.hidden += old[M5_ERROR] + old[M5_WARNING] + old[M5_NOTE];
}

const char *m5_format_error(const m5_format *format)
{
    return format != NULL ? NULL
                          : "unknown format: neither the extension nor the content is recognised";
}
