/* Fuzz target for the whole program: command lines with the files that they are about. An input has
 * parts, separated by lines of %%. The first may be a command: a line `md5lint`, then an argument
 * on each line; one that begins with a colon is the name of a part, and
 * comes after all others; with a plus, the part has that name and is no argument. The
 * other parts are files, written to a folder in memory. Arguments that write files, start git or
 * lead out of that folder are left out. fuzz/pack-groups makes such inputs from the corpus. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz/harness/harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program, with its output in memory, and not to a terminal. */
static FILE *program_out, *program_err;
int program_main(int argc, char **argv);
#undef stdout
#undef stderr
#define stdout program_out
#define stderr program_err
#define isatty(fd) ((void)(fd), 0)
#define main program_main
#include "lint/app/main.c"
#undef stdout
#undef stderr
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PARTS = 8, ARGUMENTS = 16, LONGEST = 120 };

typedef struct command {
    char arguments[ARGUMENTS][LONGEST + 2], names[PARTS][LONGEST + 2];
    bool is_argument[PARTS]; /* of the names */
    int num_arguments, num_names, num_parts;
    bool lists; /* some files are lists of others */
} command;

/* ---- Files ----------------------------------------------------------------------------------- */

static char folder[64];
static int home = -1; /* the folder in which the fuzzer was started */

static void leave_folder(void)
{
    HARNESS_ASSERT(fchdir(home) == 0);
}

static void remove_folder(void)
{
    if (chdir(folder) == 0 && rmdir(".git") == 0 && chdir("/") == 0)
        rmdir(folder);
}

/* Settings are looked for up to a folder with .git. */
static void make_folder(void)
{
    bool memory = access("/dev/shm", W_OK) == 0;
    snprintf(folder, sizeof folder, "%s/md5lint-XXXXXX", memory ? "/dev/shm" : "/tmp");
    home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    HARNESS_ASSERT(home >= 0 && mkdtemp(folder) != NULL && chdir(folder) == 0);
    HARNESS_ASSERT(mkdir(".git", 0700) == 0 && atexit(remove_folder) == 0);
}

static void enter_folder(void)
{
    if (home < 0)
        make_folder();
    HARNESS_ASSERT(chdir(folder) == 0);
}

/* Makes the folders that a name is in, or removes them if they are empty. */
static void each_folder(const char *name, bool make)
{
    char path[LONGEST + 2];
    for (size_t i = 0, length = strlen(name); i < length; i++) {
        size_t at = make ? i : length - 1 - i;
        if (name[at] != '/')
            continue;
        memcpy(path, name, at);
        path[at] = '\0';
        if (make)
            mkdir(path, 0700);
        else
            rmdir(path);
    }
}

/* No entry of a list leads out of the folder. */
static void write_bytes(FILE *file, const uint8_t *data, size_t size, bool is_list)
{
    uint8_t before = '\n';
    for (size_t i = 0; i < size; i++) {
        bool begins = before == '\n' || before == '\r' || before == '\0';
        bool leads_out = is_list &&
                         ((data[i] == '/' && begins) || (data[i] == '.' && before == '.'));
        before = data[i];
        fputc(leads_out ? '_' : data[i], file);
    }
}

/* A name that cannot be that of a file is one of a missing file. */
static void write_part(const command *c, const char *name, const uint8_t *data, size_t size)
{
    each_folder(name, true);
    FILE *file = fopen(strcmp(name, "-") == 0 ? ".stdin" : name, "wb");
    if (file == NULL)
        return;
    write_bytes(file, data, size, c->lists);
    fclose(file);
}

static void remove_parts(const command *c)
{
    for (int i = 0; i < c->num_names; i++) {
        unlink(c->names[i]);
        each_folder(c->names[i], false);
    }
    unlink(".stdin");
}

