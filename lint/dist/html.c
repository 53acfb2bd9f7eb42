/* What the pages of the site are written with. */
#include "site.h"
#include "lint/lint.h"

#include <string.h>

/* ---- Text ------------------------------------------------------------------------------------ */

void m5_html_text(const m5_writer *out, const char *text, size_t count)
{
    static const char *const escapes[] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};
    for (size_t i = 0; i < count; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < sizeof escapes / sizeof *escapes && escapes[c] != NULL)
            m5_output_string(out, escapes[c]);
        else
            m5_output_bytes(out, text + i, 1);
    }
}

static const m5_rule *rule_named(const char *word, size_t length)
{
    char id[64];
    if (length == 0 || length >= sizeof id)
        return NULL;
    memcpy(id, word, length);
    id[length] = '\0';
    return m5_rule_by_id(id);
}

/* A word, or what is between backquotes, and returns its length. */
static size_t put_word(const m5_writer *out, const char *text)
{
    const char *end = *text == '`' ? strchr(text + 1, '`') : NULL;
    if (end != NULL) {
        m5_output_string(out, "<code>");
        m5_html_text(out, text + 1, (size_t)(end - text) - 1);
        m5_output_string(out, "</code>");
        return (size_t)(end - text) + 1;
    }
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    const m5_rule *rule = rule_named(text, length);
    if (rule == NULL) {
        length += length == 0;
        m5_html_text(out, text, length);
    } else {
        m5_write(out, "<a href=\"%s.html\"><code>%s</code></a>", rule->id, rule->id);
    }
    return length;
}

void m5_html_prose(const m5_writer *out, const char *text)
{
    while (*text != '\0')
        text += put_word(out, text);
}

/* ---- Pages ----------------------------------------------------------------------------------- */

void m5_html_begin(const m5_writer *out, const char *title)
{
    m5_output_string(out,
                     "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    m5_write(out, "<title>%s</title>\n", title);
    m5_output_string(out, "<link rel=\"icon\" href=\"data:,\">\n"
                          "<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n"
                          "<header><nav aria-label=\"md5lint\">"
                          "<a href=\"index.html\">Rules</a> <a href=\"md5lint.1.html\">Manual</a> "
                          "<a href=\"libm5.3.html\">Library</a></nav></header>\n<main>\n");
}

void m5_html_end(const m5_writer *out)
{
    m5_write(out, "</main>\n<footer>md5lint %s</footer>\n</body>\n</html>\n", M5_VERSION);
}

void m5_html_levels(const m5_writer *out, const m5_rule *rule)
{
    const double limits[] = {[M5_NOTE] = rule->levels.note,
                             [M5_WARNING] = rule->levels.warning,
                             [M5_ERROR] = rule->levels.error};
    bool any = false;
    for (int s = M5_ERROR; s >= M5_NOTE; s--) {
        if (limits[s] == M5_NEVER)
            continue;
        const char *name = m5_severity_name((m5_severity)s);
        m5_write(out, "<span class=\"level %s\">%s</span> ", name, name);
        any = true;
    }
    m5_output_string(out, any ? "" : "<span class=\"level off\">off</span> ");
}
