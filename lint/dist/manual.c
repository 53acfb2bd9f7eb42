/* Writes what the manual pages md5lint(1) and md5lint-rules(7) have in the middle, in mdoc(7), and
 * the completions; or the pages of the site, into a folder (lint/dist/site.h):
 *     manual md5lint.1|md5lint-rules.7|bash|zsh|fish
 *     manual site FOLDER EXAMPLES */
#include "manual.h"
#include "site.h"
#include "lint/report/explain.h"

#include <stdio.h>
#include <string.h>

/* ---- mdoc ------------------------------------------------------------------------------------ */

/* Text that is not read as a macro or an escape. */
static void put_escaped(const m5_writer *out, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool starts = i == 0 || text[i - 1] == '\n';
        if (starts && (text[i] == '.' || text[i] == '\''))
            m5_output_string(out, "\\&");
        if (text[i] == '\\')
            m5_output_string(out, "\\e");
        else
            m5_output_bytes(out, text + i, 1);
    }
}

/* A sentence begins a new line, as mdoc wants it. */
static void put_text(const m5_writer *out, const char *text)
{
    while (*text != '\0') {
        const char *end = strstr(text, ". ");
        size_t count = end != NULL ? (size_t)(end - text) + 1 : strlen(text);
        put_escaped(out, text, count);
        m5_output_string(out, "\n");
        text += count + (end != NULL);
    }
}

static void put_literal(const m5_writer *out, const char *text)
{
    m5_output_string(out, ".Bd -literal -offset indent\n");
    put_escaped(out, text, strlen(text));
    m5_output_string(out, text[0] != '\0' && text[strlen(text) - 1] == '\n' ? ".Ed\n" : "\n.Ed\n");
}

/* ---- md5lint(1) ------------------------------------------------------------------------------ */

static void put_option(const m5_writer *out, const m5_option *o)
{
    const char *value = strchr(o->value, '=');
    m5_output_string(out, ".It ");
    if (o->letter != 0)
        m5_write(out, "Fl %c , ", o->letter);
    m5_write(out, "Fl -%s", o->name);
    if (value == NULL) {
        m5_output_string(out, "\n");
    } else if (m5_value_is_optional(o)) {
        m5_output_string(out, " Ns Oo = Ns Ar ");
        m5_output_bytes(out, value + 1, strlen(value) - 2);
        m5_output_string(out, " Oc\n");
    } else {
        m5_write(out, " Ns = Ns Ar %s\n", value + 1);
    }
    put_text(out, o->text);
}

static void begin_section(const m5_writer *out, const char *title, bool *in_list)
{
    m5_write(out, "%s.Ss %s\n", *in_list ? ".El\n" : "", title);
    *in_list = false;
}

static void begin_list(const m5_writer *out, bool *in_list)
{
    if (!*in_list)
        m5_output_string(out, ".Bl -tag -width Ds\n");
    *in_list = true;
}

static void put_options(const m5_writer *out)
{
    bool in_list = false;
    uint32_t option = 0;
#define SECTION(title) begin_section(out, title, &in_list);
#define PARAGRAPH(text) put_text(out, text);
#define OPTION(id, name, letter, value, text)                                                      \
    begin_list(out, &in_list);                                                                     \
    put_option(out, &m5_option_list[option++]);
#include "lint/app/options/options.def"
    m5_output_string(out, in_list ? ".El\n" : "");
}

/* ---- md5lint-rules(7) ------------------------------------------------------------------------ */

static void put_rule(const m5_writer *out, const m5_rule *rule)
{
    char buffer[128] = "", names[128] = "";
    m5_text level = {buffer, sizeof buffer, 0, false}, formats = {names, sizeof names, 0, false};
    m5_write(out, ".Ss %s\n", rule->id);
    put_text(out, rule->summary);
    m5_write(out, ".Pp\nSeverity: %s; format: %s.\n.Pp\n", m5_level_text(rule, &level),
             m5_formats_text(rule, &formats));
    put_text(out, rule->why);
    if (rule->fix[0] != '\0') {
        m5_output_string(out, ".Pp\nTo fix it:\n");
        put_text(out, rule->fix);
    }
    m5_output_string(out, ".Pp\nExample:\n");
    put_literal(out, rule->example);
    m5_output_string(out, ".Pp\nSource:\n");
    put_text(out, rule->origin);
}

static void put_rules(const m5_writer *out)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        put_rule(out, m5_rule_at(i));
}

/* ---- The program ----------------------------------------------------------------------------- */

static void write_stream(void *user, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, user);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*put)(const m5_writer *out);
    } pages[] = {{"md5lint.1", put_options},
                 {"md5lint-rules.7", put_rules},
                 {"bash", m5_put_bash},
                 {"zsh", m5_put_zsh},
                 {"fish", m5_put_fish}};
    m5_writer out = {write_stream, stdout};
    if (argc == 4 && strcmp(argv[1], "site") == 0) {
        bool written = m5_site(argv[2], argv[3]);
        if (!written)
            perror(argv[2]);
        return written ? 0 : 2;
    }
    for (size_t i = 0; argc == 2 && i < sizeof pages / sizeof *pages; i++)
        if (strcmp(argv[1], pages[i].name) == 0) {
            pages[i].put(&out);
            return fclose(stdout) == 0 ? 0 : 2;
        }
    fputs("usage: manual md5lint.1|md5lint-rules.7|bash|zsh|fish, or manual site FOLDER EXAMPLES\n",
          stderr);
    return 2;
}