/* The program has made no file. */
static void check_folder(void)
{
    const struct dirent *entry;
    DIR *entries = opendir(".");
    HARNESS_ASSERT(entries != NULL);
    while ((entry = readdir(entries)) != NULL)
        HARNESS_ASSERT(strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                       strcmp(entry->d_name, ".git") == 0);
    closedir(entries);
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Keeps a path in the folder. */
static void confine(char *text)
{
    char before = '\0';
    for (; *text != '\0'; before = *text++)
        if ((*text == '/' && (before == '\0' || before == '=')) || (*text == '.' && before == '.'))
            *text = '_';
}

/* Whether an argument, without its value, is an option or may be short for it. */
static bool may_be(const char *text, const char *option)
{
    size_t length = strcspn(text, "=");
    return length > 2 && strncmp(text, option, length) == 0;
}

/* --changed-from-git starts git; the others write files. */
static bool is_left_out(const char *text)
{
    static const char *const options[] = {
        "--changed-from-git", "--fix-only",       "--init",
        "--output",           "--prune-baseline", "--write-baseline"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (may_be(text, options[i]))
            return true;
    return false;
}

static void add_line(command *c, const uint8_t *line, size_t length)
{
    bool is_name = length != 0 && (*line == ':' || *line == '+');
    char text[LONGEST + 2] = "";
    length = length - is_name < LONGEST ? length - is_name : LONGEST;
    memcpy(text, line + is_name, length);
    confine(text);
    if (text[0] == '\0' || is_left_out(text))
        return;
    if (is_name && c->num_names < PARTS) {
        c->is_argument[c->num_names] = *line == ':';
        memcpy(c->names[c->num_names++], text, sizeof text);
    } else if (!is_name && c->num_arguments < ARGUMENTS)
        memcpy(c->arguments[c->num_arguments++], text, sizeof text);
    c->lists |= begins(text, "--fi") || begins(text, "--o");
}

/* Returns where the first part begins; 0 if there is no command. */
static size_t read_command(command *c, const uint8_t *data, size_t size)
{
    static const char first[] = "md5lint\n";
    size_t at = sizeof first - 1, length = 0;
    if (size < at || memcmp(data, first, at) != 0)
        return 0;
    for (; at < size; at += length + 1) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        if (end == NULL)
            return size;
        length = (size_t)(end - data) - at;
        if (length == 2 && memcmp(data + at, "%%", 2) == 0)
            return at + 3;
        add_line(c, data + at, length);
    }
    return at;
}

/* A part without a name has that of its format. */
static const char *name_of(command *c, const uint8_t *data, size_t size)
{
    const m5_format *format = m5_format_by_content(data, size);
    if (c->num_parts == c->num_names) {
        c->is_argument[c->num_names] = true;
        snprintf(c->names[c->num_names++], sizeof *c->names, "hero-%d.%s", c->num_parts,
                 format != NULL ? format->name : "def");
    }
    return c->names[c->num_parts++];
}

/* The length of the part at the start, which a line of %% ends. */
static size_t part_length(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 3 <= size; i++)
        if (memcmp(data + i, "%%\n", 3) == 0 && (i == 0 || data[i - 1] == '\n'))
            return i;
    return size;
}

static void write_parts(command *c, const uint8_t *data, size_t size)
{
    while (size != 0 && c->num_parts < PARTS) {
        size_t length = part_length(data, size), whole = length + 3 < size ? length + 3 : size;
        write_part(c, name_of(c, data, length), data, length);
        data += whole;
        size -= whole;
    }
}

/* ---- The program ----------------------------------------------------------------------------- */

typedef struct output {
    char *out, *err;
    size_t out_size, err_size;
    int status;
} output;

/* Names come last, the other way round in a second run; several threads must change nothing. */
static output run_program(command *c, bool again)
{
    char *argv[ARGUMENTS + PARTS + 4] = {(char *)(uintptr_t) "md5lint",
                                         (char *)(uintptr_t)(again ? "-j3" : "-j1")};
    int argc = 2;
    sigset_t signals;
    output o = {.status = -1};
    for (int i = 0; i < c->num_arguments; i++)
        argv[argc++] = c->arguments[i];
    argv[argc++] = (char *)(uintptr_t) "--";
    for (int i = 0; i < c->num_names; i++) {
        int name = again ? c->num_names - 1 - i : i;
        if (c->is_argument[name])
            argv[argc++] = c->names[name];
    }
    program_out = open_memstream(&o.out, &o.out_size);
    program_err = open_memstream(&o.err, &o.err_size);
    HARNESS_ASSERT(program_out != NULL && program_err != NULL);
    HARNESS_ASSERT(freopen(access(".stdin", R_OK) == 0 ? ".stdin" : "/dev/null", "rb", stdin) !=
                   NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &signals);
    optind = 0; /* for getopt_long, to begin anew */
    o.status = program_main(argc, argv);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    fclose(program_err);
    return o;
}

