/* Reads the command line; prints what --help, --version, --list-rules and --explain ask for. */
#define _GNU_SOURCE /* getopt_long */

#include "options.h"
#include "lint/report/explain.h"
#include "parsers/core/number.h"
#include "parsers/core/text.h"

#include "lint/core/nearest.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

static const char help[] =
    "usage: md5lint [options] FILE...\n"
    "\n"
    "Checks md5mesh, md5anim, md4, illmesh, illskel and illanim files, and whether files that\n"
    "belong together fit each other:\n"
    "\n"
    "    md5lint model.md5mesh walk.md5anim run.md5anim\n"
    "    md5lint model.illmesh model.illskel walk.illanim\n"
    "\n"
    "An animation is compared with the mesh that has the same joints, an illanim or illmesh with\n"
    "its skeleton. The order of the files does not matter. FILE may be `-` for standard input.\n"
    "\n"
    "Which findings are shown (default)\n"
    "  --notes               also show notes: facts that are odd but harmless\n"
    "  --enable=RULE         show the notes of this rule, and run it if it is off by default\n"
    "  --level=RULE=LEVEL    set the severity of a rule: off, note, warning or error; or, for a\n"
    "                        rule that measures something, three limits `note,warning,error`\n"
    "                        (`-` for never)\n"
    "  --max-per-rule=N      show at most N findings of each rule in each file, 0 for all (10)\n"
    "  --max-diagnostics=N   show at most N findings in each file, 0 for all (100)\n"
    "\n"
    "How files are read\n"
    "  --ill-layout=LAYOUT   the order of the values of an illmesh vertex: spec (as in the format\n"
    "                        text), engine (as in illEngine) or auto (detect it)\n"
    "\n"
    "Time and threads (default)\n"
    "  --no-geometry         skip the checks that pose or measure models: bounding boxes, jumps\n"
    "                        in the motion, winding\n"
    "  --geometry-budget=N   for each file, place at most N million bones and weights, plus 64\n"
    "                        for each byte of it; 0 for no limit (200). If there are more, only\n"
    "                        evenly spaced frames are checked\n"
    "  -j N, --jobs=N        lint N files at the same time (as many as there are processors); the\n"
    "                        output is the same for any N\n"
    "\n"
    "Output\n"
    "  --format=FORMAT       text (default), gcc (path:line:column: error: ...) or json\n"
    "  --color=WHEN          auto (default), always or never\n"
    "  --show-pairs          with text: which files were compared with which, and why\n"
    "\n"
    "Exit status: 0 if there is no error, 1 if there is one, 2 if a file could not be read or the\n"
    "command line is wrong\n"
    "  --fail-on=LEVEL       the lowest severity that gives exit status 1: error (default),\n"
    "                        warning or note\n"
    "\n"
    "About the rules\n"
    "  --list-rules          list all rules, one on each line\n"
    "  --list-rules=markdown print all rules as in RULES.md\n"
    "  --explain=RULE        explain a rule: what it means, why it matters and how to fix it\n"
    "  --help, --version     print this text, or the version\n";

enum {
    OPT_NOTES = 256,
    OPT_ENABLE,
    OPT_LEVEL,
    OPT_MAX_PER_RULE,
    OPT_MAX,
    OPT_FORMAT,
    OPT_COLOR,
    OPT_FAIL_ON,
    OPT_ILL_LAYOUT,
    OPT_NO_GEOMETRY,
    OPT_SHOW_PAIRS,
    OPT_BUDGET,
    OPT_JOBS,
    OPT_LIST,
    OPT_EXPLAIN,
    OPT_HELP,
    OPT_VERSION
};

static const struct option long_options[] = {
    {"notes", no_argument, NULL, OPT_NOTES},
    {"enable", required_argument, NULL, OPT_ENABLE},
    {"level", required_argument, NULL, OPT_LEVEL},
    {"max-per-rule", required_argument, NULL, OPT_MAX_PER_RULE},
    {"max-diagnostics", required_argument, NULL, OPT_MAX},
    {"format", required_argument, NULL, OPT_FORMAT},
    {"color", required_argument, NULL, OPT_COLOR},
    {"fail-on", required_argument, NULL, OPT_FAIL_ON},
    {"ill-layout", required_argument, NULL, OPT_ILL_LAYOUT},
    {"no-geometry", no_argument, NULL, OPT_NO_GEOMETRY},
    {"show-pairs", no_argument, NULL, OPT_SHOW_PAIRS},
    {"geometry-budget", required_argument, NULL, OPT_BUDGET},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"list-rules", optional_argument, NULL, OPT_LIST},
    {"explain", required_argument, NULL, OPT_EXPLAIN},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

