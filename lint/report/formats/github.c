/* The report as GitHub's workflow commands, which become annotations of a pull request's lines.
 * GitHub shows ten of each kind, so these are the first ten; errors come first. */
#include "reporters.h"
#include "lint/report/buffer.h"
#include "lint/report/in_repo.h"

#include <stdlib.h>

enum { MOST_OF_A_KIND = 10 };

typedef struct document {
    const m5_writer *out;
    m5_root root;
    m5_ranked commands;
    bool spoilt; /* there was no memory for a file */
} document;

static void *begin(const m5_writer *out, const m5_look *look)
{
    document *d = malloc(sizeof *d);
    if (d != NULL)
        *d = (document){.out = out, .root = look->root, .commands.most = MOST_OF_A_KIND};
    return d;
}

static void begin_command(const m5_writer *out, m5_severity severity, const char *path)
{
    m5_write(out, "::%s file=", severity == M5_NOTE ? "notice" : m5_severity_name(severity));
    m5_put_property(out, path);
}

static void put_lines(const m5_writer *out, const m5_source *s, m5_lines *lines, m5_span at)
{
    m5_place from = m5_lines_find(lines, at.offset);
    m5_place to = m5_lines_find(lines, at.offset + at.length);
    uint32_t column = m5_repo_column(s, at.offset, from);
    uint32_t end = m5_repo_column(s, at.offset + at.length, to);
    m5_write(out, ",line=%u", from.line);
    if (column != 0)
        m5_write(out, ",col=%u", column);
    m5_write(out, ",endLine=%u", to.line);
    if (from.line == to.line && column != 0 && end != 0)
        m5_write(out, ",endColumn=%u", end);
}

static void put_finding(document *d, const m5_result *r, m5_lines *lines, const char *path,
                        const m5_finding *f)
{
    m5_buffer *buffer = m5_ranked_add(&d->commands, f->diag.severity);
    if (buffer == NULL)
        return;
    m5_writer out = m5_buffer_writer(buffer);
    begin_command(&out, f->diag.severity, path);
    if (m5_repo_has_lines(r))
        put_lines(&out, &r->file->source, lines, f->diag.at);
    m5_write(&out, ",title=%s::", f->diag.rule->id);
    m5_put_repo_message(&out, m5_put_command, r, lines, f);
    if (f->diag.fix[0] != '\0') {
        m5_output_string(&out, "%0Ahint: ");
        m5_put_command(&out, f->diag.fix);
    }
    m5_output_string(&out, "\n");
}

static void put_error(document *d, const m5_result *r, const char *path, const char *error)
{
    const char *member = m5_repo_file_of(r).member;
    m5_buffer *buffer = m5_ranked_add(&d->commands, M5_ERROR);
    if (buffer == NULL)
        return;
    m5_writer out = m5_buffer_writer(buffer);
    begin_command(&out, M5_ERROR, path);
    m5_output_string(&out, ",title=not checked::");
    if (member != NULL) {
        m5_put_command(&out, member);
        m5_output_string(&out, ": ");
    }
    m5_put_command(&out, error);
    m5_output_string(&out, "\n");
}

static void show_file(void *report, const m5_result *r)
{
    document *d = report;
    char *path = m5_repo_path(&d->root, m5_repo_file_of(r));
    d->spoilt |= path == NULL;
    if (path == NULL)
        return;
    if (r->error != NULL || r->late != NULL)
        put_error(d, r, path, r->error != NULL ? r->error : r->late);
    if (r->error == NULL) {
        m5_lines lines = m5_result_lines(r);
        for (uint32_t i = 0; i < r->shown.count; i++)
            put_finding(d, r, &lines, path, r->shown.list[i]);
        for (const m5_counted *rule = r->shown.from->counts; rule != NULL; rule = rule->next)
            for (unsigned i = 0; i < M5_ERROR; i++)
                d->commands.all[i] += m5_shown_made_as(&r->shown, rule, (m5_severity)(i + 1));
        for (uint32_t i = 0; i < r->shown.count; i++)
            d->commands.all[r->shown.list[i]->diag.severity - 1]--;
    }
    free(path);
}

/* How many findings of each severity have no annotation, if any. */
static void put_rest(const document *d)
{
    const char *before = "md5lint: no annotations for ";
    for (unsigned i = M5_ERROR; i-- > 0;) {
        uint64_t rest = d->commands.all[i] - d->commands.kept[i];
        if (rest == 0)
            continue;
        m5_write(d->out, "%s%llu more %s%s", before, (unsigned long long)rest,
                 m5_severity_name((m5_severity)(i + 1)), rest == 1 ? "" : "s");
        before = ", ";
    }
    m5_output_string(d->out, *before == ',' ? "\n" : "");
}

static bool end(void *report, const m5_totals *totals)
{
    document *d = report;
    (void)totals;
    if (m5_ranked_put(&d->commands, d->out, 3 * MOST_OF_A_KIND, "\n") != 0)
        m5_output_string(d->out, "\n");
    put_rest(d);
    bool whole = m5_ranked_free(&d->commands) && !d->spoilt;
    free(d);
    return whole;
}

const m5_reporter m5_report_github = {"github", begin, show_file, end, M5_SHOWS_PATHS};
