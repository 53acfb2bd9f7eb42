/* The list of inputs. */
#define _XOPEN_SOURCE 700

#include "archive.h"
#include "exclude.h"
#include "game.h"
#include "lint/app/system/paths.h"

#include <stdlib.h>
#include <string.h>

bool m5_inputs_put(m5_inputs *inputs, m5_input input)
{
    if (input.name == NULL)
        return false;
    if (inputs->count == inputs->room) {
        size_t room = inputs->room != 0 ? 2 * inputs->room : 64;
        m5_input *list = realloc(inputs->list, room * sizeof *list);
        if (list == NULL) {
            free(input.name);
            return false;
        }
        inputs->list = list;
        inputs->room = room;
    }
    inputs->list[inputs->count++] = input;
    return true;
}

/* An archive, and each model in it that can be read, is an input. */
static bool add_archive(m5_inputs *inputs, size_t at)
{
    m5_input *input = &inputs->list[at];
    m5_bytes bytes = input->bytes != NULL ? *input->bytes : m5_bytes_read(input, M5_MAP_PARTS);
    free(input->bytes);
    input->bytes = NULL;
    m5_archive *a = m5_archive_open(input->name, bytes, &input->error);
    if (a == NULL)
        return true;
    a->next = inputs->archives;
    inputs->archives = a;
    inputs->list[at].archive = a;
    bool room = true;
    inputs->list[at].is_empty = true;
    for (uint32_t i = 0; i < a->pack->num_members && room; i++) {
        if (!m5_archive_has_model(a, i))
            continue;
        m5_input member = {.name = m5_archive_name(a, i),
                           .is_named = inputs->list[at].is_named,
                           .archive = a,
                           .member = i,
                           .game = inputs->list[at].game};
        if (member.name != NULL &&
            m5_is_member_excluded(inputs, &inputs->list[at], member.name, &room)) {
            free(member.name);
            continue;
        }
        if (member.name != NULL && member.game != 0)
            member.game_path = member.name + strlen(a->path) + 1;
        inputs->list[at].is_empty = false;
        room = m5_inputs_put(inputs, member);
    }
    m5_bytes_rest(&a->bytes);
    return room;
}

/* False without memory. */
static bool read_stdin(m5_input *input)
{
    input->bytes = malloc(sizeof *input->bytes);
    if (input->bytes == NULL)
        return false;
    bool known = m5_format_by_name(input->name) != NULL;
    *input->bytes = m5_bytes_read(input, known ? M5_MAP_NEVER : M5_READ_KNOWN);
    input->error = input->bytes->error;
    return true;
}

/* Judged by the name. If standard input is a model for sure, it is read later, while its name is
 * shown. */
static bool may_be_archive(const m5_input *input)
{
    const m5_format *format = m5_format_by_name(input->name);
    return format == NULL || m5_format_bit(format) == M5_IN_PACK;
}

static bool open_archives(m5_inputs *inputs)
{
    bool room = true;
    for (size_t i = 0, files = inputs->count; i < files && room; i++) {
        m5_input *input = &inputs->list[i];
        if (may_be_archive(input) && input->is_stdin && !read_stdin(input))
            return false;
        input->member = M5_NO_INDEX;
        if (input->error != NULL || !may_be_archive(input) ||
            !m5_archive_is(input->name, input->bytes, &input->error))
            continue;
        if (m5_game_opens(inputs->rules, input))
            room = add_archive(inputs, i);
        else
            input->is_shadowed = true;
    }
    return room;
}

/* Standard input before a file of its name: it is that file as an editor has it. A file of the last
 * game that it is in comes first. */
static int compare(const void *a, const void *b)
{
    const m5_input *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order == 0)
        order = y->is_stdin - x->is_stdin;
    if (order == 0)
        order = (x->member > y->member) - (x->member < y->member);
    return order != 0 ? order : (x->game < y->game) - (x->game > y->game);
}

/* What is known of an input that was given twice, maybe under two names. The path in a game is the
 * end of the name, so that a file of a game keeps the name that it has there. */
static void merge(m5_input *kept, m5_input *twin)
{
    kept->is_named |= twin->is_named;
    if (strcmp(kept->name, twin->name) == 0)
        kept->below = kept->below > twin->below ? kept->below : twin->below;
    if (kept->game != 0 || twin->game == 0)
        return;
    char *name = kept->name;
    kept->name = twin->name;
    kept->below = twin->below;
    kept->game = twin->game;
    kept->game_path = twin->game_path;
    twin->name = name;
}

