/* Finds files of settings, and what they say about each input. */
#define _DEFAULT_SOURCE /* tdestroy, strdup */
#define _GNU_SOURCE

#include "settings.h"
#include "lint/app/inputs/archive.h"
#include "lint/app/system/paths.h"
#include "lint/core/glob.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file_name[] = ".md5lint.json";

/* A folder that was looked at. */
typedef struct folder {
    char *whole;
    m5_settings_found *own; /* or NULL */
    struct folder *around;  /* NULL: no folder around it counts */
} folder;

/* The levels for all inputs that the same settings hold for. */
typedef struct level_set {
    char *key; /* see write_key */
    size_t key_length;
    m5_choice choice;
} level_set;

/* ---- Reading --------------------------------------------------------------------------------- */

void m5_settings_report(m5_all_settings *all, const char *path, const char *error)
{
    bool place = *error >= '0' && *error <= '9';
    m5_output_string(all->err, "md5lint: ");
    m5_output_safe(all->err, path, strlen(path));
    m5_output_string(all->err, place ? ":" : ": ");
    m5_output_safe(all->err, error, strlen(error));
    m5_output_string(all->err, "\n");
    all->failed = true;
}

static void *need(m5_all_settings *all, void *memory)
{
    all->no_room |= memory == NULL;
    return memory;
}

static void keep(m5_all_settings *all, m5_settings_found *found)
{
    if (all->last != NULL)
        all->last->next = found;
    else
        all->files = found;
    all->last = found;
}

/* Reads a file, whose patterns are about a folder. What is wrong with it is reported. NULL without
 * memory. */
static m5_settings_found *read_file(m5_all_settings *all, const char *path, const char *about)
{
    m5_settings_found *found = need(all, calloc(1, sizeof *found));
    m5_input input = {.name = (char *)(uintptr_t)path};
    if (found == NULL)
        return NULL;
    keep(all, found);
    found->path = need(all, strdup(path));
    found->folder = need(all, strdup(about));
    m5_bytes bytes = m5_bytes_read(&input, M5_MAP_NEVER);
    m5_settings_error error;
    if (bytes.error != NULL)
        m5_settings_report(all, path, bytes.error);
    else if (!m5_settings_file_read(&found->file, (const char *)bytes.bytes, bytes.size, &error))
        m5_settings_report(all, path, error.text);
    m5_bytes_free(&bytes);
    return found;
}

/* ---- Folders --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    return strcmp(((const folder *)a)->whole, ((const folder *)b)->whole);
}

static void free_folder(void *node)
{
    folder *f = node;
    free(f->whole);
    free(f);
}

/* A path in a folder. */
static char *join(m5_all_settings *all, const char *in, const char *name)
{
    size_t length = strlen(in);
    char *path = need(all, malloc(length + strlen(name) + 2));
    if (path == NULL)
        return NULL;
    memcpy(path, in, length);
    path[length] = '/';
    memcpy(path + length + 1, name, strlen(name) + 1);
    return path;
}

static bool is_there(m5_all_settings *all, const char *in, const char *name)
{
    char *path = join(all, in, name);
    struct stat status;
    bool there = path != NULL && (lstat(path, &status) == 0 || errno == EACCES);
    free(path);
    return there;
}

const char *m5_settings_shorten(const m5_all_settings *all, const char *whole)
{
    size_t here = strlen(all->here);
    if (strncmp(whole, all->here, here) == 0 && whole[here] == '/')
        return whole + here + 1;
    return whole;
}

static folder *find_folder(m5_all_settings *all, const char *whole);

static void look_into(m5_all_settings *all, folder *f)
{
    if (is_there(all, f->whole, file_name)) {
        char *path = join(all, f->whole, file_name);
        f->own = path != NULL ? read_file(all, m5_settings_shorten(all, path), f->whole) : NULL;
        free(path);
    }
    const char *slash = strrchr(f->whole, '/');
    bool root = slash == NULL || (f->own != NULL && f->own->file.root);
    if (root || is_there(all, f->whole, ".git"))
        return;
    char *around = need(all, strndup(f->whole, (size_t)(slash - f->whole)));
    f->around = around != NULL ? find_folder(all, around) : NULL;
    free(around);
}

/* `whole` is a folder from the root on, without a slash at its end; the root is empty. */
static folder *find_folder(m5_all_settings *all, const char *whole)
{
    folder key = {.whole = (char *)(uintptr_t)whole};
    folder **known = tfind(&key, &all->folders, compare);
    if (known != NULL)
        return *known;
    folder *f = need(all, calloc(1, sizeof *f));
    if (f == NULL)
        return NULL;
    f->whole = need(all, strdup(whole));
    if (f->whole == NULL || need(all, tsearch(f, &all->folders, compare)) == NULL) {
        free_folder(f);
        return NULL;
    }
    look_into(all, f);
    return f;
}

/* ---- A path's settings ----------------------------------------------------------------------- */

/* Those that hold for a path, the nearest first. */
enum { MOST_FILES = 64 };
typedef struct chain {
    m5_settings_found *files[MOST_FILES];
    size_t count;
} chain;

