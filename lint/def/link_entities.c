/* What entities inherit, and the models, animations and joints that they name. */
#include "def_names.h"
#include "link_state.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/def/def_lex.h"

static const m5_def_key *key_at(const m5_def_link_state *s, m5_def_place key)
{
    return &m5_def_file(s, key)->model.def->keys[key.number];
}

static m5_def_name value_of(const m5_def_link_state *s, m5_def_place key)
{
    return (m5_def_name){&m5_def_file(s, key)->source, key_at(s, key)->value};
}

/* ---- Inheritance -------------------------------------------------------------------------------
 */

/* What a key sets; M5_DEF_USES if it is none of these. */
static unsigned use_of(const m5_source *s, const m5_def_key *key)
{
    static const char *const names[M5_DEF_USES] = {"model", "model_gib", "ik_numLegs",
                                                   "ik_numArms"};
    unsigned i = 0;
    while (i < M5_DEF_USES && !m5_def_is_like(s, key->key, names[i]))
        i++;
    return i;
}

/* An entity on the way, and its next key to look at. */
typedef struct step {
    uint32_t entity, key;
} step;

typedef struct walk {
    m5_def_link_state *s;
    uint8_t *state; /* of each entity: 0 not reached, 1 on the way, 2 done */
    step *stack;
    uint32_t depth;
} walk;

/* Without the files of the base game, only a name that is similar to a known one is misspelt. */
static void say_unknown(m5_def_link_state *s, m5_def_place at, const m5_def_key *key)
{
    m5_lint_file *f = m5_def_file(s, at);
    m5_def_name meant = m5_def_similar_entity(s, (m5_def_name){&f->source, key->value});
    m5_diag d = m5_found(M5_LINT_ROW(def_inherit_unknown), key->value);
    d.path = m5_def_entity_path(f, at.number);
    if (meant.source != NULL)
        m5_relate(&d, meant.source, meant.name, "an entityDef of a similar name");
    if (s->game->complete || meant.source != NULL)
        m5_emit(&f->report, &d, M5_MILD, "no entityDef '%.*s' is declared",
                M5_CHECK_NAME(f, key->value));
}

static void say_cycle(m5_def_link_state *s, m5_def_place at, const m5_def_key *key)
{
    m5_lint_file *f = m5_def_file(s, at);
    m5_diag d = m5_found(M5_LINT_ROW(def_inherit_cycle), key->value);
    d.path = m5_def_entity_path(f, at.number);
    m5_emit(&f->report, &d, 0, "the entityDef inherits itself through '%.*s'",
            M5_CHECK_NAME(f, key->value));
}

/* Takes over what `from` has; M5_DEF_OPEN: anything. */
static void take_over(m5_def_link_state *s, uint32_t entity, uint32_t from)
{
    m5_def_linked_entity *e = &s->entities[entity];
    for (unsigned i = 0; i < M5_DEF_USES; i++) {
        if (e->uses[i].number != M5_DEF_NOTHING)
            continue;
        if (from == M5_DEF_OPEN)
            e->uses[i].number = M5_DEF_OPEN;
        else
            e->uses[i] = s->entities[from].uses[i];
    }
}

/* Looks at a key. Returns the entity that has to be done before, or M5_DEF_NOTHING. */
static uint32_t read_key(walk *w, uint32_t entity, uint32_t number)
{
    m5_def_place at = w->s->entities[entity].at;
    const m5_lint_file *f = m5_def_file(w->s, at);
    const m5_def_key *key = &f->model.def->keys[number];
    if (key->kind != M5_DEF_KEY_INHERIT)
        return M5_DEF_NOTHING;
    uint32_t parent = m5_def_find_entity(w->s, (m5_def_name){&f->source, key->value});
    if (parent == M5_DEF_NOTHING) {
        say_unknown(w->s, at, key);
        take_over(w->s, entity, M5_DEF_OPEN);
    } else if (w->state[parent] == 1) {
        say_cycle(w->s, at, key);
        take_over(w->s, entity, M5_DEF_OPEN);
    } else if (w->state[parent] == 2) {
        take_over(w->s, entity, parent);
    } else {
        return parent;
    }
    return M5_DEF_NOTHING;
}

