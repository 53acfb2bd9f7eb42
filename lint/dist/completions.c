/* Completions for bash, zsh and fish: the options, and the values that a shell can list. */
#include "manual.h"

#include <string.h>

const m5_option m5_option_list[] = {
#define SECTION(title)
#define PARAGRAPH(text)
#define OPTION(id, name, letter, value, text) {name, value, text, letter},
#include "lint/app/options/options.def"
    {NULL, NULL, NULL, 0},
};

/* ---- Values ---------------------------------------------------------------------------------- */

bool m5_value_is_optional(const m5_option *option)
{
    return option->value[0] == '[';
}

/* What the values in options.def mean to a shell. */
static const struct {
    const char *value;
    m5_value_kind kind;
    const char *words;
} kinds[] = {
    {"", M5_VALUE_NONE, NULL},
    {"=RULES", M5_VALUE_RULES, NULL},
    {"=LIST", M5_VALUE_FILE, NULL},
    {"=FILE", M5_VALUE_FILE, NULL},
    {"[=FILE]", M5_VALUE_FILE, NULL},
    {"=PATH", M5_VALUE_FILE, NULL},
    {"=FORMAT", M5_VALUE_WORDS, "text gcc json jsonl sarif github gitlab checkstyle junit"},
    {"=WHEN", M5_VALUE_WORDS, "auto always never"},
    {"=LEVEL", M5_VALUE_WORDS, "error warning note"},
    {"=LAYOUT", M5_VALUE_WORDS, "auto spec engine"},
    {"[=FORM]", M5_VALUE_WORDS, "markdown"},
};

m5_value_kind m5_kind_of(const m5_option *option, const char **words)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].value, option->value) == 0) {
            *words = kinds[i].words;
            return kinds[i].kind;
        }
    *words = NULL;
    return M5_VALUE_ANYTHING;
}

static void put_rules(const m5_writer *out)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        m5_write(out, "%s%s", i != 0 ? " " : "", m5_rule_at(i)->id);
}

/* The name and, for an option with a value, `=`. */
static void put_name(const m5_writer *out, const m5_option *o)
{
    bool has_value = o->value[0] != '\0' && !m5_value_is_optional(o);
    m5_write(out, "--%s%s", o->name, has_value ? "=" : "");
}

/* Text between single quotes. */
static void put_quoted(const m5_writer *out, const char *text, const char *quote)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            m5_output_string(out, quote);
        else
            m5_output_bytes(out, text, 1);
}

/* The first sentence of an option's text. */
static void put_summary(const m5_writer *out, const m5_option *o, const char *escaped)
{
    const char *end = strstr(o->text, ". ");
    size_t count = end != NULL ? (size_t)(end - o->text) : strcspn(o->text, ";");
    for (size_t i = 0; i < count; i++) {
        char letter[] = {o->text[i], '\0'};
        if (strchr(escaped, o->text[i]) != NULL)
            m5_output_string(out, "\\");
        put_quoted(out, letter, "'\\''");
    }
}

/* ---- bash ------------------------------------------------------------------------------------ */