static void find_chain(m5_all_settings *all, const char *whole, chain *out)
{
    out->count = 0;
    if (all->options->no_config || all->only != NULL) {
        if (all->only != NULL)
            out->files[out->count++] = all->only;
        return;
    }
    const char *slash = strrchr(whole, '/');
    char *in = need(all, strndup(whole, slash != NULL ? (size_t)(slash - whole) : 0));
    folder *f = in != NULL ? find_folder(all, in) : NULL;
    for (; f != NULL; f = f->around)
        if (f->own != NULL && out->count < MOST_FILES)
            out->files[out->count++] = f->own;
    free(in);
}

/* The path as the patterns of a file see it, or NULL: it is elsewhere. */
static const char *below(const m5_settings_found *file, const char *whole)
{
    size_t length = strlen(file->folder);
    return strncmp(whole, file->folder, length) == 0 && whole[length] == '/' ? whole + length + 1
                                                                             : NULL;
}

/* Whether an override is about a path. */
static bool applies(m5_override *o, const char *path)
{
    bool any = false;
    for (size_t i = 0; i < o->files.count && path != NULL; i++)
        if (m5_glob_covers(o->files.list[i], path))
            any = o->used[i] = true;
    return any;
}

/* What distinguishes the settings of a path: its files, and which overrides of each are about it.
 */
static char *write_key(m5_all_settings *all, const chain *c, const char *whole, size_t *length)
{
    size_t room = 1;
    for (size_t i = 0; i < c->count; i++)
        room += sizeof c->files[i] + c->files[i]->file.num_overrides;
    char *key = need(all, malloc(room));
    *length = 0;
    for (size_t i = 0; i < c->count && key != NULL; i++) {
        m5_settings_file *f = &c->files[i]->file;
        memcpy(key + *length, &c->files[i], sizeof c->files[i]);
        *length += sizeof c->files[i];
        for (size_t k = 0; k < f->num_overrides; k++)
            key[(*length)++] = applies(&f->overrides[k], below(c->files[i], whole));
    }
    return key;
}

static void visit_list(const m5_settings_found *file, const char *place, const m5_rule_list *rules,
                       m5_visit_setting *visit, void *user)
{
    for (size_t i = 0; i < rules->count; i++)
        visit(user, file, place, &rules->list[i]);
}

/* From the farthest file to the nearest. */
static void visit_chain(const chain *c, const char *whole, m5_visit_setting *visit, void *user)
{
    for (size_t i = c->count; i-- > 0;) {
        m5_settings_file *f = &c->files[i]->file;
        visit_list(c->files[i], "/rules", &f->rules, visit, user);
        for (size_t k = 0; k < f->num_overrides; k++) {
            char place[64];
            snprintf(place, sizeof place, "/overrides/%zu/rules", k);
            if (applies(&f->overrides[k], below(c->files[i], whole)))
                visit_list(c->files[i], place, &f->overrides[k].rules, visit, user);
        }
    }
}

void m5_settings_visit(m5_all_settings *all, const char *path, m5_visit_setting *visit, void *user)
{
    char *whole = need(all, m5_path_whole(all->here, path));
    chain c = {.count = 0};
    if (whole != NULL) {
        find_chain(all, whole, &c);
        visit_chain(&c, whole, visit, user);
    }
    free(whole);
}

void m5_settings_visit_files(m5_all_settings *all, const char *path, m5_visit_file *visit,
                             void *user)
{
    char *whole = need(all, m5_path_whole(all->here, path));
    chain c = {.count = 0};
    if (whole != NULL)
        find_chain(all, whole, &c);
    for (size_t i = c.count; i-- > 0;)
        visit(user, c.files[i]);
    free(whole);
}

static void apply(void *choice, const m5_settings_found *file, const char *place,
                  const m5_rule_setting *setting)
{
    (void)file;
    (void)place;
    m5_choice_apply(choice, setting);
}

static int compare_sets(const void *a, const void *b)
{
    const level_set *x = a, *y = b;
    if (x->key_length != y->key_length)
        return x->key_length < y->key_length ? -1 : 1;
    return memcmp(x->key, y->key, x->key_length);
}

static void free_set(void *node)
{
    level_set *s = node;
    free(s->key);
    free(s);
}

/* Takes over the key. NULL without memory. */
static level_set *add_set(m5_all_settings *all, char *key, size_t length)
{
    level_set *made = need(all, calloc(1, sizeof *made));
    if (made == NULL) {
        free(key);
        return NULL;
    }
    made->key = key;
    made->key_length = length;
    if (need(all, tsearch(made, &all->levels, compare_sets)) != NULL)
        return made;
    free_set(made);
    return NULL;
}