/* Its own keys come first, the last of each. */
static void begin(walk *w, uint32_t entity)
{
    m5_def_linked_entity *e = &w->s->entities[entity];
    const m5_lint_file *f = m5_def_file(w->s, e->at);
    const m5_def_entity *own = &f->model.def->entities[e->at.number];
    for (unsigned i = 0; i < M5_DEF_USES; i++)
        e->uses[i] = (m5_def_place){e->at.file, M5_DEF_NOTHING};
    for (uint32_t k = own->first_key; k < own[1].first_key; k++) {
        unsigned use = use_of(&f->source, &f->model.def->keys[k]);
        if (use != M5_DEF_USES)
            e->uses[use].number = k;
    }
    w->state[entity] = 1;
    w->stack[w->depth++] = (step){entity, own->first_key};
}

static void finish(walk *w, uint32_t entity)
{
    begin(w, entity);
    while (w->depth != 0) {
        step *top = &w->stack[w->depth - 1];
        m5_def_place at = w->s->entities[top->entity].at;
        const m5_def *def = m5_def_file(w->s, at)->model.def;
        if (top->key == def->entities[at.number + 1].first_key) {
            w->state[top->entity] = 2;
            w->depth--;
            continue;
        }
        uint32_t parent = read_key(w, top->entity, top->key);
        if (parent != M5_DEF_NOTHING)
            begin(w, parent);
        else
            top->key++;
    }
}

void m5_def_link_entities(m5_def_link_state *s)
{
    size_t mark = s->arena.used;
    walk w = {s, m5_arena_take(&s->arena, s->num_entities, sizeof *w.state),
              m5_arena_take(&s->arena, s->num_entities, sizeof *w.stack), 0};
    for (uint32_t i = 0; i < s->num_entities; i++)
        w.state[i] = 0;
    for (uint32_t i = 0; i < s->num_entities; i++)
        if (w.state[i] == 0)
            finish(&w, i);
    m5_arena_release(&s->arena, mark);
}

/* ---- Models, animations and joints -------------------------------------------------------------
 */

/* The model that an entity uses, its own or an inherited one: M5_DEF_NOTHING if it is none of a
 * declaration, M5_DEF_OPEN if it may be any. */
static uint32_t used_model(const m5_def_link_state *s, uint32_t entity, unsigned use)
{
    m5_def_place key = s->entities[entity].uses[use];
    return m5_def_is_known(key.number) ? m5_def_find_model(s, value_of(s, key)) : key.number;
}

static m5_diag found(const m5_lint_file *f, const m5_rule *rule, m5_span at, uint32_t entity)
{
    m5_diag d = m5_found(rule, at);
    d.path = m5_def_entity_path(f, entity);
    return d;
}

/* A key may also name a file. */
static void mark_file(m5_def_link_state *s, m5_def_name name)
{
    uint32_t asset = m5_def_find_asset(s, name);
    if (m5_def_is_known(asset))
        s->game->assets[asset].used = true;
}

/* A model without an extension must be a declaration: with one it may be a file, whatever format.
 */
static void check_model(m5_def_link_state *s, m5_def_place at, const m5_def_key *key)
{
    m5_lint_file *f = m5_def_file(s, at);
    m5_def_name name = {&f->source, key->value};
    uint32_t model = m5_def_find_model(s, name);
    if (model != M5_DEF_NOTHING)
        s->models[model].used = true;
    else
        mark_file(s, name);
    if (model != M5_DEF_NOTHING || key->value.length == 0 ||
        m5_def_extension(&f->source, key->value).length != 0)
        return;
    m5_def_name meant = m5_def_similar_model(s, name);
    m5_diag d = found(f, M5_LINT_ROW(def_model_unknown), key->value, at.number);
    if (meant.source != NULL)
        m5_relate(&d, meant.source, meant.name, "a model of a similar name");
    if (s->game->complete || meant.source != NULL)
        m5_emit(&f->report, &d, 0, "no model '%.*s' is declared", M5_CHECK_NAME(f, key->value));
}

