/* Finds the inputs that a list names. */
#include "only.h"
#include "archive.h"
#include "lint/app/system/paths.h"
#include "lint/core/check.h"

#include <stdlib.h>
#include <string.h>

/* ---- What is listed -------------------------------------------------------------------------- */

bool m5_only_begin(m5_only *only)
{
    *only = (m5_only){.here = m5_path_here()};
    return only->here != NULL;
}

bool m5_only_add(m5_only *only, const char *folder, const char *path)
{
    if (only->count == only->room) {
        size_t room = only->room != 0 ? 2 * only->room : 64;
        char **paths = realloc(only->paths, room * sizeof *paths);
        if (paths == NULL)
            return false;
        only->paths = paths;
        only->room = room;
    }
    char *whole = m5_path_whole(folder != NULL ? folder : only->here, path);
    if (whole != NULL)
        only->paths[only->count++] = whole;
    return whole != NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_listed(const m5_only *only, const char *whole)
{
    return only->count != 0 &&
           bsearch(&whole, only->paths, only->count, sizeof *only->paths, compare) != NULL;
}

/* Whether the archive is listed that an input is, or is in. */
static bool is_archive_listed(const m5_only *only, const m5_input *input, bool *room)
{
    char *whole = input->archive != NULL ? m5_path_whole(only->here, input->archive->path) : NULL;
    *room &= input->archive == NULL || whole != NULL;
    bool listed = whole != NULL && is_listed(only, whole);
    free(whole);
    return listed;
}

bool m5_only_mark(m5_only *only, const m5_inputs *inputs, uint8_t *listed)
{
    bool room = true;
    if (only->count != 0)
        qsort(only->paths, only->count, sizeof *only->paths, compare);
    for (size_t i = 0; i < inputs->count && room; i++) {
        char *whole = m5_path_whole(only->here, inputs->list[i].name);
        room = whole != NULL;
        bool marked = room &&
                      (is_listed(only, whole) || is_archive_listed(only, &inputs->list[i], &room));
        listed[i] = marked ? M5_LISTED_ITSELF : 0;
        free(whole);
    }
    return room;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* An input's number, found by its path. */
typedef struct known {
    char *whole;
    uint32_t number;
} known;

static int compare_known(const void *a, const void *b)
{
    return strcmp(((const known *)a)->whole, ((const known *)b)->whole);
}

static void free_known(known *list, size_t count)
{
    for (size_t i = 0; i < count && list != NULL; i++)
        free(list[i].whole);
    free(list);
}

/* All inputs, sorted by path; NULL without memory. */
static known *know_inputs(const m5_only *only, const m5_inputs *inputs)
{
    known *list = calloc(inputs->count + 1, sizeof *list);
    for (size_t i = 0; i < inputs->count && list != NULL; i++) {
        list[i] = (known){m5_path_whole(only->here, inputs->list[i].name), (uint32_t)i};
        if (list[i].whole == NULL) {
            free_known(list, i);
            return NULL;
        }
    }
    if (list != NULL)
        qsort(list, inputs->count, sizeof *list, compare_known);
    return list;
}

/* ---- What is gone ---------------------------------------------------------------------------- */

/* How much of a path is its folder, with the slash. */
static size_t folder_length(const char *whole, size_t length)
{
    while (length != 0 && whole[length - 1] != '/')
        length--;
    return length;
}

/* The first input that is not before a folder. */
static size_t first_from(const known *list, size_t count, const char *folder, size_t length)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (strncmp(list[middle].whole, folder, length) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* What is looked through for files that belonged to one that is gone. */
typedef struct orphans {
    const known *list;
    size_t count;
    const m5_pairs *pairs;
    uint8_t *listed;
} orphans;

/* Whether an input may have been compared with the file, whose folder is so long. */
typedef bool may_belong(const orphans *o, const known *input, const char *gone, size_t folder);

/* Marks inputs that begin with the first `length` bytes of the path. */
static void mark_orphans(const orphans *o, const char *gone, size_t length, may_belong *may)
{
    size_t folder = folder_length(gone, strlen(gone));
    for (size_t i = first_from(o->list, o->count, gone, length);
         i < o->count && strncmp(o->list[i].whole, gone, length) == 0; i++)
        if (may(o, &o->list[i], gone, folder))
            o->listed[o->list[i].number] |= M5_LISTED_ORPHAN;
}

static unsigned bit_of(const m5_format *format)
{
    return format != NULL ? m5_format_bit(format) : 0;
}

/* A mesh or skeleton: all in its folder and below, and what has none in the folder around. */
static bool belonged_to_base(const orphans *o, const known *input, const char *gone, size_t folder)
{
    const m5_pair *pair = &o->pairs->list[input->number];
    bool alone = pair->base == M5_NO_INDEX || pair->reason == M5_PAIR_MISSING;
    bool base = m5_lint_is_base(o->pairs->rigs[input->number].format);
    return !base && (alone || strncmp(input->whole, gone, folder) == 0);
}

static bool is_def(const orphans *o, const known *input, const char *gone, size_t folder)
{
    (void)gone;
    (void)folder;
    return bit_of(o->pairs->rigs[input->number].format) == M5_IN_DEF;
}

/* Declarations: those that may have used them, and animations that now none plays. */
static bool belonged_to_def(const orphans *o, const known *input, const char *gone, size_t folder)
{
    bool anim = bit_of(o->pairs->rigs[input->number].format) == M5_IN_MD5ANIM;
    bool played = o->pairs->list[input->number].reason == M5_PAIR_DECLARED;
    return is_def(o, input, gone, folder) || (anim && !played);
}

/* An archive: it may have had anything. */
static bool belonged_to_archive(const orphans *o, const known *input, const char *gone,
                                size_t folder)
{
    (void)o, (void)input, (void)gone, (void)folder;
    return true;
}

/* How much of a path is the folder of its mod: that around the last folder of the name, which has
 * slashes around it; else that around its own folder. */
static size_t mod_length(const char *whole, const char *name)
{
    const char *last = NULL;
    for (const char *at = whole; (at = strstr(at, name)) != NULL; at++)
        last = at;
    if (last != NULL)
        return (size_t)(last + 1 - whole);
    size_t folder = folder_length(whole, strlen(whole));
    return folder_length(whole, folder - 1);
}

static void mark_orphans_of(const orphans *o, const char *gone)
{
    const m5_format *format = m5_format_by_name(gone);
    size_t folder = folder_length(gone, strlen(gone));
    if (m5_lint_is_base(format))
        mark_orphans(o, gone, folder_length(gone, folder - 1), belonged_to_base);
    if ((bit_of(format) & M5_IN_MD5_MODELS) != 0)
        mark_orphans(o, gone, mod_length(gone, "/models/"), is_def);
    if (bit_of(format) == M5_IN_DEF)
        mark_orphans(o, gone, mod_length(gone, "/def/"), belonged_to_def);
    if (bit_of(format) == M5_IN_PACK)
        mark_orphans(o, gone, folder, belonged_to_archive);
}

bool m5_only_mark_orphans(const m5_only *only, const m5_inputs *inputs, const m5_pairs *pairs,
                          uint8_t *listed)
{
    known *list = know_inputs(only, inputs);
    size_t count = inputs->count;
    if (list == NULL)
        return false;
    orphans o = {list, count, pairs, listed};
    for (size_t i = 0; i < only->count; i++) {
        known gone = {only->paths[i], 0};
        if (bsearch(&gone, list, count, sizeof *list, compare_known) == NULL)
            mark_orphans_of(&o, gone.whole);
    }
    free_known(list, count);
    return true;
}

void m5_only_free(m5_only *only)
{
    for (size_t i = 0; i < only->count; i++)
        free(only->paths[i]);
    free(only->paths);
    free(only->here);
}