void m5_put_bash(const m5_writer *out)
{
    m5_output_string(out, "# Completions of md5lint for bash.\n"
                          "_md5lint() {\n"
                          "    local line=${COMP_LINE:0:COMP_POINT} word value rules\n"
                          "    word=${line##* } value=${word#*=}\n"
                          "    rules='");
    put_rules(out);
    m5_output_string(out, "'\n    COMPREPLY=()\n    case $word in\n");
    for (const m5_option *o = m5_option_list; o->name != NULL; o++) {
        const char *words;
        m5_value_kind kind = m5_kind_of(o, &words);
        if (kind == M5_VALUE_RULES)
            m5_write(out,
                     "    --%s=*,*) COMPREPLY=($(compgen -P \"${value%%,*},\" -W \"$rules\" -- "
                     "\"${value##*,}\")) ;;\n"
                     "    --%s=*) COMPREPLY=($(compgen -W \"$rules\" -- \"$value\")) ;;\n",
                     o->name, o->name);
        else if (kind == M5_VALUE_WORDS)
            m5_write(out, "    --%s=*) COMPREPLY=($(compgen -W '%s' -- \"$value\")) ;;\n", o->name,
                     words);
        else if (kind == M5_VALUE_FILE)
            m5_write(out,
                     "    --%s=*) compopt -o filenames 2>/dev/null\n"
                     "        COMPREPLY=($(compgen -f -- \"$value\")) ;;\n",
                     o->name);
    }
    m5_output_string(out, "    --*=*) ;;\n    -*) compopt -o nospace 2>/dev/null\n"
                          "        COMPREPLY=($(compgen -W '");
    for (const m5_option *o = m5_option_list; o->name != NULL; o++) {
        m5_output_string(out, o != m5_option_list ? " " : "");
        put_name(out, o);
    }
    m5_output_string(out, "' -- \"$word\")) ;;\n"
                          "    *) compopt -o default 2>/dev/null ;;\n"
                          "    esac\n"
                          "}\n"
                          "complete -F _md5lint md5lint\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void put_zsh_option(const m5_writer *out, const m5_option *o)
{
    const char *words;
    m5_value_kind kind = m5_kind_of(o, &words);
    bool optional = m5_value_is_optional(o);
    if (o->letter != 0 && kind == M5_VALUE_NONE)
        m5_write(out, "    '(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
    else
        m5_write(out, "    '--%s%s[", o->name, kind == M5_VALUE_NONE ? "" : optional ? "=-" : "=");
    put_summary(out, o, "[]\\");
    m5_output_string(out, "]");
    if (kind != M5_VALUE_NONE)
        m5_output_string(out, optional ? "::value:" : ":value:");
    if (kind == M5_VALUE_RULES)
        m5_output_string(out, "_md5lint_rules");
    else if (kind == M5_VALUE_WORDS)
        m5_write(out, "(%s)", words);
    else if (kind == M5_VALUE_FILE)
        m5_output_string(out, "_files");
    m5_output_string(out, "' \\\n");
}

void m5_put_zsh(const m5_writer *out)
{
    m5_output_string(out, "#compdef md5lint\n"
                          "_md5lint_rules() {\n"
                          "    local -a rules\n"
                          "    rules=(");
    put_rules(out);
    m5_output_string(out, ")\n    _values -s , rule $rules\n}\n"
                          "_arguments -s \\\n");
    for (const m5_option *o = m5_option_list; o->name != NULL; o++)
        put_zsh_option(out, o);
    m5_output_string(out, "    '*:model:_files'\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

void m5_put_fish(const m5_writer *out)
{
    m5_output_string(out, "# Completions of md5lint for fish.\n"
                          "set -g __md5lint_rules ");
    put_rules(out);
    m5_output_string(out, "\n");
    for (const m5_option *o = m5_option_list; o->name != NULL; o++) {
        const char *words;
        m5_value_kind kind = m5_kind_of(o, &words);
        bool optional = m5_value_is_optional(o);
        m5_write(out, "complete -c md5lint -l %s", o->name);
        if (o->letter != 0)
            m5_write(out, " -s %c", o->letter);
        if (kind == M5_VALUE_RULES)
            m5_output_string(out, " -x -a '(__fish_append , $__md5lint_rules)'");
        else if (kind == M5_VALUE_WORDS)
            m5_write(out, " -x -a '%s'", words);
        else if (kind == M5_VALUE_FILE)
            m5_output_string(out, optional ? " -F" : " -r -F");
        else if (kind == M5_VALUE_ANYTHING && !optional)
            m5_output_string(out, " -x");
        m5_output_string(out, " -d '");
        put_summary(out, o, "\\");
        m5_output_string(out, "'\n");
    }
}