/* A key that may name a model, or something else. */
static void mark_named(m5_def_link_state *s, m5_def_place at, const m5_def_key *key)
{
    m5_def_name name = {&m5_def_file(s, at)->source, key->value};
    uint32_t model = m5_def_find_model(s, name);
    if (model != M5_DEF_NOTHING)
        s->models[model].used = true;
    else
        mark_file(s, name);
}

static void check_anim(m5_def_link_state *s, uint32_t entity, const m5_def_key *key)
{
    m5_def_place at = s->entities[entity].at;
    m5_lint_file *f = m5_def_file(s, at);
    uint32_t model = used_model(s, entity, M5_DEF_USES_MODEL);
    m5_def_name name = {&f->source, key->value};
    if (!m5_def_is_known(model) || key->value.length == 0 || m5_def_has_anim(s, model, name, false))
        return;
    m5_diag d = found(f, M5_LINT_ROW(def_entity_anim), key->value, at.number);
    m5_emit(&f->report, &d, 0, "the entity's model '%.*s' has no animation '%.*s'",
            M5_CHECK_NAME(m5_def_file(s, s->entities[entity].uses[M5_DEF_USES_MODEL]),
                          key_at(s, s->entities[entity].uses[M5_DEF_USES_MODEL])->value),
            M5_CHECK_NAME(f, key->value));
}

/* How many legs or arms inverse kinematics has: only then their joints are used. */
static int32_t count_limbs(const m5_def_link_state *s, uint32_t entity, unsigned use)
{
    m5_def_place key = s->entities[entity].uses[use];
    int32_t count = 0;
    if (m5_def_is_known(key.number)) {
        m5_def_name value = value_of(s, key);
        m5_span number = m5_def_scan(value.source, value.name.offset).text;
        if (number.length != 0 &&
            number.offset + number.length <= value.name.offset + value.name.length)
            m5_def_int(value.source, number, &count);
    }
    return count;
}

/* The number after the name of a limb; 1 if there is none. */
static int32_t number_of(const m5_source *s, m5_name key)
{
    uint32_t digits = 0;
    while (s->bytes[key.offset + key.length - 1 - digits] >= '0' &&
           s->bytes[key.offset + key.length - 1 - digits] <= '9')
        digits++;
    int32_t number = 1;
    if (digits != 0)
        m5_def_int(s, (m5_span){key.offset + key.length - digits, digits}, &number);
    return number;
}

static bool begins_with(const m5_source *s, m5_name key, const char *prefix, uint32_t length)
{
    return key.length >= length && m5_def_is_like(s, (m5_span){key.offset, length}, prefix);
}

/* How grave an unknown joint is: 0 if the game never looks for it. */
static double measure_joint(const m5_def_link_state *s, uint32_t entity, const m5_def_key *key)
{
    const m5_source *source = &m5_def_file(s, s->entities[entity].at)->source;
    if (!begins_with(source, key->key, "ik_", 3))
        return M5_MILD;
    bool arm = begins_with(source, key->key, "ik_hand", 7) ||
               begins_with(source, key->key, "ik_elbow", 8) ||
               begins_with(source, key->key, "ik_shoulder", 11);
    int32_t limbs = count_limbs(s, entity, arm ? M5_DEF_USES_ARMS : M5_DEF_USES_LEGS);
    return number_of(source, key->key) <= limbs ? M5_GRAVE : 0;
}

