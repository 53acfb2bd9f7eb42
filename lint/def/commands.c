/* Frame commands of animations. Another engine may know other commands, so one that is not similar
 * to any of Doom 3's is passed over. */
#include "checks.h"
#include "def_names.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"
#include "parsers/def/def_lex.h"

/* The commands of idAnim::AddFrameCommand, and how many arguments each needs. */
static const struct {
    const char *name;
    uint8_t arguments;
} commands[] = {
    {"call", 1},
    {"object_call", 1},
    {"event", 1},
    {"sound", 1},
    {"sound_voice", 1},
    {"sound_voice2", 1},
    {"sound_body", 1},
    {"sound_body2", 1},
    {"sound_body3", 1},
    {"sound_weapon", 1},
    {"sound_global", 1},
    {"sound_item", 1},
    {"sound_chatter", 1},
    {"skin", 1},
    {"fx", 1},
    {"trigger", 1},
    {"triggerSmokeParticle", 1},
    {"melee", 1},
    {"direct_damage", 1},
    {"attack_begin", 1},
    {"attack_end", 0},
    {"muzzle_flash", 1},
    {"create_missile", 1},
    {"launch_missile", 1},
    {"fire_missile_at_target", 2},
    {"footstep", 0},
    {"leftfoot", 0},
    {"rightfoot", 0},
    {"enableEyeFocus", 0},
    {"disableEyeFocus", 0},
    {"disableGravity", 0},
    {"enableGravity", 0},
    {"jump", 0},
    {"enableClip", 0},
    {"disableClip", 0},
    {"enableWalkIK", 0},
    {"disableWalkIK", 0},
    {"enableLegIK", 1},
    {"disableLegIK", 1},
    {"recordDemo", 0},
    {"aviGame", 0},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static unsigned count_arguments(const m5_lint_file *f, m5_span arguments)
{
    unsigned count = 0;
    uint32_t at = arguments.offset, end = at + arguments.length;
    for (; at < end && count < 2; count++)
        at = m5_def_end(m5_def_scan(&f->source, at));
    return count;
}

static m5_diag found(const m5_lint_file *f, const m5_rule *rule, m5_span at, uint32_t model,
                     uint32_t anim)
{
    m5_diag d = m5_found(rule, at);
    d.path = m5_def_anim_path(f, model, anim);
    return d;
}

static void check_known(m5_lint_file *f, const m5_def_command *c, unsigned which, uint32_t model,
                        uint32_t anim)
{
    unsigned needed = commands[which].arguments;
    m5_diag d = found(f, M5_LINT_ROW(def_command_arguments), c->name, model, anim);
    if (count_arguments(f, c->arguments) < needed)
        m5_emit(&f->report, &d, 0, "'%s' needs %u argument%s on its line", commands[which].name,
                needed, needed == 1 ? "" : "s");
}

static void check_command(m5_lint_file *f, const m5_def_command *c, uint32_t model, uint32_t anim)
{
    const char *meant = NULL;
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (m5_def_is(&f->source, c->name, commands[i].name)) {
            check_known(f, c, i, model, anim);
            return;
        }
        if (m5_def_is_misspelt(&f->source, c->name, commands[i].name))
            meant = commands[i].name;
    }
    if (meant == NULL)
        return;
    m5_diag d = found(f, M5_LINT_ROW(def_command_unknown), c->name, model, anim);
    m5_emit(&f->report, &d, 0, "'%.*s' is no frame command, expected '%s'",
            M5_CHECK_NAME(f, c->name), meant);
}

void m5_check_def_commands(m5_lint_file *f)
{
    const m5_def *def = f->model.def;
    for (uint32_t model = 0; model < def->num_models; model++)
        for (uint32_t i = def->models[model].first_anim; i < def->models[model + 1].first_anim; i++)
            for (uint32_t k = def->anims[i].first_command; k < def->anims[i + 1].first_command; k++)
                check_command(f, &def->commands[k], model, i);
}