/* The state while the command line is read. */
typedef struct reading {
    m5_options *o;
    const m5_writer *out, *err;
    bool notes;
    bool shown[M5_RULES]; /* named by an option: their notes are shown even without --notes */
} reading;

/* ---- Errors ---------------------------------------------------------------------------------- */

static const char *rule_name_at(unsigned i)
{
    return i < M5_RULES ? m5_rule_at(i)->id : NULL;
}

static const char *option_name_at(unsigned i)
{
    return long_options[i].name;
}

static void put_cut(const m5_writer *out, const char *text)
{
    size_t length = strlen(text);
    m5_output_safe(out, text, length > 80 ? 80 : length);
    m5_output_string(out, length > 80 ? "..." : "");
}

/* `md5lint: <what> '<word>'`, the nearest correct word if one is near, and where to read more. */
static void wrong(reading *r, const char *what, const char *word, const char *nearest)
{
    m5_write(r->err, "md5lint: %s", what);
    if (word != NULL) {
        m5_output_string(r->err, " '");
        put_cut(r->err, word);
        m5_output_string(r->err, "'");
    }
    if (nearest != NULL)
        m5_write(r->err, "; did you mean '%s'?", nearest);
    m5_output_string(r->err, "\nTry 'md5lint --help'.\n");
    r->o->action = M5_ACT_USAGE;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static const m5_rule *read_rule(reading *r, const char *id)
{
    const m5_rule *rule = m5_rule_by_id(id);
    if (rule == NULL)
        wrong(r, "unknown rule", id, m5_nearest(id, rule_name_at));
    return rule;
}

/* The index of a word in a list that ends with NULL; -1 if it is not there, which is reported. */
static int read_word(reading *r, const char *word, const char *const *words, const char *what)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    wrong(r, what, word, NULL);
    return -1;
}

static void read_number(reading *r, const char *text, uint32_t *out)
{
    int32_t value;
    m5_number_flaw flaw = m5_read_int((const uint8_t *)text, strlen(text), &value);
    if (flaw != M5_NUMBER_FINE || value < 0)
        wrong(r, "expected an integer from 0 to 2147483647, found", text, NULL);
    else
        *out = (uint32_t)value;
}

static const char *reporter_name_at(unsigned i)
{
    return m5_reporter_at(i) != NULL ? m5_reporter_at(i)->name : NULL;
}

static void read_format(reading *r, const char *text)
{
    for (unsigned i = 0; reporter_name_at(i) != NULL; i++)
        if (strcmp(reporter_name_at(i), text) == 0) {
            r->o->reporter = m5_reporter_at(i);
            return;
        }
    wrong(r, "unknown output format", text, m5_nearest(text, reporter_name_at));
}

/* In millions of bones and weights; 0 means no limit. */
static void read_budget(reading *r, const char *text)
{
    uint32_t millions = 0;
    read_number(r, text, &millions);
    r->o->settings.geometry_budget = millions != 0 ? millions * UINT64_C(1000000) : UINT64_MAX;
}

static void read_color(reading *r, const char *text)
{
    static const char *const words[] = {"auto", "never", "always", NULL};
    int i = read_word(r, text, words, "expected auto, always or never, found");
    if (i >= 0)
        r->o->color = i - 1;
}

static void read_ill_layout(reading *r, const char *text)
{
    static const char *const words[] = {"auto", "spec", "engine", NULL};
    int i = read_word(r, text, words, "expected auto, spec or engine, found");
    if (i >= 0)
        r->o->settings.ill_layout = (m5_ill_layout)i;
}

static void read_fail_on(reading *r, const char *text)
{
    static const char *const words[] = {"note", "warning", "error", NULL};
    int i = read_word(r, text, words, "expected error, warning or note, found");
    if (i < 0)
        return;
    r->o->fail_on = (m5_severity)(i + M5_NOTE);
    r->notes |= r->o->fail_on == M5_NOTE;
}

