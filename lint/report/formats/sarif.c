/* The report in SARIF 2.1.0, as GitHub's code scanning reads it. The worst results come first, as
 * there is a limit: errors that no baseline hides are written at once, others at the end. What is
 * in an archive is shown at the archive, as no other file is in the repository. */
#include "json_parts.h"
#include "reporters.h"
#include "sarif_rules.h"
#include "lint/report/buffer.h"
#include "lint/report/fingerprint.h"
#include "lint/report/in_repo.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RESULTS = 25000 };

typedef struct archive {
    char *path;
    uint32_t index; /* of its artifact */
} archive;

typedef struct document {
    const m5_writer *out;
    m5_root root;
    uint64_t errors;           /* that are not in a baseline; the first MOST_RESULTS are written */
    m5_ranked more, unchanged; /* other results */
    m5_buffer unread, artifacts;
    uint64_t hidden; /* findings that no list has, as of --max-diagnostics */
    uint32_t num_artifacts;
    archive *archives; /* that are artifacts */
    size_t num_archives, room;
    m5_sarif_rules rules;
    bool only_new; /* as in m5_look */
    bool spoilt;   /* there was no memory for a part */
} document;

static void *begin(const m5_writer *out, const m5_look *look)
{
    document *d = malloc(sizeof *d);
    if (d == NULL)
        return NULL;
    *d = (document){.out = out,
                    .root = look->root,
                    .more.most = MOST_RESULTS,
                    .unchanged.most = MOST_RESULTS,
                    .only_new = look->only_new};
    m5_output_string(out, "{\"version\":\"2.1.0\",\n\"$schema\":\"https://docs.oasis-open.org/"
                          "sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
                          "\"runs\":[{\"columnKind\":\"utf16CodeUnits\",\n\"results\":[\n");
    return d;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* `"uri":"models/a.md5mesh"` */
static void put_uri(const m5_writer *out, const char *path)
{
    m5_output_string(out, *path == '/' ? "\"uri\":\"file://" : "\"uri\":\"");
    m5_put_uri(out, path);
    m5_output_string(out, "\"");
}

static uint32_t add_artifact(document *d, const char *path, const char *before, uint32_t parent)
{
    m5_writer out = m5_buffer_writer(&d->artifacts);
    m5_output_string(&out, d->num_artifacts != 0 ? ",\n{\"location\":{\"uri\":\""
                                                 : "\n{\"location\":{\"uri\":\"");
    m5_output_string(&out, before);
    m5_put_uri(&out, path);
    m5_output_string(&out, "\"}");
    if (parent != UINT32_MAX)
        m5_write(&out, ",\"parentIndex\":%u", parent);
    m5_output_string(&out, "}");
    return d->num_artifacts++;
}

/* In a URI that is relative to the archive, `/` does not come first: SARIF 2.1.0 with errata
 * 01, 3.4.3. */
static const char *name_in_archive(const char *member)
{
    return member + strspn(member, "/");
}

static bool keep_archive(document *d, const char *path, uint32_t index)
{
    if (d->num_archives == d->room) {
        size_t room = d->room != 0 ? 2 * d->room : 8;
        archive *list = realloc(d->archives, room * sizeof *list);
        if (list == NULL)
            return false;
        d->archives = list;
        d->room = room;
    }
    char *copy = malloc(strlen(path) + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, path, strlen(path) + 1);
    d->archives[d->num_archives++] = (archive){copy, index};
    return true;
}

/* The number of an archive's artifact. The last archives are the first to be looked at, as files of
 * an archive mostly follow each other. */
static uint32_t find_archive(document *d, const char *path)
{
    for (size_t i = d->num_archives; i-- > 0;)
        if (strcmp(d->archives[i].path, path) == 0)
            return d->archives[i].index;
    uint32_t index = add_artifact(d, path, *path == '/' ? "file://" : "", UINT32_MAX);
    d->spoilt |= !keep_archive(d, path, index);
    return index;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Lines and columns, as an object. Code scanning requires all of them, so that a region is empty
 * whose end is too far into a line. */
static void put_lines(const m5_writer *out, const m5_source *s, m5_lines *lines, m5_span at)
{
    m5_place from = m5_lines_find(lines, at.offset);
    m5_place to = m5_lines_find(lines, at.offset + at.length);
    uint32_t column = m5_repo_column(s, at.offset, from);
    uint32_t end = m5_repo_column(s, at.offset + at.length, to);
    bool known = column != 0 && end != 0;
    column = column != 0 ? column : 1;
    m5_write(out, "{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}",
             from.line, column, known ? to.line : from.line, known ? end : column);
}

/* The first place of a file that is not text. */
#define START "\"startLine\":1,\"startColumn\":1,\"endLine\":1,\"endColumn\":1"

/* In an archive, a place in the file is none in the archive: the message has it. */
static void put_region(const m5_writer *out, const m5_result *r, const m5_source *s,
                       m5_lines *lines, m5_span at, bool member)
{
    if (member)
        m5_output_string(out, ",\"region\":{" START "}");
    else if (!r->format->text)
        m5_write(out, ",\"region\":{" START ",\"byteOffset\":%u,\"byteLength\":%u}", at.offset,
                 at.length);
    else {
        m5_output_string(out, ",\"region\":");
        put_lines(out, s, lines, at);
    }
}

static void put_location(const m5_writer *out, const char *path)
{
    m5_output_string(out, "{\"physicalLocation\":{\"artifactLocation\":{");
    put_uri(out, path);
}

static void put_escaped(const m5_writer *out, const char *text)
{
    for (const char *next; *text != '\0'; text = next) {
        if (strchr("[]\\", *text) != NULL)
            m5_output_string(out, "\\\\");
        next = text + 1 + strcspn(text + 1, "[]\\");
        m5_put_json_bytes(out, text, (size_t)(next - text));
    }
}

/* Whether readers that know links may take something of a text for one, or for an escape. */
static bool looks_linked(const char *text)
{
    const char *opens = strrchr(text, '['), *ends = strrchr(text, ']');
    bool open = opens != NULL && (ends == NULL || ends < opens);
    return open || strstr(text, "](") != NULL || strstr(text, "\\[") != NULL ||
           strstr(text, "\\]") != NULL || strstr(text, "\\\\") != NULL;
}

/* Brackets are escaped only where it matters: not all readers know the escape. */
static void put_text(const m5_writer *out, const char *text)
{
    (looks_linked(text) ? put_escaped : m5_put_json)(out, text);
}

/* Code scanning shows a related place only if the message links to it, by its number. It shows only
 * the first sentence where there is little room, so that the links are another one. */
static void put_links(const m5_writer *out, const m5_diag *diag)
{
    for (uint32_t i = 0; i < diag->num_related; i++) {
        m5_output_string(out, i == 0 ? ". Related: [" : ", [");
        put_escaped(out, diag->related[i].message);
        m5_write(out, "](%u)", i + 1);
    }
}

static void put_related(document *d, const m5_writer *out, const m5_result *r, m5_both_lines *lines,
                        const m5_diag *diag, uint32_t which)
{
    const m5_related *related = &diag->related[which];
    m5_repo_file file = m5_repo_file_related(&d->root, r, related->source);
    char *path = m5_repo_path(&d->root, file);
    d->spoilt |= path == NULL;
    put_location(out, path != NULL ? path : "");
    m5_output_string(out, "}");
    put_region(out, r, related->source, m5_lines_of(lines, related->source), related->at,
               file.member != NULL);
    m5_output_string(out, "},\"message\":{\"text\":\"");
    if (file.member != NULL) {
        m5_put_json(out, file.member);
        m5_put_position(out, r, m5_lines_of(lines, related->source), related->at.offset);
        m5_output_string(out, ": ");
    }
    m5_put_json(out, related->message);
    m5_write(out, "\"},\"id\":%u}", which + 1);
    free(path);
}

/* ---- Results --------------------------------------------------------------------------------- */

/* Where all findings of a file are. */
typedef struct place {
    const char *path;
    m5_repo_file file;
    uint32_t archive, member; /* artifacts, if it is in an archive */
} place;

static void put_place(const m5_writer *out, const m5_result *r, m5_both_lines *lines,
                      const place *p, const m5_diag *diag)
{
    char name[200];
    bool member = p->file.member != NULL;
    m5_output_string(out, ",\"locations\":[");
    put_location(out, p->path);
    if (member)
        m5_write(out, ",\"index\":%u", p->archive);
    m5_output_string(out, "}");
    put_region(out, r, &r->file->source, &lines->own, diag->at, member);
    m5_output_string(out, "}");
    if (m5_path_text(&diag->path, name, sizeof name) != 0)
        m5_write(out, ",\"logicalLocations\":[{\"fullyQualifiedName\":\"%s\"}]", name);
    m5_output_string(out, "}]");
    if (!member)
        return;
    m5_output_string(out, ",\"analysisTarget\":{\"uri\":\"");
    m5_put_uri(out, name_in_archive(p->file.member));
    m5_write(out, "\",\"index\":%u}", p->member);
}

/* Whether there are edits, with columns that are known and texts that JSON can hold; but no byte
 * order mark, which is not in the text as readers of SARIF know it. */
static bool can_show(const m5_source *s, m5_lines *lines, const m5_fix *fix)
{
    bool all = fix->count != 0 && m5_json_can_hold(fix);
    for (uint32_t i = 0; i < fix->count; i++) {
        m5_span at = fix->edits[i].at;
        uint32_t end = at.offset + at.length;
        all &= at.offset >= m5_repo_mark(s);
        all &= m5_repo_column(s, at.offset, m5_lines_find(lines, at.offset)) != 0 &&
               m5_repo_column(s, end, m5_lines_find(lines, end)) != 0;
    }
    return all;
}

/* What --fix changes. The places are those before any change. */
static void put_fix(const m5_writer *out, const m5_source *s, m5_lines *lines, const char *path,
                    const m5_fix *fix)
{
    m5_write(out,
             ",\"fixes\":[{\"description\":{\"text\":\"%s\"},\"artifactChanges\":[{"
             "\"artifactLocation\":{",
             fix->safe ? "--fix" : "--fix --unsafe-fixes");
    put_uri(out, path);
    m5_output_string(out, "},\"replacements\":[");
    for (uint32_t i = 0; i < fix->count; i++) {
        const m5_edit *e = &fix->edits[i];
        m5_output_string(out, i == 0 ? "{\"deletedRegion\":" : ",{\"deletedRegion\":");
        put_lines(out, s, lines, e->at);
        m5_output_string(out, ",\"insertedContent\":{\"text\":\"");
        m5_put_json_bytes(out, e->length != 0 ? e->text : "", e->length);
        m5_output_string(out, "\"}}");
    }
    m5_output_string(out, "]}]}]");
}

static void put_result(document *d, const m5_writer *out, const m5_result *r, m5_both_lines *lines,
                       const place *p, const m5_finding *f, m5_fingerprint fingerprint)
{
    const m5_diag *diag = &f->diag;
    m5_json o = m5_json_begin(out);
    m5_json_put_text(&o, "ruleId", diag->rule->id);
    m5_json_put_number(&o, "ruleIndex", m5_sarif_rule_index(&d->rules, diag->rule->number));
    m5_json_put_text(&o, "level", m5_severity_name(diag->severity));
    m5_output_string(out, ",\"message\":{\"text\":\"");
    m5_put_repo_message(out, put_text, r, &lines->own, f);
    put_links(out, diag);
    m5_output_string(out, "\"}");
    put_place(out, r, lines, p, diag);
    for (uint32_t i = 0; i < diag->num_related; i++) {
        m5_output_string(out, i == 0 ? ",\"relatedLocations\":[" : ",");
        put_related(d, out, r, lines, diag, i);
    }
    m5_output_string(out, diag->num_related != 0 ? "]" : "");
    m5_output_string(out, ",\"partialFingerprints\":{\"primaryLocationLineHash\":\"");
    m5_put_fingerprint(out, fingerprint);
    m5_write(out, "\"}%s",
             f->old        ? ",\"baselineState\":\"unchanged\","
                             "\"suppressions\":[{\"kind\":\"external\","
                             "\"justification\":\"in the baseline\"}]"
             : d->only_new ? ",\"baselineState\":\"new\""
                           : "");
    if (f->fix != NULL && m5_repo_has_lines(r) && can_show(&r->file->source, &lines->own, f->fix))
        put_fix(out, &r->file->source, &lines->own, p->path, f->fix);
    m5_json_end(&o);
}

static void add_result(document *d, const m5_result *r, m5_both_lines *lines, const place *p,
                       const m5_finding *f, m5_fingerprint fingerprint)
{
    if (f->diag.severity == M5_ERROR && !f->old) {
        if (d->errors++ >= MOST_RESULTS)
            return;
        m5_output_string(d->out, d->errors != 1 ? ",\n" : "");
        put_result(d, d->out, r, lines, p, f, fingerprint);
        return;
    }
    m5_buffer *buffer = m5_ranked_add(f->old ? &d->unchanged : &d->more, f->diag.severity);
    if (buffer == NULL)
        return;
    m5_writer out = m5_buffer_writer(buffer);
    put_result(d, &out, r, lines, p, f, fingerprint);
    m5_output_string(&out, "\n");
}

/* The findings that are shown and those that a baseline hides, in order of offset. The list is to
 * be freed; NULL without memory. */
static m5_shown all_of(const m5_shown *shown)
{
    m5_shown all = {.list = malloc((shown->count + shown->num_old + 1) * sizeof *all.list)};
    uint32_t old = 0, own = 0;
    while (all.list != NULL && (own < shown->count || old < shown->num_old)) {
        bool is_old = old < shown->num_old &&
                      (own == shown->count ||
                       shown->old[old]->diag.at.offset < shown->list[own]->diag.at.offset);
        all.list[all.count++] = is_old ? shown->old[old++] : shown->list[own++];
    }
    return all;
}

static void put_results(document *d, const m5_result *r, place *p)
{
    m5_both_lines lines = {.own = m5_result_lines(r)};
    const char *member = p->file.member != NULL ? p->file.member : "";
    uint64_t hash = m5_hash_add(m5_hash_add(M5_HASH_NONE, p->path), member);
    m5_shown all = all_of(&r->shown);
    m5_fingerprint *fingerprints = all.list != NULL ? m5_fingerprints(&all, hash) : NULL;
    d->spoilt |= fingerprints == NULL;
    if (fingerprints != NULL && p->file.member != NULL && all.count != 0) {
        p->archive = find_archive(d, p->path);
        p->member = add_artifact(d, name_in_archive(p->file.member), "", p->archive);
    }
    for (uint32_t i = 0; i < all.count && fingerprints != NULL; i++)
        add_result(d, r, &lines, p, all.list[i], fingerprints[i]);
    free(fingerprints);
    free(all.list);
}

static void put_unread(document *d, const char *error, const char *path, const char *member)
{
    m5_writer out = m5_buffer_writer(&d->unread);
    m5_output_string(&out, d->unread.first != NULL ? ",\n" : "\n");
    m5_output_string(&out, "{\"level\":\"error\",\"message\":{\"text\":\"not checked: ");
    if (member != NULL) {
        m5_put_json(&out, member);
        m5_output_string(&out, ": ");
    }
    m5_put_json(&out, error);
    m5_output_string(&out, "\"},\"locations\":[");
    put_location(&out, path);
    m5_output_string(&out, "}}}]}");
}

static void show_file(void *report, const m5_result *r)
{
    document *d = report;
    place p = {.file = m5_repo_file_of(r)};
    char *path = m5_repo_path(&d->root, p.file);
    p.path = path;
    d->spoilt |= path == NULL;
    if (path != NULL && r->error != NULL)
        put_unread(d, r->error, path, p.file.member);
    if (path != NULL && r->late != NULL)
        put_unread(d, r->late, path, p.file.member);
    if (path != NULL && r->error == NULL)
        put_results(d, r, &p);
    for (unsigned i = 0; i < M5_RULES; i++)
        d->hidden += r->shown.hidden[i];
    d->hidden += r->shown.old_left_out;
    free(path);
}

/* ---- The report ------------------------------------------------------------------------------ */

/* What could not be read, and how much is not shown. */
static void put_invocation(const document *d, uint64_t left_out, bool successful)
{
    m5_write(d->out, ",\n\"invocations\":[{\"executionSuccessful\":%s",
             successful ? "true" : "false");
    if (d->unread.first != NULL || left_out != 0) {
        m5_output_string(d->out, ",\"toolExecutionNotifications\":[");
        m5_buffer_put(&d->unread, d->out);
        if (left_out != 0)
            m5_write(d->out,
                     "%s{\"level\":\"warning\",\"message\":{\"text\":\"%llu more finding%s not in "
                     "this report\"}}",
                     d->unread.first != NULL ? ",\n" : "\n", (unsigned long long)left_out,
                     left_out == 1 ? " is" : "s are");
        m5_output_string(d->out, "]");
    }
    m5_output_string(d->out, "}]");
}

static uint64_t count_of(const m5_ranked *results)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < M5_ERROR; i++)
        all += results->all[i];
    return all;
}

