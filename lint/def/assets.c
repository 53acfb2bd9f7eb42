/* Finds the file that a path in a declaration means, and joints by name. */
#include "def_names.h"
#include "link_state.h"
#include "lint/core/names.h"
#include "lint/core/sort.h"

#include <string.h>

static uint8_t plain(uint8_t c)
{
    return c == '\\' ? '/' : c;
}

static uint8_t fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : plain(c);
}

/* ---- Paths from their ends on ------------------------------------------------------------------
 */

typedef struct path {
    const uint8_t *bytes;
    uint32_t length;
} path;

static path path_of(const m5_def_asset *asset)
{
    const char *whole = asset->game_path != NULL ? asset->game_path : asset->path;
    return (path){(const uint8_t *)whole, (uint32_t)strlen(whole)};
}

static path file_of(path p)
{
    uint32_t at = p.length;
    while (at != 0 && plain(p.bytes[at - 1]) != '/')
        at--;
    return (path){p.bytes + at, p.length - at};
}

static path folder_of(path p)
{
    p.length -= file_of(p).length;
    p.length -= p.length != 0;
    return p;
}

/* What may be before a folder or an archive's member comes before all else. */
static unsigned rank(uint8_t c)
{
    enum { SLASH, MARK, OTHERS };
    return c == '/' ? SLASH : c == '!' ? MARK : OTHERS + (unsigned)fold(c);
}

/* Compares paths from their ends on: those that end with a path come right after it. */
static int compare(path a, path b)
{
    uint32_t i = 1;
    for (; i <= a.length && i <= b.length; i++) {
        unsigned x = rank(plain(a.bytes[a.length - i])), y = rank(plain(b.bytes[b.length - i]));
        if (x != y)
            return x < y ? -1 : 1;
    }
    return a.length < b.length ? -1 : a.length > b.length;
}

/* Whether `whole` is `end`, maybe with folders or an archive before it. */
static bool ends_with(path whole, path end)
{
    if (whole.length < end.length)
        return false;
    uint8_t before = whole.length > end.length ? whole.bytes[whole.length - end.length - 1] : '/';
    whole.bytes += whole.length - end.length;
    whole.length = end.length;
    return compare(whole, end) == 0 && (plain(before) == '/' || before == '!');
}

static bool path_is_less(const void *context, uint32_t a, uint32_t b)
{
    const m5_def_asset *assets = context;
    int order = compare(path_of(&assets[a]), path_of(&assets[b]));
    return order != 0 ? order < 0 : a < b;
}

static bool folder_is_less(const void *context, uint32_t a, uint32_t b)
{
    const m5_def_asset *assets = context;
    int order = compare(folder_of(path_of(&assets[a])), folder_of(path_of(&assets[b])));
    return order != 0 ? order < 0 : a < b;
}

void m5_def_sort_assets(m5_def_link_state *s)
{
    uint32_t count = s->game->num_assets;
    for (uint32_t i = 0; i < count; i++)
        s->assets_by_path[i] = s->assets_by_folder[i] = i;
    m5_check_sort(s->assets_by_path, count, path_is_less, s->game->assets);
    m5_check_sort(s->assets_by_folder, count, folder_is_less, s->game->assets);
}