/* ---- Levels ---------------------------------------------------------------------------------- */

/* Reads one of three limits; `-` means never. Returns the text after it, or NULL if it is wrong. */
static const char *read_limit(const char *text, double *out)
{
    size_t length = strcspn(text, ",");
    *out = M5_NEVER;
    bool never = length == 1 && *text == '-';
    if (!never && m5_read_double((const uint8_t *)text, length, out) != M5_NUMBER_FINE)
        return NULL;
    return text + length + (text[length] == ',');
}

/* Whether a rule measures something and so has limits. Other rules always measure 0, and limits
 * would switch them off. */
static bool is_graded(const m5_rule *rule)
{
    const double limit[] = {rule->levels.note, rule->levels.warning, rule->levels.error};
    for (int i = 0; i < 3; i++)
        if (limit[i] != M5_NEVER && limit[i] != M5_ALWAYS)
            return true;
    return false;
}

/* Reads three limits in ascending order. */
static bool read_limits(const char *text, m5_levels *out)
{
    m5_levels l;
    if ((text = read_limit(text, &l.note)) == NULL ||
        (text = read_limit(text, &l.warning)) == NULL ||
        (text = read_limit(text, &l.error)) == NULL || *text != '\0' || text[-1] == ',')
        return false;
    double warning = l.warning == M5_NEVER ? l.error : l.warning;
    double note = l.note == M5_NEVER ? warning : l.note;
    if (note < 0 || note > warning || warning > l.error)
        return false;
    *out = l;
    return true;
}

/* The level `named` for a rule that measures something. It still reports nothing below its lowest
 * limit. */
static m5_levels from_least(m5_levels row, m5_levels named)
{
    double least = fmin(row.note, fmin(row.warning, row.error));
    return (m5_levels){named.note < least ? least : named.note,
                       named.warning < least ? least : named.warning,
                       named.error < least ? least : named.error};
}

static void read_level(reading *r, char *text)
{
    static const char *const words[] = {"off", "note", "warning", "error", NULL};
    static const m5_levels levels[] = {M5_IS_OFF, M5_IS_NOTE, M5_IS_WARNING, M5_IS_ERROR};
    char *equals = strchr(text, '=');
    if (equals == NULL) {
        wrong(r, "expected RULE=LEVEL, found", text, NULL);
        return;
    }
    *equals = '\0';
    const m5_rule *rule = read_rule(r, text);
    if (rule == NULL)
        return;
    r->shown[rule->number] = true; /* whoever sets a level of note wants to see the notes */
    if (strchr(equals + 1, ',') != NULL && is_graded(rule)) {
        if (!read_limits(equals + 1, &r->o->levels[rule->number]))
            wrong(r, "expected three limits NOTE,WARNING,ERROR in ascending order, found",
                  equals + 1, NULL);
        return;
    }
    int i = read_word(r, equals + 1, words,
                      strchr(equals + 1, ',') != NULL
                          ? "this rule has no limits; expected off, note, warning or error, found"
                          : "expected off, note, warning or error, found");
    if (i >= 0)
        r->o->levels[rule->number] = is_graded(rule) ? from_least(rule->levels, levels[i])
                                                     : levels[i];
}

static void enable(reading *r, const char *id)
{
    static const m5_levels note = M5_IS_NOTE;
    const m5_rule *rule = read_rule(r, id);
    if (rule == NULL)
        return;
    m5_levels *l = &r->o->levels[rule->number];
    if (l->note == M5_NEVER && l->warning == M5_NEVER && l->error == M5_NEVER)
        *l = note;
    r->shown[rule->number] = true;
}

static void hide_notes(reading *r)
{
    for (unsigned i = 0; i < M5_RULES && !r->notes; i++)
        if (!r->shown[i])
            r->o->levels[i].note = M5_NEVER;
}

/* ---- Options --------------------------------------------------------------------------------- */

static void print_and_stop(reading *r, const char *text)
{
    m5_output_string(r->out, text);
    r->o->action = M5_ACT_DONE;
}

static void list_rules(reading *r, const char *form)
{
    r->o->action = M5_ACT_DONE;
    if (form == NULL)
        m5_list_rules(r->out);
    else if (strcmp(form, "markdown") == 0)
        m5_list_rules_markdown(r->out);
    else
        wrong(r, "expected markdown, found", form, NULL);
}