static const m5_levels *find_levels(m5_all_settings *all, const char *whole)
{
    chain c;
    level_set wanted = {.key_length = 0};
    find_chain(all, whole, &c);
    wanted.key = write_key(all, &c, whole, &wanted.key_length);
    if (wanted.key == NULL)
        return NULL;
    level_set **known = tfind(&wanted, &all->levels, compare_sets);
    if (known != NULL) {
        free(wanted.key);
        return (*known)->choice.levels;
    }
    level_set *made = add_set(all, wanted.key, wanted.key_length);
    if (made == NULL)
        return NULL;
    m5_choice_init(&made->choice);
    visit_chain(&c, whole, apply, &made->choice);
    m5_options_choose(all->options, &made->choice);
    return made->choice.levels;
}

const m5_levels *m5_settings_levels(m5_all_settings *all, const m5_input *input)
{
    bool member = input->archive != NULL && input->member != M5_NO_INDEX;
    char *path = member ? m5_path_of_member(input->name, strlen(input->archive->path))
                        : strdup(input->name);
    char *whole = path != NULL ? m5_path_whole(all->here, path) : NULL;
    const m5_levels *levels = need(all, whole) != NULL ? find_levels(all, whole) : NULL;
    free(path);
    free(whole);
    return levels;
}

bool m5_settings_exclude(void *user, const char *path, bool is_folder)
{
    m5_all_settings *all = user;
    char *whole = need(all, m5_path_whole(all->here, path));
    chain c = {.count = 0};
    bool any = false;
    if (whole != NULL)
        find_chain(all, whole, &c);
    for (size_t i = 0; i < c.count; i++) {
        const m5_strings *exclude = &c.files[i]->file.exclude;
        const char *seen = below(c.files[i], whole);
        for (size_t k = 0; k < exclude->count && seen != NULL; k++)
            any |= m5_glob_matches(exclude->list[k], seen, is_folder);
    }
    free(whole);
    return any;
}

/* A path that a file of settings has, from its folder on. */
static char *path_from(m5_all_settings *all, const m5_settings_found *file, const char *path)
{
    char *own = need(all, m5_path_whole(all->here, file->path));
    if (own == NULL)
        return NULL;
    *strrchr(own, '/') = '\0';
    char *whole = need(all, m5_path_whole(own, path));
    free(own);
    return whole;
}

char *m5_settings_baseline(m5_all_settings *all, const char *whole, const m5_settings_found **from)
{
    chain c;
    find_chain(all, whole, &c);
    for (size_t i = 0; i < c.count; i++) {
        if (c.files[i]->file.baseline == NULL)
            continue;
        if (from != NULL)
            *from = c.files[i];
        return path_from(all, c.files[i], c.files[i]->file.baseline);
    }
    return NULL;
}

/* ---- The whole run --------------------------------------------------------------------------- */

void m5_settings_begin(m5_all_settings *all, m5_options *o, const m5_writer *err)
{
    *all = (m5_all_settings){.options = o, .err = err, .here = m5_path_here()};
    if (need(all, all->here) == NULL)
        return;
    char *about = need(all, m5_path_whole(all->here, ".")); /* the root is empty here */
    if (o->config != NULL && about != NULL)
        all->only = read_file(all, o->config, about);
    all->fail_on.option = o->fail_on != 0;
    all->targets.option = o->settings.targets != 0;
    char *any = about != NULL ? join(all, about, "x") : NULL;
    chain c = {.count = 0};
    if (any != NULL)
        find_chain(all, any, &c);
    for (size_t i = 0; i < c.count; i++) {
        const m5_settings_file *file = &c.files[i]->file;
        if (o->fail_on == 0 && file->fail_on != 0) {
            o->fail_on = file->fail_on;
            all->fail_on.file = c.files[i];
        }
        if (o->settings.targets == 0 && file->targets != 0) {
            o->settings.targets = file->targets;
            all->targets.file = c.files[i];
        }
    }
    if (o->fail_on == 0)
        o->fail_on = M5_ERROR;
    o->notes |= o->fail_on == M5_NOTE;
    free(about);
    free(any);
}

void m5_settings_report_unused(const m5_all_settings *all)
{
    for (const m5_settings_found *f = all->files; f != NULL; f = f->next)
        for (size_t i = 0; i < f->file.num_overrides; i++)
            for (size_t k = 0; k < f->file.overrides[i].files.count; k++) {
                if (f->file.overrides[i].used[k])
                    continue;
                m5_output_string(all->err, "md5lint: ");
                m5_output_safe(all->err, f->path, strlen(f->path));
                m5_write(all->err, ": note: /overrides/%u/files/%u matches no file: '", (unsigned)i,
                         (unsigned)k);
                m5_output_safe(all->err, f->file.overrides[i].files.list[k],
                               strlen(f->file.overrides[i].files.list[k]));
                m5_output_string(all->err, "'\n");
            }
}

void m5_settings_end(m5_all_settings *all)
{
    while (all->files != NULL) {
        m5_settings_found *next = all->files->next;
        m5_settings_file_free(&all->files->file);
        free(all->files->path);
        free(all->files->folder);
        free(all->files);
        all->files = next;
    }
    tdestroy(all->levels, free_set);
    tdestroy(all->folders, free_folder);
    free(all->here);
}