/* The first of a sorted list that is not less than a path. */
static uint32_t lower_bound(const m5_def_link_state *s, const uint32_t *list, path p, bool folders)
{
    uint32_t from = 0, to = s->game->num_assets;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        path other = path_of(&s->game->assets[list[middle]]);
        if (compare(folders ? folder_of(other) : other, p) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static path path_of_name(m5_def_name name)
{
    return (path){name.source->bytes + name.name.offset, name.name.length};
}

static bool has_folder(const m5_def_link_state *s, path folder)
{
    uint32_t at = lower_bound(s, s->assets_by_folder, folder, true);
    return at < s->game->num_assets &&
           ends_with(folder_of(path_of(&s->game->assets[s->assets_by_folder[at]])), folder);
}

/* Folders that two paths begin with, or archives. */
static uint32_t folders_in_common(const char *a, const char *b)
{
    uint32_t count = 0;
    for (; *a != '\0' && plain((uint8_t)*a) == plain((uint8_t)*b); a++, b++)
        count += plain((uint8_t)*a) == '/' || *a == '!';
    return count;
}

/* An archive's members are where its folder is. */
static uint32_t count_folders(const char *whole)
{
    uint32_t count = 0;
    for (; *whole != '\0'; whole++)
        count += plain((uint8_t)*whole) == '/';
    return count;
}

bool m5_def_is_other_case(const m5_def_asset *asset, m5_def_name name)
{
    path p = path_of_name(name), whole = path_of(asset);
    for (uint32_t i = 1; i <= p.length; i++)
        if (plain(p.bytes[p.length - i]) != plain(whole.bytes[whole.length - i]))
            return true;
    return false;
}

/* Of several, one in the same case, then one that is near to the declarations, then one with fewer
 * folders before it, which is no copy that was put aside. */
static bool is_better(const m5_def_link_state *s, uint32_t a, uint32_t b, m5_def_name name)
{
    const m5_def_asset *x = &s->game->assets[a], *y = &s->game->assets[b];
    bool x_odd = m5_def_is_other_case(x, name), y_odd = m5_def_is_other_case(y, name);
    if (x_odd != y_odd)
        return y_odd;
    uint32_t x_near = folders_in_common(x->path, name.source->name),
             y_near = folders_in_common(y->path, name.source->name);
    if (x_near != y_near)
        return x_near > y_near;
    return count_folders(x->path) < count_folders(y->path);
}

uint32_t m5_def_find_asset(const m5_def_link_state *s, m5_def_name name)
{
    enum { MOST = 64 };
    path p = path_of_name(name);
    uint32_t at = lower_bound(s, s->assets_by_path, p, false), best = M5_DEF_NOTHING;
    for (uint32_t n = 0; n < MOST && at < s->game->num_assets; n++, at++) {
        uint32_t asset = s->assets_by_path[at];
        const m5_def_asset *a = &s->game->assets[asset];
        if (!ends_with(path_of(a), p))
            break;
        if (a->game_path != NULL && strlen(a->game_path) != p.length)
            continue; /* it has other folders around it in the game, too */
        if (best == M5_DEF_NOTHING || is_better(s, asset, best, name))
            best = asset;
    }
    bool near = best != M5_DEF_NOTHING || s->game->complete || has_folder(s, folder_of(p));
    return near ? best : M5_DEF_OPEN;
}

static bool are_similar(path a, path b, bool misspelt)
{
    m5_source x = {"", a.bytes, a.length}, y = {"", b.bytes, b.length};
    return (misspelt ? m5_check_is_misspelt : m5_check_are_similar)(&x, (m5_name){0, a.length}, &y,
                                                                    (m5_name){0, b.length});
}

/* Whether a declaration names a file, or a copy of it in another archive or folder: `own` is the
 * end of its path that a declaration has. */
static bool is_used(m5_def_link_state *s, path own)
{
    enum { MOST = 64 };
    uint32_t at = lower_bound(s, s->assets_by_path, own, false);
    for (uint32_t n = 0; n < MOST && at < s->game->num_assets; n++, at++) {
        const m5_def_asset *a = &s->game->assets[s->assets_by_path[at]];
        s->looked_at += own.length;
        if (!ends_with(path_of(a), own))
            break;
        if (a->used)
            return true;
    }
    return false;
}

static path end_of(path p, uint32_t length)
{
    return (path){p.bytes + p.length - length, length};
}

/* How likely it is that a file of a similar name is meant: one that nothing names comes before one
 * whose name looks misspelt, and one that is both before all others. */
typedef enum likeness { UNLIKE, SIMILAR, MISSPELT, UNUSED, SURE } likeness;

static likeness how_like(m5_def_link_state *s, path own, path p)
{
    path file = file_of(own), folder = folder_of(p);
    if (!are_similar(file, file_of(p), false))
        return UNLIKE;
    bool misspelt = are_similar(file, file_of(p), true);
    uint32_t length = folder.length + (folder.length != 0) + file.length;
    if (is_used(s, end_of(own, length)))
        return misspelt ? MISSPELT : SIMILAR;
    return misspelt ? SURE : UNUSED;
}

/* The files of a folder come one after another. */
const m5_def_asset *m5_def_similar_asset(m5_def_link_state *s, m5_def_name name, bool *sure)
{
    enum { MOST = 50000000 }; /* bytes looked at in a run, which only a hostile one needs */
    path p = path_of_name(name), folder = folder_of(p);
    const m5_def_asset *similar = NULL;
    likeness best = UNLIKE;
    uint32_t at = lower_bound(s, s->assets_by_folder, folder, true);
    for (; best != SURE && s->looked_at < MOST && at < s->game->num_assets; at++) {
        const m5_def_asset *a = &s->game->assets[s->assets_by_folder[at]];
        path own = path_of(a);
        s->looked_at += own.length;
        if (!ends_with(folder_of(own), folder))
            break;
        likeness like = how_like(s, own, p);
        if (like > best) {
            best = like;
            similar = a;
        }
    }
    *sure = best == SURE;
    return similar;
}

static bool is_anim(const m5_def_asset *asset)
{
    return asset->num_frames != 0;
}

/* All of a folder come one after another. */
void m5_def_mark_idle(m5_def_link_state *s)
{
    m5_def_asset *assets = s->game->assets;
    const uint32_t *list = s->assets_by_folder;
    for (uint32_t i = 0, end; i < s->game->num_assets; i = end) {
        path folder = folder_of(path_of(&assets[list[i]]));
        bool any = false;
        for (end = i; end < s->game->num_assets &&
                      compare(folder_of(path_of(&assets[list[end]])), folder) == 0;
             end++)
            any |= assets[list[end]].used && is_anim(&assets[list[end]]);
        for (uint32_t k = i; any && k < end; k++)
            assets[list[k]].declared.idle = !assets[list[k]].used && is_anim(&assets[list[k]]);
    }
}

/* ---- Joints ------------------------------------------------------------------------------------
 */

static int compare_joints(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    return m5_check_same_but_case(a_in, a, b_in, b) ? 0 : m5_check_compare_names(a_in, a, b_in, b);
}

static bool joint_is_less(const void *context, uint32_t a, uint32_t b)
{
    const m5_def_asset *asset = context;
    int order = compare_joints(asset->source, asset->joints[a].name, asset->source,
                               asset->joints[b].name);
    return order != 0 ? order < 0 : a < b;
}

static uint64_t hash_byte(uint64_t hash, unsigned byte)
{
    return (hash ^ byte) * UINT64_C(1099511628211);
}

static uint64_t hash_joints(const m5_def_asset *asset)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i < asset->num_joints; i++) {
        m5_name name = asset->joints[i].name;
        for (uint32_t k = 0; k < name.length; k++) {
            uint8_t c = asset->source->bytes[name.offset + k];
            hash = hash_byte(hash, c >= 'A' && c <= 'Z' ? c | 0x20 : c);
        }
        hash = hash_byte(hash, 0x100);
        for (unsigned k = 0; k < 32; k += 8)
            hash = hash_byte(hash, (uint32_t)asset->joints[i].parent >> k & 0xff);
    }
    return hash;
}