static void check_joint(m5_def_link_state *s, uint32_t entity, const m5_def_key *key)
{
    m5_def_place at = s->entities[entity].at;
    m5_lint_file *f = m5_def_file(s, at);
    uint32_t model = used_model(s, entity, M5_DEF_USES_MODEL);
    uint32_t mesh = m5_def_is_known(model) ? s->models[model].mesh : M5_DEF_NOTHING;
    if (!m5_def_is_known(mesh) || s->game->assets[mesh].num_joints == 0 || key->value.length == 0 ||
        m5_def_find_joint(s, mesh, (m5_def_name){&f->source, key->value}) != M5_DEF_NOTHING)
        return;
    m5_diag d = found(f, M5_LINT_ROW(def_entity_joint), key->value, at.number);
    double measure = measure_joint(s, entity, key);
    if (measure > 0)
        m5_emit(&f->report, &d, measure, "the entity's mesh '%s' has no joint '%.*s'",
                s->game->assets[mesh].path, M5_CHECK_NAME(f, key->value));
}

/* The remains must have as many joints as the model, since they take over its pose. */
static void check_gib(m5_def_link_state *s, uint32_t entity)
{
    m5_def_place at = s->entities[entity].at, key = s->entities[entity].uses[M5_DEF_USES_GIB];
    uint32_t model = used_model(s, entity, M5_DEF_USES_MODEL);
    uint32_t gib = used_model(s, entity, M5_DEF_USES_GIB);
    if (!m5_def_is_known(model) || !m5_def_is_known(gib) || key.file != at.file)
        return;
    uint32_t a = s->models[model].mesh, b = s->models[gib].mesh;
    const m5_lint_file *f = m5_def_file(s, at);
    const m5_def_entity *own = &f->model.def->entities[at.number];
    if (!m5_def_is_known(a) || !m5_def_is_known(b) || key.number < own->first_key ||
        key.number >= own[1].first_key)
        return;
    uint32_t joints = s->game->assets[a].num_joints, gibs = s->game->assets[b].num_joints;
    if (joints == 0 || gibs == 0 || joints == gibs)
        return;
    m5_diag d = found(f, M5_LINT_ROW(def_model_joints), key_at(s, key)->value, at.number);
    m5_emit(&m5_def_file(s, at)->report, &d, 0,
            "model_gib has %u joints, the entity's model has %u", gibs, joints);
}

/* One that was declared before is not in the game in any case. */
static void check_unused(m5_def_link_state *s)
{
    for (uint32_t i = 0; s->num_entities != 0 && i < s->num_models; i++) {
        m5_def_place at = s->models[i].at;
        m5_lint_file *f = m5_def_file(s, at);
        m5_name name = f->model.def->models[at.number].name;
        m5_diag d = m5_found(M5_LINT_ROW(def_model_unused), name);
        d.path = m5_def_model_path(f, at.number);
        bool first = m5_def_find_model(s, (m5_def_name){&f->source, name}) == i;
        if (!s->models[i].used && first)
            m5_emit(&f->report, &d, 0, "no entityDef and no model names the model '%.*s'",
                    M5_CHECK_NAME(f, name));
    }
}

void m5_def_check_entities(m5_def_link_state *s)
{
    for (uint32_t i = 0; i < s->num_entities; i++) {
        m5_def_place at = s->entities[i].at;
        const m5_def *def = m5_def_file(s, at)->model.def;
        for (uint32_t k = def->entities[at.number].first_key;
             k < def->entities[at.number + 1].first_key; k++) {
            const m5_def_key *key = &def->keys[k];
            if (key->kind == M5_DEF_KEY_MODEL)
                check_model(s, at, key);
            else if (key->kind == M5_DEF_KEY_ANIM)
                check_anim(s, i, key);
            else if (key->kind == M5_DEF_KEY_JOINT)
                check_joint(s, i, key);
            else if (key->kind == M5_DEF_KEY_OPEN)
                mark_named(s, at, key);
        }
        check_gib(s, i);
    }
    check_unused(s);
}