/* ---- One file under two names ---------------------------------------------------------------- */

typedef struct named {
    char *whole;    /* from the root on */
    bool is_stdin;  /* which takes the place of the file of its name */
    bool from_root; /* as it was given */
    size_t at;
} named;

static int compare_named(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = strcmp(x->whole, y->whole);
    if (order == 0)
        order = y->is_stdin - x->is_stdin;
    if (order == 0)
        order = x->from_root - y->from_root;
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Sorts the files of a list by their whole paths, and merges each with the first of the same. */
static void merge_twins(m5_inputs *inputs, named *list)
{
    size_t first = 0;
    qsort(list, inputs->count, sizeof *list, compare_named);
    for (size_t i = 1; i < inputs->count; i++) {
        m5_input *kept = &inputs->list[list[first].at], *twin = &inputs->list[list[i].at];
        bool nameless = kept->is_stdin && inputs->stdin_name == NULL;
        if (strcmp(list[first].whole, list[i].whole) != 0 || nameless || twin->is_stdin) {
            first = i;
            continue;
        }
        merge(kept, twin);
        free(twin->name);
        twin->name = NULL;
    }
}

static void drop_nameless(m5_inputs *inputs)
{
    size_t kept = 0;
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->list[i].name != NULL)
            inputs->list[kept++] = inputs->list[i];
    inputs->count = kept;
}

/* False without memory. */
static bool drop_twins(m5_inputs *inputs)
{
    if (inputs->count == 0)
        return true;
    char *here = m5_path_here();
    named *list = calloc(inputs->count, sizeof *list);
    bool room = here != NULL && list != NULL;
    for (size_t i = 0; i < inputs->count && room; i++) {
        const char *name = inputs->list[i].name;
        bool real = inputs->follow_links && !inputs->list[i].is_stdin;
        char *whole = real ? realpath(name, NULL) : NULL;
        list[i] = (named){whole != NULL ? whole : m5_path_whole(here, name),
                          inputs->list[i].is_stdin, *name == '/', i};
        room = list[i].whole != NULL;
    }
    if (room)
        merge_twins(inputs, list);
    for (size_t i = 0; i < inputs->count && list != NULL; i++)
        free(list[i].whole);
    free(list);
    free(here);
    drop_nameless(inputs);
    return room;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Sorts by name and drops what came twice, and folders without models if there is any model. */
static void tidy(m5_inputs *inputs)
{
    size_t kept = 0;
    if (inputs->count != 0)
        qsort(inputs->list, inputs->count, sizeof *inputs->list, compare);
    for (size_t i = 0; i < inputs->count; i++) {
        m5_input *input = &inputs->list[i];
        bool twice = kept != 0 && strcmp(inputs->list[kept - 1].name, input->name) == 0;
        bool empty_folder = input->is_empty && input->archive == NULL;
        if (!twice && !(inputs->any_model && empty_folder)) {
            inputs->list[kept++] = *input;
            continue;
        }
        if (twice)
            merge(&inputs->list[kept - 1], input);
        free(input->name);
    }
    inputs->count = kept;
}

/* If a game has nothing but archives that its engine never opens, the rules are most likely those
 * of another engine. */
static void refuse_unopened(m5_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        m5_input *input = &inputs->list[i];
        if (!input->is_shadowed)
            continue;
        input->is_shadowed = false;
        input->is_empty = true;
        input->error = inputs->rules == M5_GAME_QUAKE
                           ? "Quake never opens this archive, and there are no other models; see "
                             "--rules-of"
                           : "Doom 3 never opens this archive, and there are no other models; see "
                             "--rules-of";
    }
}

bool m5_inputs_finish(m5_inputs *inputs)
{
    tidy(inputs); /* so that no archive is opened twice */
    if (!drop_twins(inputs) || !open_archives(inputs))
        return false;
    for (size_t i = 0; i < inputs->count; i++) {
        const m5_input *input = &inputs->list[i];
        inputs->any_model |= input->error == NULL && !input->is_empty && !input->is_shadowed;
    }
    if (!inputs->any_model)
        refuse_unopened(inputs);
    tidy(inputs);
    return m5_game_find(inputs);
}

void m5_inputs_free(m5_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->list[i].bytes != NULL)
            m5_bytes_free(inputs->list[i].bytes);
        free(inputs->list[i].bytes);
        free(inputs->list[i].name);
    }
    free(inputs->list);
    while (inputs->archives != NULL) {
        m5_archive *a = inputs->archives;
        inputs->archives = a->next;
        m5_archive_free(a);
    }
}
