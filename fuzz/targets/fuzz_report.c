/* Fuzz target for the reporters. For any bytes, all JSON is valid, XML is well-formed, the others
 * are UTF-8 without control characters, and findings are in order and no more than the limits. The
 * last byte sets the limits. */
#include "fuzz/harness/harness.h"

#include "lint/report/formats/reporters.h"

#include <jansson.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static again_bytes show(const m5_reporter *reporter, const m5_result *result)
{
    again_bytes text = {NULL, 0, 0};
    m5_writer out = {again_write, &text};
    const m5_report *r = &result->file->report;
    m5_totals totals = {
        .files = 1, .errors = r->errors, .warnings = r->warnings, .notes = r->notes};
    m5_look look = {.width = 80, .table = true};
    void *report = reporter->begin(&out, &look);
    HARNESS_ASSERT(report != NULL);
    reporter->file(report, result);
    reporter->end(report, &totals);
    return text;
}

static json_t *parse(const uint8_t *bytes, size_t size)
{
    json_error_t error;
    json_t *json = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &error);
    HARNESS_ASSERT(json != NULL);
    return json;
}

static void check_json(const m5_result *result)
{
    again_bytes text = show(&m5_report_json, result);
    json_t *json = parse(text.bytes, text.size);
    json_t *files = json_object_get(json, "files");
    json_t *list = json_object_get(json_array_get(files, 0), "diagnostics");
    HARNESS_ASSERT(json_array_size(list) == result->shown.count);
    json_decref(json);
    free(text.bytes);
}

static void check_jsonl(const m5_result *result)
{
    again_bytes text = show(&m5_report_jsonl, result);
    uint32_t count = 0;
    for (size_t at = 0, length; at < text.size; at += length + 1, count++) {
        const uint8_t *line = text.bytes + at, *end = memchr(line, '\n', text.size - at);
        HARNESS_ASSERT(end != NULL);
        length = (size_t)(end - line);
        json_decref(parse(line, length));
    }
    HARNESS_ASSERT(count == result->shown.count);
    free(text.bytes);
}

static void check_gitlab(const m5_result *result)
{
    again_bytes text = show(&m5_report_gitlab, result);
    json_t *json = parse(text.bytes, text.size);
    HARNESS_ASSERT(json_array_size(json) == result->shown.count);
    json_decref(json);
    free(text.bytes);
}

static void check_sarif(const m5_result *result)
{
    again_bytes text = show(&m5_report_sarif, result);
    json_t *json = parse(text.bytes, text.size), *run;
    run = json_array_get(json_object_get(json, "runs"), 0);
    HARNESS_ASSERT(json_array_size(json_object_get(run, "results")) == result->shown.count);
    json_decref(json);
    free(text.bytes);
}

/* Tags are balanced, since each `<` opens one, and values have no `<`. */
static void check_xml(const m5_reporter *reporter, const m5_result *result)
{
    again_bytes text = show(reporter, result);
    size_t depth = 0, quotes = 0;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.bytes[i], next = i + 1 < text.size ? text.bytes[i + 1] : 0;
        quotes += c == '"';
        HARNESS_ASSERT(c != '<' || quotes % 2 == 0);
        if (c == '<' && next == '/')
            HARNESS_ASSERT(depth-- > 0);
        else if (c == '<' && next != '?')
            depth++;
        else if (c == '/' && next == '>' && quotes % 2 == 0)
            HARNESS_ASSERT(depth-- > 0);
    }
    HARNESS_ASSERT(depth == 0);
    free(text.bytes);
}

static void check_text(const m5_reporter *reporter, const m5_result *result)
{
    again_bytes text = show(reporter, result);
    for (size_t i = 0, length; i < text.size; i += length) {
        uint32_t code = 0;
        length = m5_utf8_letter(text.bytes + i, text.size - i, &code);
        bool tab = code == '\t' && reporter == &m5_report_github;
        HARNESS_ASSERT(length != 0 && (code == '\n' || tab || (code >= 0x20 && code != 0x7f)));
    }
    free(text.bytes);
}

static void check_order(const m5_shown *shown, uint32_t per_rule, uint32_t most)
{
    static uint32_t count[M5_RULES];
    memset(count, 0, sizeof count);
    HARNESS_ASSERT(most == 0 || shown->count <= most);
    for (uint32_t i = 0; i < shown->count; i++) {
        const m5_diag *d = &shown->list[i]->diag;
        HARNESS_ASSERT(i == 0 || shown->list[i - 1]->diag.at.offset <= d->at.offset);
        HARNESS_ASSERT(per_rule == 0 || ++count[d->rule->number] <= per_rule);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const m5_format *format = size > 0 ? m5_format_by_content(data, size - 1) : NULL;
    if (format == NULL)
        return 0;
    uint8_t caps = data[size - 1];
    uint32_t per_rule = caps & 7, most = caps >> 3;
    m5_settings settings = {.levels = all_rules()};
    m5_lint_file f;
    m5_collector found;
    size_t bytes = m5_lint_memory(size, size / 4 + 2000);
    void *memory = malloc(bytes);
    HARNESS_ASSERT(memory != NULL);
    m5_collector_init(&found, &f.arena, per_rule);
    m5_lint_input in = {{"in\x1bput", data, (uint32_t)size - 1},
                        format,
                        &settings,
                        {m5_collect, &found},
                        memory,
                        bytes,
                        false,
                        NULL};
    HARNESS_ASSERT(m5_lint_bytes(&f, &in) <= M5_FLAWED);
    m5_result result = {.path = "in\x1bput", .format = format, .file = &f};
    m5_collector_pick(&found, most, &result.shown);
    check_order(&result.shown, per_rule, most);
    check_json(&result);
    check_text(&m5_report_text, &result);
    check_text(&m5_report_gcc, &result);
    check_text(&m5_report_github, &result);
    check_text(&m5_report_summary, &result);
    check_text(&m5_report_checkstyle, &result);
    check_text(&m5_report_junit, &result);
    check_xml(&m5_report_checkstyle, &result);
    check_xml(&m5_report_junit, &result);
    check_jsonl(&result);
    check_gitlab(&result);
    check_sarif(&result);
    free(memory);
    return 0;
}