static void explain(reading *r, const char *id)
{
    const m5_rule *rule = read_rule(r, id);
    if (rule == NULL)
        return;
    m5_explain(r->out, rule);
    r->o->action = M5_ACT_DONE;
}

/* Whether more than one option begins with this text. */
static bool is_ambiguous(const char *begin, size_t length)
{
    int count = 0;
    for (unsigned i = 0; option_name_at(i) != NULL; i++)
        count += strncmp(option_name_at(i), begin, length) == 0;
    return count > 1;
}

static void unknown_option(reading *r, const char *argument)
{
    char name[M5_NEAREST_MAX + 1];
    size_t length = strcspn(argument, "=");
    const char *nearest = NULL;
    if (strncmp(argument, "--", 2) == 0 && length < sizeof name) {
        memcpy(name, argument + 2, length - 2);
        name[length - 2] = '\0';
        if (is_ambiguous(name, length - 2)) {
            wrong(r, "ambiguous option", argument, NULL);
            return;
        }
        nearest = m5_nearest(name, option_name_at);
    }
    char suggestion[64] = "--";
    if (nearest != NULL)
        memcpy(suggestion + 2, nearest, strlen(nearest) + 1);
    wrong(r, "unknown option", argument, nearest != NULL ? suggestion : NULL);
}

/* getopt_long reports three errors alike: a letter, a value where the option has none, and a name
 * that is unknown or ambiguous. */
static void wrong_option(reading *r, const char *argument)
{
    char letter[] = {'-', (char)optopt, '\0'}; /* one of several letters, maybe */
    if (optopt > 0 && optopt < 256)
        unknown_option(r, letter);
    else if (optopt != 0)
        wrong(r, "this option accepts no value:", argument, NULL);
    else
        unknown_option(r, argument);
}

static void take_option(reading *r, int option, char *argument)
{
    switch (option) {
    case OPT_NOTES: r->notes = true; break;
    case OPT_ENABLE: enable(r, optarg); break;
    case OPT_LEVEL: read_level(r, optarg); break;
    case OPT_MAX_PER_RULE: read_number(r, optarg, &r->o->max_per_rule); break;
    case OPT_MAX: read_number(r, optarg, &r->o->max_per_file); break;
    case OPT_FORMAT: read_format(r, optarg); break;
    case OPT_COLOR: read_color(r, optarg); break;
    case OPT_FAIL_ON: read_fail_on(r, optarg); break;
    case OPT_ILL_LAYOUT: read_ill_layout(r, optarg); break;
    case OPT_NO_GEOMETRY: r->o->settings.no_geometry = true; break;
    case OPT_SHOW_PAIRS: r->o->show_pairs = true; break;
    case OPT_BUDGET: read_budget(r, optarg); break;
    case OPT_JOBS:
    case 'j': read_number(r, optarg, &r->o->jobs); break;
    case OPT_LIST: list_rules(r, optarg); break;
    case OPT_EXPLAIN: explain(r, optarg); break;
    case OPT_HELP: print_and_stop(r, help); break;
    case OPT_VERSION: print_and_stop(r, "md5lint " M5_VERSION "\n"); break;
    case ':': wrong(r, "missing value after", argument, NULL); break;
    default: wrong_option(r, argument);
    }
}

void m5_options_read(m5_options *o, int argc, char **argv, const m5_writer *out,
                     const m5_writer *err)
{
    reading r = {.o = o, .out = out, .err = err};
    *o = (m5_options){.reporter = m5_reporter_at(0),
                      .fail_on = M5_ERROR,
                      .max_per_rule = 10,
                      .max_per_file = 100,
                      .color = -1,
                      .settings = {.levels = o->levels}};
    for (unsigned i = 0; i < M5_RULES; i++)
        o->levels[i] = m5_rule_at(i)->levels;
    opterr = 0;
    while (o->action == M5_ACT_LINT) {
        int option = getopt_long(argc, argv, ":j:", long_options, NULL);
        if (option == -1)
            break;
        take_option(&r, option, argv[optind - 1]);
    }
    hide_notes(&r);
    o->arguments = argv + optind;
    o->num_arguments = argc - optind;
    if (o->action == M5_ACT_LINT && o->num_arguments == 0)
        wrong(&r, "no files given", NULL, NULL);
}
