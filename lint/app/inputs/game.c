/* The order in which an engine searches the folders of a game and the archives in them. */
#define _POSIX_C_SOURCE 200809L

#include "game.h"
#include "archive.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Archives -------------------------------------------------------------------------------- */

/* N of pakN.pak; -1 if that is not the name. */
static long pak_number(const char *name)
{
    char *end;
    if (strncasecmp(name, "pak", 3) != 0 || name[3] < '0' || name[3] > '9')
        return -1;
    long number = strtol(name + 3, &end, 10);
    return strcasecmp(end, ".pak") == 0 ? number : -1;
}

/* Only archives in the folder itself are opened: Doom 3 opens *.pk4, Quake pak0.pak, pak1.pak ...
 */
bool m5_game_opens(m5_game_rules rules, const m5_input *archive)
{
    const char *name = archive->game_path;
    if (name == NULL)
        return true;
    if (strchr(name, '/') != NULL)
        return false;
    const char *dot = strrchr(name, '.');
    return rules == M5_GAME_QUAKE ? pak_number(name) >= 0
                                  : dot != NULL && strcasecmp(dot, ".pk4") == 0;
}

/* ---- Files ----------------------------------------------------------------------------------- */

typedef struct place {
    m5_input *input;
    m5_game_rules rules;
} place;

/* Doom 3 ignores case, and takes backslashes for slashes. */
static int plain(char c, m5_game_rules rules)
{
    if (rules == M5_GAME_QUAKE)
        return (unsigned char)c;
    if (c >= 'A' && c <= 'Z')
        c = (char)(c | 0x20);
    return c == '\\' ? '/' : (unsigned char)c;
}

static int compare_paths(const place *a, const place *b)
{
    const char *x = a->input->game_path, *y = b->input->game_path;
    while (*x != '\0' && plain(*x, a->rules) == plain(*y, a->rules)) {
        x++;
        y++;
    }
    return plain(*x, a->rules) - plain(*y, a->rules);
}

/* Of two archives in a folder, the one that is searched first; then of two members of one. */
static int compare_archives(const place *a, const place *b)
{
    const m5_input *x = a->input, *y = b->input;
    const char *x_name = strrchr(x->archive->path, '/'), *y_name = strrchr(y->archive->path, '/');
    x_name = x_name != NULL ? x_name + 1 : x->archive->path;
    y_name = y_name != NULL ? y_name + 1 : y->archive->path;
    long numbers = 0;
    if (a->rules == M5_GAME_QUAKE)
        numbers = pak_number(y_name) - pak_number(x_name);
    int order = numbers != 0 ? (numbers > 0 ? 1 : -1) : strcasecmp(y_name, x_name);
    if (order == 0)
        order = strcmp(y_name, x_name);
    if (order == 0)
        order = (x->member < y->member) - (x->member > y->member);
    return order;
}

/* By path; of one path, the file that the engine finds first. */
static int compare(const void *a_in, const void *b_in)
{
    const place *a = a_in, *b = b_in;
    const m5_input *x = a->input, *y = b->input;
    int order = compare_paths(a, b);
    if (order == 0)
        order = (x->game < y->game) - (x->game > y->game);
    bool loose_first = a->rules == M5_GAME_DOOM3, x_loose = x->archive == NULL;
    if (order == 0 && x_loose != (y->archive == NULL))
        order = x_loose == loose_first ? -1 : 1;
    if (order != 0)
        return order;
    return x_loose ? strcmp(x->name, y->name) : compare_archives(a, b);
}

/* Also one in an archive, but not the archive itself. */
static bool is_file(const m5_input *input)
{
    bool archive = input->archive != NULL && input->member == M5_NO_INDEX;
    return input->game_path != NULL && !archive && !input->is_shadowed;
}

bool m5_game_find(m5_inputs *inputs)
{
    size_t count = 0;
    place *list = inputs->num_games != 0 ? malloc((inputs->count + 1) * sizeof *list) : NULL;
    if (inputs->num_games != 0 && list == NULL)
        return false;
    for (size_t i = 0; i < inputs->count && list != NULL; i++)
        if (is_file(&inputs->list[i]))
            list[count++] = (place){&inputs->list[i], inputs->rules};
    if (count != 0)
        qsort(list, count, sizeof *list, compare);
    const place *found = list;
    for (size_t i = 1; i < count; i++) {
        if (compare_paths(found, &list[i]) != 0) {
            found = &list[i];
            continue;
        }
        list[i].input->is_shadowed = true;
        list[i].input->instead = found->input->name;
    }
    free(list);
    return true;
}

bool m5_game_is_complete(const m5_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->list[i].error != NULL && !inputs->list[i].is_empty)
            return false;
    return inputs->num_games != 0 && !inputs->left_out;
}