/* Doom 3 takes all joints up to the first whose parent comes before the joint itself. */
static void find_ends(const m5_def_asset *asset, uint32_t *end)
{
    for (uint32_t i = asset->num_joints; i-- > 0;) {
        uint32_t at = i + 1;
        while (at < asset->num_joints && asset->joints[at].parent >= (int32_t)i)
            at = end[at];
        end[i] = at;
    }
}

void m5_def_sort_joints(m5_def_link_state *s)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < s->game->num_assets; i++) {
        const m5_def_asset *asset = &s->game->assets[i];
        s->first_joint[i] = total;
        s->joints_hash[i] = hash_joints(asset);
        for (uint32_t k = 0; k < asset->num_joints; k++)
            s->joints[total + k] = k;
        m5_check_sort(s->joints + total, asset->num_joints, joint_is_less, asset);
        find_ends(asset, s->joint_ends + total);
        total += asset->num_joints;
    }
}

uint32_t m5_def_find_joint(const m5_def_link_state *s, uint32_t which, m5_def_name name)
{
    const m5_def_asset *asset = &s->game->assets[which];
    const uint32_t *list = s->joints + s->first_joint[which];
    uint32_t from = 0, to = asset->num_joints;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (compare_joints(asset->source, asset->joints[list[middle]].name, name.source,
                           name.name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < asset->num_joints &&
                 compare_joints(asset->source, asset->joints[list[from]].name, name.source,
                                name.name) == 0;
    return found ? list[from] : M5_DEF_NOTHING;
}

uint32_t m5_def_joint_end(const m5_def_link_state *s, uint32_t asset, uint32_t joint)
{
    return s->joint_ends[s->first_joint[asset] + joint];
}

/* ---- What a linted file says -------------------------------------------------------------------
 */

bool m5_def_asset_of(m5_def_asset *out, const m5_lint_file *f)
{
    const m5_md5mesh *mesh = f->model.md5mesh;
    const m5_md5anim *anim = f->model.md5anim;
    *out = (m5_def_asset){.path = f->source.name};
    if (mesh != NULL && mesh->joints_whole) {
        out->source = &f->source;
        out->joints = mesh->joints;
        out->num_joints = mesh->num_joints;
    }
    if (anim != NULL && f->status == M5_CLEAN) {
        out->source = &f->source;
        out->joints = anim->joints;
        out->num_joints = anim->num_joints;
        out->num_frames = anim->num_frames;
        out->frame_rate = anim->frame_rate;
    }
    return mesh != NULL || anim != NULL;
}
