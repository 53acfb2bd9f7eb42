/* Reads the command line; prints what --help, --version, --list-rules and --explain ask for. */
#define _GNU_SOURCE /* getopt_long */

#include "reading.h"
#include "lint/core/nearest.h"
#include "lint/report/explain.h"
#include "parsers/core/number.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What getopt_long returns: the letter, if an option has one. */
enum {
#define SECTION(title)
#define PARAGRAPH(text)
#define OPTION(id, name, letter, value, text)                                                      \
    OPT_##id = (letter) != 0 ? (letter) : UCHAR_MAX + __LINE__,
#include "options.def"
};

/* For what --help shows: "" for no value, "=N" for one, "[=N]" for one that may be missing. */
#define HAS_VALUE(shown)                                                                           \
    ((shown)[0] == '=' ? required_argument : (shown)[0] != '\0' ? optional_argument : no_argument)

static const struct option long_options[] = {
#define SECTION(title)
#define PARAGRAPH(text)
#define OPTION(id, name, letter, value, text) {name, HAS_VALUE(value), NULL, OPT_##id},
#include "options.def"
    {NULL, 0, NULL, 0},
};

/* The letters as getopt_long wants them; `:` first for an error of its own where a value is
 * missing. */
static void list_letters(char *out)
{
    *out++ = ':';
    for (int i = 0; long_options[i].name != NULL; i++) {
        if (long_options[i].val > UCHAR_MAX)
            continue;
        *out++ = (char)long_options[i].val;
        if (long_options[i].has_arg == required_argument)
            *out++ = ':';
    }
    *out = '\0';
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void read_number(m5_reading *r, const char *text, uint32_t *out)
{
    int32_t value;
    m5_number_flaw flaw = m5_read_int((const uint8_t *)text, strlen(text), &value);
    if (flaw != M5_NUMBER_FINE || value < 0)
        m5_wrong_option(r, "expected an integer from 0 to 2147483647, found", text, NULL);
    else
        *out = (uint32_t)value;
}

static void add_value(m5_reading *r, m5_values *values, const char *value)
{
    const char **list = realloc(values->list, (values->count + 1) * sizeof *list);
    if (list == NULL) {
        m5_wrong_option(r, "out of memory", NULL, NULL);
        return;
    }
    values->list = list;
    values->list[values->count++] = value;
}

static const char *reporter_name_at(unsigned i)
{
    return m5_reporter_at(i) != NULL ? m5_reporter_at(i)->name : NULL;
}

/* The reporter with this name, which is reported if there is none. */
static const m5_reporter *find_reporter(m5_reading *r, const char *name)
{
    for (unsigned i = 0; reporter_name_at(i) != NULL; i++)
        if (strcmp(reporter_name_at(i), name) == 0)
            return m5_reporter_at(i);
    m5_wrong_option(r, "unknown output format", name, m5_nearest(name, reporter_name_at));
    return NULL;
}

static void read_format(m5_reading *r, const char *text)
{
    r->o->reporter = find_reporter(r, text);
    r->o->has_format = true;
}

/* FORMAT:FILE */
static void read_output(m5_reading *r, char *text)
{
    m5_options *o = r->o;
    char *path = strchr(text, ':');
    if (path == NULL || path[1] == '\0' || strcmp(path, ":-") == 0) {
        m5_wrong_option(r, "expected FORMAT:FILE, found", text, NULL);
        return;
    }
    *path++ = '\0';
    m5_output *list = realloc(o->outputs, (o->num_outputs + 1) * sizeof *list);
    if (list == NULL) {
        m5_wrong_option(r, "out of memory", NULL, NULL);
        return;
    }
    o->outputs = list;
    list[o->num_outputs++] = (m5_output){find_reporter(r, text), path};
}

/* In millions of bones and weights; 0 means no limit. */
static void read_budget(m5_reading *r, const char *text)
{
    uint32_t millions = 0;
    read_number(r, text, &millions);
    r->o->settings.geometry_budget = millions != 0 ? millions * UINT64_C(1000000) : UINT64_MAX;
}

/* 0 means no limit but that of any file. */
static void read_max_member(m5_reading *r, const char *text)
{
    uint32_t mib = 0;
    read_number(r, text, &mib);
    r->o->settings.max_member = mib != 0 ? (uint64_t)mib << 20 : UINT64_MAX;
}

static void read_when(m5_reading *r, const char *text, int *out)
{
    static const char *const words[] = {"auto", "never", "always", NULL};
    int i = m5_read_word(r, text, words, "expected auto, always or never, found");
    if (i >= 0)
        *out = i - 1;
}

static void read_ill_layout(m5_reading *r, const char *text)
{
    static const char *const words[] = {"auto", "spec", "engine", NULL};
    int i = m5_read_word(r, text, words, "expected auto, spec or engine, found");
    if (i >= 0)
        r->o->settings.ill_layout = (m5_ill_layout)i;
}

/* As m5_game_rules. */
static void read_rules_of(m5_reading *r, const char *text)
{
    static const char *const words[] = {"doom3", "quake", NULL};
    int i = m5_read_word(r, text, words, "expected doom3 or quake, found");
    if (i >= 0)
        r->o->rules_of = i;
}

static void read_fail_on(m5_reading *r, const char *text)
{
    static const char *const words[] = {"note", "warning", "error", NULL};
    int i = m5_read_word(r, text, words, "expected error, warning or note, found");
    if (i < 0)
        return;
    r->o->fail_on = (m5_severity)(i + M5_NOTE);
    r->o->notes |= r->o->fail_on == M5_NOTE;
}

static void take_baseline(m5_options *o, const char *path)
{
    o->baseline = path;
    o->no_baseline = path == NULL;
}

static void write_baseline(m5_options *o, const char *path)
{
    o->writes_baseline = true;
    o->written_baseline = path;
}

/* ---- Options --------------------------------------------------------------------------------- */

static void ask_git(m5_reading *r, const char *since)
{
    r->o->ask_git = true;
    r->o->since = since;
}

static void print_and_stop(m5_reading *r, const char *text)
{
    m5_output_string(r->out, text);
    r->o->action = M5_ACT_DONE;
}

static void print_help(m5_reading *r)
{
    m5_print_help(r->out);
    r->o->action = M5_ACT_DONE;
}

static void list_rules(m5_reading *r, const char *form)
{
    r->o->action = M5_ACT_DONE;
    if (form == NULL)
        m5_list_rules(r->out);
    else if (strcmp(form, "markdown") == 0)
        m5_list_rules_markdown(r->out);
    else
        m5_wrong_option(r, "expected markdown, found", form, NULL);
}

static void list_targets(m5_reading *r)
{
    char today[16] = "";
    time_t now = time(NULL);
    strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
    m5_list_targets(r->out, today);
    r->o->action = M5_ACT_DONE;
}

static void explain(const m5_rule *rule, m5_reading *r)
{
    if (r->o->action == M5_ACT_DONE)
        m5_output_string(r->out, "\n");
    m5_explain(r->out, rule);
    r->o->action = M5_ACT_DONE;
}

/* ---- Unknown options --------------------------------------------------------------------------
 */

static const char *option_name_at(unsigned i)
{
    return long_options[i].name;
}

/* Whether more than one option begins with this text. */
static bool is_ambiguous(const char *begin, size_t length)
{
    int count = 0;
    for (unsigned i = 0; option_name_at(i) != NULL; i++)
        count += strncmp(option_name_at(i), begin, length) == 0;
    return count > 1;
}

static void unknown_option(m5_reading *r, const char *argument)
{
    char name[M5_NEAREST_MAX + 1];
    size_t length = strcspn(argument, "=");
    const char *nearest = NULL;
    if (strncmp(argument, "--", 2) == 0 && length < sizeof name) {
        memcpy(name, argument + 2, length - 2);
        name[length - 2] = '\0';
        if (is_ambiguous(name, length - 2)) {
            m5_wrong_option(r, "ambiguous option", argument, NULL);
            return;
        }
        nearest = m5_nearest(name, option_name_at);
    }
    char suggestion[64] = "--";
    if (nearest != NULL)
        memcpy(suggestion + 2, nearest, strlen(nearest) + 1);
    m5_wrong_option(r, "unknown option", argument, nearest != NULL ? suggestion : NULL);
}

/* getopt_long reports three errors alike: a letter, a value where the option has none, and a name
 * that is unknown or ambiguous. */
static void wrong_option(m5_reading *r, const char *argument)
{
    char letter[] = {'-', (char)optopt, '\0'}; /* one of several letters, maybe */
    bool is_long = strncmp(argument, "--", 2) == 0;
    if (optopt != 0 && is_long)
        m5_wrong_option(r, "this option accepts no value:", argument, NULL);
    else
        unknown_option(r, is_long ? argument : letter);
}

static void read_stdin_name(m5_reading *r, const char *name)
{
    if (*name == '\0')
        m5_wrong_option(r, "expected a name, found", name, NULL);
    r->o->stdin_name = name;
}

/* ---- The command line -------------------------------------------------------------------------
 */

/* What is found, and which of it is shown. */
static bool take_choice(m5_reading *r, int option)
{
    switch (option) {
    case OPT_NOTES: r->o->notes = true; break;
    case OPT_QUIET: r->o->quiet = true; break;
    case OPT_SELECT: m5_read_rules(r, optarg, M5_CHOOSE_SELECT, NULL); break;
    case OPT_IGNORE: m5_read_rules(r, optarg, M5_CHOOSE_OFF, NULL); break;
    case OPT_ERROR: m5_read_rules(r, optarg, M5_CHOOSE_ERROR, NULL); break;
    case OPT_WARNING: m5_read_rules(r, optarg, M5_CHOOSE_WARNING, NULL); break;
    case OPT_NOTE: m5_read_rules(r, optarg, M5_CHOOSE_NOTE, NULL); break;
    case OPT_ENABLE: m5_read_rules(r, optarg, M5_CHOOSE_ENABLE, NULL); break;
    case OPT_LEVEL: m5_read_level(r, optarg); break;
    case OPT_MAX_PER_RULE: read_number(r, optarg, &r->o->max_per_rule); break;
    case OPT_MAX: read_number(r, optarg, &r->o->max_per_file); break;
    default: return false;
    }
    return true;
}

/* The name of an option that has a value. */
static const char *name_of(int option)
{
    const struct option *o = long_options;
    while (o->name != NULL && o->val != option)
        o++;
    return optarg != NULL ? o->name : NULL;
}

static void take_option(m5_reading *r, int option, char *argument)
{
    if (take_choice(r, option))
        return;
    switch (option) {
    case OPT_FIX: r->o->fix = true; break;
    case OPT_DIFF: r->o->diff = true; break;
    case OPT_UNSAFE_FIXES: r->o->unsafe_fixes = true; break;
    case OPT_FIX_ONLY: r->o->fix = r->o->fix_only = true; break;
    case OPT_TARGET: m5_read_targets(r, optarg); break;
    case OPT_LIST_TARGETS: list_targets(r); break;
    case OPT_FAIL_ON_TARGET: m5_read_fail_on_target(r, optarg); break;
    case OPT_FORMAT: read_format(r, optarg); break;
    case OPT_OUTPUT: read_output(r, optarg); break;
    case OPT_ROOT: r->o->root = optarg; break;
    case OPT_COLOR: read_when(r, optarg, &r->o->color); break;
    case OPT_HYPERLINKS: read_when(r, optarg, &r->o->links); break;
    case OPT_FAIL_ON: read_fail_on(r, optarg); break;
    case OPT_CONFIG: r->o->config = optarg; break;
    case OPT_NO_CONFIG: r->o->no_config = true; break;
    case OPT_SHOW_CONFIG: r->o->show_config = optarg; break;
    case OPT_INIT: r->o->action = M5_ACT_INIT; break;
    case OPT_BASELINE: take_baseline(r->o, optarg); break;
    case OPT_NO_BASELINE: take_baseline(r->o, NULL); break;
    case OPT_WRITE_BASELINE: write_baseline(r->o, optarg); break;
    case OPT_PRUNE_BASELINE: r->o->prunes_baseline = true; break;
    case OPT_FAIL_ON_STALE: r->o->fail_on_stale = true; break;
    case OPT_EXCLUDE: add_value(r, &r->o->exclude, optarg); break;
    case OPT_GAME: add_value(r, &r->o->games, optarg); break;
    case OPT_RULES_OF: read_rules_of(r, optarg); break;
    case OPT_FILES_FROM: add_value(r, &r->o->lists, optarg); break;
    case OPT_NUL: r->o->nul = true; break;
    case OPT_STDIN_NAME: read_stdin_name(r, optarg); break;
    case OPT_ONLY_FROM: add_value(r, &r->o->only, optarg); break;
    case OPT_GIT: ask_git(r, optarg); break;
    case OPT_MAX_MEMBER: read_max_member(r, optarg); break;
    case OPT_ILL_LAYOUT: read_ill_layout(r, optarg); break;
    case OPT_NO_GEOMETRY: r->o->settings.no_geometry = true; break;
    case OPT_SHOW_PAIRS: r->o->show_pairs = true; break;
    case OPT_NO_FOLD: r->o->fold = false; break;
    case OPT_STATISTICS: r->o->statistics = true; break;
    case OPT_MAX_WARNINGS: read_number(r, optarg, &r->o->max_warnings); break;
    case OPT_EXIT_ZERO: r->o->exit_zero = true; break;
    case OPT_BUDGET: read_budget(r, optarg); break;
    case OPT_TIME: r->o->time = true; break;
    case OPT_JOBS: read_number(r, optarg, &r->o->jobs); break;
    case OPT_LIST: list_rules(r, optarg); break;
    case OPT_EXPLAIN: m5_read_explain(r, optarg, explain); break;
    case OPT_HELP: print_help(r); break;
    case OPT_VERSION: print_and_stop(r, "md5lint " M5_VERSION "\n"); break;
    case ':': m5_wrong_option(r, "missing value after", argument, NULL); break;
    default: wrong_option(r, argument);
    }
}

/* What was given must go together; only one thing that does not is reported. */
static void check_options(m5_reading *r)
{
    const m5_options *o = r->o;
    bool text = o->reporter == m5_reporter_at(0);
    if (o->fix && o->diff)
        m5_wrong_option(r, "--fix and --diff exclude each other", NULL, NULL);
    else if (o->unsafe_fixes && !o->fix && !o->diff)
        m5_wrong_option(r, "--unsafe-fixes is for --fix and --diff", NULL, NULL);
    else if (o->diff && (o->num_outputs != 0 || !text))
        m5_wrong_option(r, "--diff writes no reports:", text ? "--output" : "--format", NULL);
    else if (o->statistics && !text)
        m5_wrong_option(r, "--statistics is for --format=text", NULL, NULL);
    else if (o->writes_baseline && (o->fix || o->diff))
        m5_wrong_option(r, "--write-baseline records what is there, and changes nothing:",
                        o->fix ? "--fix" : "--diff", NULL);
    else if (o->writes_baseline && (o->prunes_baseline || o->fail_on_stale))
        m5_wrong_option(r, "--write-baseline records what is there, so that nothing can be gone:",
                        o->prunes_baseline ? "--prune-baseline" : "--fail-on-stale", NULL);
    else if (o->num_arguments == 0 && o->lists.count == 0 && o->games.count == 0)
        m5_wrong_option(r, "no files given", NULL, NULL);
}

void m5_options_read(m5_options *o, int argc, char **argv, const m5_writer *out,
                     const m5_writer *err)
{
    char letters[2 * sizeof long_options / sizeof *long_options + 2];
    m5_reading r = {.o = o, .out = out, .err = err};
    *o = (m5_options){.reporter = m5_reporter_at(0),
                      .max_per_rule = 10,
                      .max_per_file = 100,
                      .max_warnings = UINT32_MAX,
                      .color = -1,
                      .links = -1,
                      .fold = true,
                      .settings = {.levels = o->choice.levels}};
    list_letters(letters);
    opterr = 0;
    while (o->action == M5_ACT_LINT) {
        int option = getopt_long(argc, argv, letters, long_options, NULL);
        if (option == -1)
            break;
        r.option = name_of(option);
        take_option(&r, option, argv[optind - 1]);
    }
    r.option = NULL;
    m5_choice_init(&o->choice);
    m5_options_choose(o, &o->choice);
    o->arguments = argv + optind;
    o->num_arguments = argc - optind;
    if (o->action == M5_ACT_LINT && o->show_config != NULL)
        o->action = M5_ACT_SHOW_CONFIG;
    if (o->action == M5_ACT_LINT)
        check_options(&r);
}

void m5_options_choose(const m5_options *o, m5_choice *choice)
{
    for (size_t i = 0; i < o->num_rules; i++)
        m5_choice_apply(choice, &o->rules[i]);
    if (!o->notes)
        m5_choice_hide_notes(choice);
}

unsigned m5_options_shows(const m5_options *o)
{
    unsigned shows = o->reporter->shows;
    for (size_t i = 0; i < o->num_outputs; i++)
        shows |= o->outputs[i].reporter->shows;
    return shows;
}

void m5_options_free(m5_options *o)
{
    for (size_t i = 0; i < o->num_rules; i++)
        free(o->rules[i].pattern);
    free(o->rules);
    free(o->outputs);
    free(o->exclude.list);
    free(o->lists.list);
    free(o->games.list);
    free(o->only.list);
}
