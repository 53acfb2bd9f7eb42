/* The report for GitLab's Code Quality: an array of issues, which a merge request shows. */
#include "reporters.h"
#include "lint/report/fingerprint.h"
#include "lint/report/in_repo.h"

#include <stdlib.h>

typedef struct document {
    const m5_writer *out;
    m5_root root;
    bool is_begun; /* an issue has been written: the next one needs a comma before it */
    bool spoilt;   /* there was no memory for a file */
} document;

static void *begin(const m5_writer *out, const m5_look *look)
{
    document *d = malloc(sizeof *d);
    if (d == NULL)
        return NULL;
    *d = (document){.out = out, .root = look->root};
    m5_output_string(out, "[");
    return d;
}

static const char *severity_of(m5_severity severity)
{
    return severity == M5_ERROR ? "critical" : severity == M5_WARNING ? "minor" : "info";
}

/* What an issue has after its description. */
static void end_issue(document *d, const char *rule, const char *severity, m5_fingerprint f,
                      const char *path, uint32_t line)
{
    m5_write(d->out, "\",\"check_name\":\"%s\",\"fingerprint\":\"", rule);
    m5_put_fingerprint(d->out, f);
    m5_write(d->out, "\",\"severity\":\"%s\",\"location\":{\"path\":\"", severity);
    m5_put_json(d->out, path);
    m5_write(d->out, "\",\"lines\":{\"begin\":%u}}}", line);
}

static void begin_issue(document *d)
{
    m5_output_string(d->out, d->is_begun ? ",\n{\"description\":\"" : "\n{\"description\":\"");
    d->is_begun = true;
}

static void put_error(document *d, const char *error, const char *path, uint64_t hash)
{
    m5_fingerprint f = {m5_hash_add(hash, "unread"), 1};
    begin_issue(d);
    m5_output_string(d->out, "not checked: ");
    m5_put_json(d->out, error);
    end_issue(d, "unread", "blocker", f, path, 1);
}

static void put_findings(document *d, const m5_result *r, const char *path,
                         const m5_fingerprint *fingerprints)
{
    m5_lines lines = m5_result_lines(r);
    for (uint32_t i = 0; i < r->shown.count; i++) {
        const m5_finding *f = r->shown.list[i];
        uint32_t line = 1;
        if (m5_repo_has_lines(r))
            line = m5_lines_find(&lines, f->diag.at.offset).line;
        begin_issue(d);
        m5_put_repo_message(d->out, m5_put_json, r, &lines, f);
        end_issue(d, f->diag.rule->id, severity_of(f->diag.severity), fingerprints[i], path, line);
    }
}

static void show_file(void *report, const m5_result *r)
{
    document *d = report;
    m5_repo_file file = m5_repo_file_of(r);
    char *path = m5_repo_path(&d->root, file);
    m5_fingerprint *fingerprints = NULL;
    if (path != NULL) {
        uint64_t hash = m5_hash_add(m5_hash_add(M5_HASH_NONE, path),
                                    file.member != NULL ? file.member : "");
        fingerprints = m5_fingerprints(&r->shown, hash);
        if (r->error != NULL)
            put_error(d, r->error, path, hash);
        else if (fingerprints != NULL)
            put_findings(d, r, path, fingerprints);
        if (r->late != NULL)
            put_error(d, r->late, path, hash);
    }
    d->spoilt |= fingerprints == NULL;
    free(fingerprints);
    free(path);
}

static bool end(void *report, const m5_totals *totals)
{
    document *d = report;
    bool whole = !d->spoilt;
    (void)totals;
    m5_output_string(d->out, "\n]\n");
    free(d);
    return whole;
}

const m5_reporter m5_report_gitlab = {"gitlab", begin, show_file, end,
                                      M5_SHOWS_EACH | M5_SHOWS_PATHS};
