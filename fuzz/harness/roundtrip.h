/* Printing a clean model and parsing it again. */
#ifndef M5_ROUNDTRIP_H
#define M5_ROUNDTRIP_H

#include "all_rules.h"
#include "equal_models.h"
#include "play_clean.h"

#include "parsers/print.h"

/* Bytes that grow. */
typedef struct again_bytes {
    uint8_t *bytes;
    size_t size, room;
} again_bytes;

static inline void again_write(void *user, const void *bytes, size_t count)
{
    again_bytes *b = user;
    if (b->size + count > b->room) {
        b->room = 2 * (b->size + count) + 256;
        b->bytes = realloc(b->bytes, b->room);
        HARNESS_ASSERT(b->bytes != NULL);
    }
    memcpy(b->bytes + b->size, bytes, count);
    b->size += count;
}

/* A parse and lint with every rule on, and which of them spoke. */
typedef struct again_run {
    m5_lint_file file;
    m5_settings settings;
    bool spoke[M5_RULES];
    m5_status status;
    void *memory;
} again_run;

static inline void again_take(void *user, const m5_diag *d)
{
    ((again_run *)user)->spoke[d->rule->number] = true;
}

static inline again_run *again_start(const m5_format *format, const void *bytes, size_t size)
{
    again_run *r = calloc(1, sizeof *r);
    size_t room = m5_lint_memory(size, 0);
    HARNESS_ASSERT(r != NULL && (r->memory = malloc(room)) != NULL);
    r->settings.levels = all_rules();
    r->status = m5_lint_bytes(&r->file, &(m5_lint_input){{"input", bytes, (uint32_t)size},
                                                         format,
                                                         &r->settings,
                                                         {again_take, r},
                                                         r->memory,
                                                         room});
    return r;
}

static inline void again_end(again_run *r)
{
    free(r->memory);
    free(r);
}

/* What is wrong with the second model, or NULL; and the rule that speaks only of it, if that is
 * it. */
typedef struct again_result {
    bool clean;
    const char *what;
    const m5_rule *rule;
} again_result;

/* Rules that go by the share of odd bytes, which is larger where blanks and comments are gone;
 * those about what stands in quotes, which a name gets here, and with them a backslash before the
 * quote that it lacked; roots, whose parent is -1 then; and weights of a bone that numBoneRefs
 * leaves out: of these nothing is said where what it leaves out lies behind the others as a gap,
 * which is gone here. */
static inline bool again_may_speak(const again_run *first, const m5_rule *rule)
{
    static const char *const ids[] = {"ill-binary", "md5-non-ascii", "md5-brace-in-string",
                                      "md5mesh-joint-multiple-roots"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strcmp(rule->id, ids[i]) == 0)
            return true;
    const m5_rule *behind = rule == M5_ROW(md4_weight_bone_range)        ? M5_ROW(md4_block_gap)
                            : rule == M5_ROW(md5_string_backslash_quote) ? M5_ROW(md5_name_unquoted)
                                                                         : NULL;
    return behind != NULL && first->spoke[behind->number];
}

static inline again_result again_compare(const again_run *first, const again_run *second)
{
    again_result result = {true, NULL, NULL};
    if (second->status != M5_CLEAN)
        result.what = "printed, it is flawed";
    for (unsigned i = 0; i < M5_RULES; i++)
        if (second->spoke[i] && !first->spoke[i] && result.rule == NULL &&
            !again_may_speak(first, m5_rule_at(i))) {
            result.what = "printed, more is said of it";
            result.rule = m5_rule_at(i);
        }
    if (result.what == NULL && !equal_models(&first->file.model, &second->file.model))
        result.what = "printed, it is another model";
    return result;
}

/* An odd byte of a name may come so near to the magic word that it looks like binary data; and
 * triangles of vertex 0 alone look like what was never written once nothing stands behind them. */
static inline bool again_misread(const again_run *first, const again_run *second)
{
    return second->spoke[M5_ROW(ill_binary)->number] ||
           (second->spoke[M5_ROW(md4_zeros)->number] &&
            first->spoke[M5_LINT_ROW(md4_tri_degenerate)->number]);
}

static inline again_result again_print(const m5_format *format, const void *bytes, size_t size)
{
    again_bytes once = {NULL, 0, 0}, twice = {NULL, 0, 0};
    again_result result = {false, NULL, NULL};
    again_run *first = again_start(format, bytes, size);
    if (first->status == M5_CLEAN) {
        harness_play(&first->file.model);
        m5_print(&first->file.model, &(m5_writer){again_write, &once});
        again_run *second = again_start(format, once.bytes, once.size);
        bool misread = again_misread(first, second);
        if (!misread)
            result = again_compare(first, second);
        if (!misread && result.what == NULL)
            m5_print(&second->file.model, &(m5_writer){again_write, &twice});
        if (!misread && result.what == NULL &&
            (once.size != twice.size || memcmp(once.bytes, twice.bytes, once.size) != 0))
            result.what = "printed twice, it differs";
        again_end(second);
    }
    again_end(first);
    free(once.bytes);
    free(twice.bytes);
    return result;
}

static inline void again_assert(const m5_format *format, const void *bytes, size_t size)
{
    again_result r = again_print(format, bytes, size);
    if (r.what == NULL)
        return;
    fprintf(stderr, "%s: %s\n", r.what, r.rule != NULL ? r.rule->id : "");
    abort();
}

#endif