static void free_output(output *o)
{
    free(o->out);
    free(o->err);
}

/* ---- What must hold -------------------------------------------------------------------------- */

/* A name may be an option, too: see may_reorder. */
static bool has_option(const command *c, const char *option)
{
    bool any = false;
    for (int i = 0; i < c->num_arguments; i++)
        any |= may_be(c->arguments[i], option);
    for (int i = 0; i < c->num_names; i++)
        any |= may_be(c->names[i], option);
    return any;
}

/* A reader of the output must not take a name for an option or a command; `-:` is standard input.
 */
static void check_line(const char *line)
{
    HARNESS_ASSERT(!begins(line + strspn(line, " "), "::"));
    HARNESS_ASSERT(line[0] != '-' || line[1] == ':');
}

/* Nothing that a terminal would take for a command. */
static void check_text(const char *text, size_t size, bool colored)
{
    const uint8_t *bytes = (const uint8_t *)text;
    for (size_t i = 0, length; i < size; i += length) {
        uint32_t code = 0;
        length = m5_utf8_letter(bytes + i, size - i, &code);
        HARNESS_ASSERT(length != 0 && (code < 0x7f || code >= 0xa0));
        HARNESS_ASSERT(code == '\n' || code >= 0x20 || (code == 0x1b && colored));
    }
}

/* Whether the only option is that of a report that is one JSON text. */
static bool is_json(const command *c)
{
    static const char *const options[] = {"--format=json", "--format=sarif", "--format=gitlab"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (c->num_arguments == 1 && strcmp(c->arguments[0], options[i]) == 0)
            return true;
    return false;
}

static void check_json(const output *o)
{
    json_t *json = json_loadb(o->out, o->out_size, JSON_REJECT_DUPLICATES, NULL);
    HARNESS_ASSERT(json != NULL);
    json_decref(json);
}

/* Examples in what explains rules may begin with numbers below zero, and a diff has the files' own
 * bytes. */
static void check_output(const command *c, const output *o)
{
    bool explains = has_option(c, "--explain") || has_option(c, "--list-rules") ||
                    has_option(c, "--list-targets");
    bool copies = has_option(c, "--diff");
    bool colored = has_option(c, "--color") || has_option(c, "--hyperlinks");
    bool any_file = false;
    HARNESS_ASSERT(o->status >= 0 && o->status <= 2);
    HARNESS_ASSERT(o->status != 2 || o->err_size != 0);
    check_text(o->err, o->err_size, false);
    if (!copies)
        check_text(o->out, o->out_size, colored);
    for (const char *line = o->out; !explains && !copies && line != NULL;
         line = strchr(line, '\n')) {
        line += *line == '\n';
        check_line(line);
    }
    for (int i = 0; i < c->num_names; i++)
        any_file |= c->is_argument[i];
    if (any_file && is_json(c) && (o->status != 2 || o->out_size != 0))
        check_json(o);
}

static bool is_same(const output *a, const output *b)
{
    return a->status == b->status && a->out_size == b->out_size && a->err_size == b->err_size &&
           memcmp(a->out, b->out, a->out_size) == 0 && memcmp(a->err, b->err, a->err_size) == 0;
}

/* Whether names in another order give the same output. A last option without its value takes the
 * `--` before the names, and these may be options then. --time is not the same twice. */
static bool may_reorder(const command *c)
{
    if (has_option(c, "--time"))
        return false;
    bool safe = c->num_arguments == 0 || c->arguments[c->num_arguments - 1][0] != '-' ||
                strchr(c->arguments[c->num_arguments - 1], '=') != NULL;
    for (int i = 0; i < c->num_names && !safe; i++)
        if (c->names[i][0] == '-')
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    command c = {.num_arguments = 0};
    size_t first_part = read_command(&c, data, size);
    enter_folder();
    write_parts(&c, data + first_part, size - first_part);
    output first = run_program(&c, false);
    check_output(&c, &first);
    if (harness_is_chosen(data, size) && may_reorder(&c)) {
        output again = run_program(&c, true);
        HARNESS_ASSERT(is_same(&first, &again));
        free_output(&again);
    }
    free_output(&first);
    remove_parts(&c);
    check_folder();
    leave_folder();
    return 0;
}