/* Writes results after the `written` ones; returns how many are written then. */
static uint32_t put_more(const document *d, const m5_ranked *more, uint32_t written)
{
    if (written != 0 && written < MOST_RESULTS && count_of(more) != 0)
        m5_output_string(d->out, ",\n");
    return written + m5_ranked_put(more, d->out, MOST_RESULTS - written, ",\n");
}

static bool end(void *report, const m5_totals *t)
{
    document *d = report;
    uint64_t all = d->hidden + d->errors + count_of(&d->more) + count_of(&d->unchanged);
    uint32_t written = d->errors < MOST_RESULTS ? (uint32_t)d->errors : MOST_RESULTS;
    written = put_more(d, &d->more, written);
    written = put_more(d, &d->unchanged, written);
    m5_output_string(d->out, "],\n");
    m5_sarif_put_tool(&d->rules, d->out);
    put_invocation(d, all - written, t->unreadable == 0);
    if (d->num_artifacts != 0) {
        m5_output_string(d->out, ",\n\"artifacts\":[");
        m5_buffer_put(&d->artifacts, d->out);
        m5_output_string(d->out, "]");
    }
    m5_output_string(d->out, "}]}\n");
    bool whole = m5_ranked_free(&d->more);
    whole &= m5_ranked_free(&d->unchanged) && !d->spoilt && !d->unread.failed &&
             !d->artifacts.failed;
    m5_buffer_free(&d->unread);
    m5_buffer_free(&d->artifacts);
    for (size_t i = 0; i < d->num_archives; i++)
        free(d->archives[i].path);
    free(d->archives);
    free(d);
    return whole;
}

const m5_reporter m5_report_sarif = {
    "sarif", begin, show_file, end, M5_SHOWS_EDITS | M5_SHOWS_OLD | M5_SHOWS_EACH | M5_SHOWS_PATHS};
