/* Keys that an entityDef has twice. */
#include "checks.h"
#include "def_names.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/def/def_lex.h"

typedef struct pair {
    m5_name key, value;
} pair;

typedef struct list {
    const m5_source *source;
    pair *pairs;
} list;

/* Reads the keys of the entity of this name, and their values, into `out` if that is not NULL; the
 * file is clean. Returns how many there are. */
static uint32_t read_pairs(const m5_source *s, m5_name name, pair *out)
{
    uint32_t count = 0, after = name.offset + name.length;
    uint8_t quote = after < s->size ? s->bytes[after] : 0;
    m5_def_token t = m5_def_scan(s, after + (quote == '"' || quote == '\''));
    for (t = m5_def_scan(s, m5_def_end(t)); t.kind == M5_DEF_STRING; count++) {
        m5_def_token value = m5_def_scan(s, m5_def_end(t));
        if (out != NULL)
            out[count] = (pair){t.text, value.text};
        t = m5_def_scan(s, m5_def_end(value));
        while (t.kind != M5_DEF_STRING && t.kind != M5_DEF_END && t.glued &&
               !m5_def_is(s, t.span, "}"))
            t = m5_def_scan(s, m5_def_end(t));
    }
    return count;
}

static int compare(const m5_source *s, m5_name a, m5_name b)
{
    return m5_check_same_but_case(s, a, s, b) ? 0 : m5_check_compare_names(s, a, s, b);
}

static bool is_less(const void *context, uint32_t a, uint32_t b)
{
    const list *l = context;
    int order = compare(l->source, l->pairs[a].key, l->pairs[b].key);
    return order != 0 ? order < 0 : a < b;
}

static void check_pairs(m5_lint_file *f, uint32_t entity, list l, uint32_t *index, uint32_t count)
{
    m5_check_sort(index, count, is_less, &l);
    for (uint32_t i = 1; i < count; i++) {
        const pair *a = &l.pairs[index[i - 1]], *b = &l.pairs[index[i]];
        if (compare(l.source, a->key, b->key) != 0)
            continue;
        bool same = m5_check_compare_names(l.source, a->value, l.source, b->value) == 0;
        m5_diag d = m5_found(M5_LINT_ROW(def_key_duplicate), b->key);
        d.path = m5_def_entity_path(f, entity);
        m5_relate(&d, &f->source, a->key, "the key before");
        m5_emit(&f->report, &d, same ? M5_MILD : M5_GRAVE,
                "the entity has the key '%.*s' twice, with %s", M5_CHECK_NAME(f, b->key),
                same ? "the same value" : "different values");
    }
}

void m5_check_def_keys(m5_lint_file *f)
{
    const m5_def *def = f->model.def;
    if (f->report.flaws != 0)
        return; /* keys may be shifted against their values */
    for (uint32_t i = 0; i < def->num_entities; i++) {
        size_t mark = f->arena.used;
        uint32_t count = read_pairs(&f->source, def->entities[i].name, NULL);
        pair *pairs = m5_check_scratch(f, count, sizeof *pairs);
        uint32_t *index = m5_check_scratch(f, count, sizeof *index);
        if (pairs != NULL && index != NULL) {
            read_pairs(&f->source, def->entities[i].name, pairs);
            for (uint32_t k = 0; k < count; k++)
                index[k] = k;
            check_pairs(f, i, (list){&f->source, pairs}, index, count);
        }
        m5_arena_release(&f->arena, mark);
    }
}
