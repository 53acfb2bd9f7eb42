/* Prints a clean model and parses it again: it must be the same model, with no new findings. */
#ifndef M5_ROUNDTRIP_H
#define M5_ROUNDTRIP_H

#include "all_rules.h"
#include "equal_models.h"
#include "play_clean.h"

#include "parsers/print.h"

/* A growing array of bytes. */
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

/* A parse and lint with every rule on, and which rules reported something. */
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
                                                         room,
                                                         false,
                                                         NULL});
    return r;
}

static inline void again_end(again_run *r)
{
    free(r->memory);
    free(r);
}

/* The error in the second model, or NULL; and the rule, if one reports something only there. */
typedef struct again_result {
    bool clean;
    const char *what;
    const m5_rule *rule;
} again_result;

/* Whether a rule may report something only after printing:
 * - rules that measure the share of odd bytes, which grows when white space and comments are gone;
 * - rules about text in quotes, which printing adds to a name: also a backslash before the new
 * quote;
 * - multiple roots, as printing writes -1 for any root;
 * - what a comment suppressed, as printing leaves comments out;
 * - the order of joints, which a comment explains that names another parent;
 * - weights of a bone that numBoneRefs leaves out, which are not reported if the missing references
 *   follow as a gap: printing removes the gap. */
static inline bool again_may_speak(const again_run *first, const m5_rule *rule)
{
    static const char *const ids[] = {"ill-binary", "md5-non-ascii", "md5-brace-in-string",
                                      "md5mesh-joint-multiple-roots", "illskel-root-multiple"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strcmp(rule->id, ids[i]) == 0)
            return true;
    if (first->file.suppressed != 0)
        return true;
    const m5_rule *behind = rule == M5_ROW(md4_weight_bone_range)        ? M5_ROW(md4_block_gap)
                            : rule == M5_ROW(md5_string_backslash_quote) ? M5_ROW(md5_name_unquoted)
                            : rule == M5_LINT_ROW(md5mesh_joint_depth_first)
                                ? M5_LINT_ROW(md5_joint_parent_comment)
                                : NULL;
    return behind != NULL && first->spoke[behind->number];
}

static inline again_result again_compare(const again_run *first, const again_run *second)
{
    again_result result = {true, NULL, NULL};
    if (second->status != M5_CLEAN)
        result.what = "the printed model is flawed";
    for (unsigned i = 0; i < M5_RULES; i++)
        if (second->spoke[i] && !first->spoke[i] && result.rule == NULL &&
            !again_may_speak(first, m5_rule_at(i))) {
            result.what = "the printed model has a new finding";
            result.rule = m5_rule_at(i);
        }
    if (result.what == NULL && !equal_models(&first->file.model, &second->file.model))
        result.what = "the printed model differs";
    return result;
}

/* Whether the printed file is read as something else, which is no mistake: an odd byte of a name
 * may come so close to the magic word that it looks like binary data; and triangles of vertex 0
 * alone look like data that was never written if nothing follows them. */
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
    if (first->status == M5_CLEAN && first->file.model.pack == NULL) {
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
            result.what = "the model printed twice differs";
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
