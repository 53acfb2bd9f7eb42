/* Parses MD4: the header, and then bones, frames and surfaces in turn. */
#include "md4_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"
#include "../core/magic.h"

#include <float.h>

static const m5_md4_place HEADER = {0, NULL, M5_NO_INDEX};

static const m5_md4_field IDENT = {"ident", 0}, VERSION = {"version", 4}, NAME = {"name", 8},
                          NUM_FRAMES = {"numFrames", 72}, NUM_BONES = {"numBones", 76},
                          NUM_SURFS = {"numSurfs", 80}, OFS_FRAMES = {"ofsFrames", 84},
                          OFS_BONES = {"ofsBones", 88}, OFS_SURFS = {"ofsSurfs", 92},
                          OFS_END = {"ofsEnd", 96};

/* ---- The header ------------------------------------------------------------------------------ */

static bool check_ident(m5_md4_state *w)
{
    const m5_source *s = w->source;
    if (m5_cursor_is(s, 0, "IDP4"))
        return true;
    m5_diag d = m5_md4_found_field(M5_ROW(md4_ident), HEADER, &IDENT);
    const m5_magic *magic = m5_magic_of(s);
    d.fix = magic != NULL ? magic->advice : NULL;
    if (magic != NULL)
        m5_emit(w->report, &d, 0, "expected IDP4, but the file is %s", magic->what);
    else
        m5_emit(w->report, &d, 0, "the file does not begin with IDP4");
    return false;
}

/* Versions 1 and 4 share the first 80 bytes of the header, and its size. Where version 1 has the
 * offset of the bones' names and the number of levels of detail, version 4 has counts and offsets
 * that would make no sense. */
static bool is_laid_out_as_1(const m5_md4_state *w)
{
    enum { NAME_1 = 32, MAX_LODS = 16 };
    int32_t bones = m5_md4_field_int(w, HEADER, &NUM_BONES);
    int32_t ofs_names = m5_md4_field_int(w, HEADER, &NUM_SURFS);
    int32_t lods = m5_md4_field_int(w, HEADER, &OFS_BONES);
    return bones > 0 && ofs_names >= M5_MD4_HEADER && lods > 0 && lods <= MAX_LODS &&
           m5_cursor_fits(w->source, (uint64_t)ofs_names, (uint64_t)bones * NAME_1);
}

static const char *version_says(int32_t version)
{
    switch (version) {
    case 1: return "id's own unfinished version, with a table of levels of detail";
    case 2:
    case 3: return "an early version, older than the format text";
    case 5: return "a later version, without bone references or vertex positions";
    case 6: return "ZEQ2's version, with an offset for normals";
    case 4 << 24: return "4 with its bytes swapped: the numbers are big-endian";
    default: return "unknown";
    }
}

static bool check_version(m5_md4_state *w)
{
    int32_t version = m5_md4_field_int(w, HEADER, &VERSION);
    m5_diag d = m5_md4_found_field(M5_ROW(md4_version), HEADER, &VERSION);
    if (version != 4)
        m5_emit(w->report, &d, 0, "version is %d (%s), expected 4", version, version_says(version));
    else if (is_laid_out_as_1(w))
        m5_emit(w->report, &d, 0, "version is 4, but the header has the layout of version 1");
    else
        return true;
    return false;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

enum { FRAMES, BONES, SURFS };

static void set_count(m5_md4_layout *l, unsigned block, uint64_t count)
{
    l->block[block].count = count;
    if (block != BONES)
        return;
    l->block[FRAMES].size = m5_md4_frame_size((uint32_t)count);
    l->block[FRAMES].count = m5_md4_count(l->w, HEADER, &NUM_FRAMES);
}

static int64_t natural_end(const m5_md4_layout *l, const m5_md4_block *b)
{
    uint32_t surfs = m5_cursor_bits(l->w->source, NUM_SURFS.at);
    return m5_md4_chain_end(l->w->source, b->at, surfs, l->end);
}

static bool is_frame(const m5_source *s, uint64_t at, uint32_t bones)
{
    return m5_cursor_odd_float(s, at, 10 + bones * 12) == 10 + bones * 12 &&
           m5_cursor_float(s, at + 36) >= 0 && m5_cursor_bits(s, at + 36) != 0;
}

static bool is_bone(const m5_source *s, uint64_t at, uint32_t bones)
{
    uint32_t length = m5_cursor_string(s, at, 32).length;
    int32_t parent = m5_cursor_int(s, at + 32);
    return length != 0 && length < 32 && parent >= -1 && parent < (int64_t)bones;
}

static bool begins_frame(const m5_source *s, uint64_t at)
{
    for (uint64_t k = 0; k < 3; k++)
        if (!(m5_cursor_float(s, at + 4 * k) <= m5_cursor_float(s, at + 12 + 4 * k)))
            return false;
    return m5_cursor_float(s, at + 36) >= 0;
}

static bool begins_bone(const m5_source *s, uint64_t at)
{
    return m5_cursor_string(s, at, 32).length != 0;
}

static bool are_records(const m5_md4_layout *l, unsigned block, uint64_t from, uint64_t to)
{
    const m5_md4_block *b = &l->block[block];
    bool (*is_record)(const m5_source *, uint64_t, uint32_t) = block == FRAMES ? is_frame : is_bone;
    uint32_t bones = (uint32_t)(block == BONES ? to : l->block[BONES].count);
    for (; from < to; from++)
        if (!is_record(l->w->source, (uint64_t)b->at + from * b->size, bones))
            return false;
    return true;
}

/* Surfaces are not checked here: where their chain ends is checked in any case. */
static m5_md4_more more(const m5_md4_layout *l, unsigned block, uint64_t from, uint64_t to)
{
    return are_records(l, block, from, to) ? M5_MD4_MORE : M5_MD4_NO_MORE;
}

static bool makes_sense(const m5_md4_layout *l, bool said)
{
    return are_records(l, BONES, 0, l->block[BONES].count) &&
           (!said || are_records(l, FRAMES, 0, l->block[FRAMES].count));
}

static m5_md4_layout make_layout(m5_md4_state *w)
{
    m5_md4_layout l = {.w = w,
                       .in = HEADER,
                       .of = "model",
                       .below = M5_ROW(md4_offset_header),
                       .beyond = M5_ROW(md4_offset_bounds),
                       .overlap = M5_ROW(md4_block_overlap),
                       .begin = M5_MD4_HEADER,
                       .end = w->end,
                       .num_blocks = 3,
                       .natural_end = natural_end,
                       .set_count = set_count,
                       .more = more,
                       .makes_sense = makes_sense};
    int32_t frames = m5_md4_field_int(w, HEADER, &NUM_FRAMES);
    int32_t bones = m5_md4_field_int(w, HEADER, &NUM_BONES);
    l.block[FRAMES] = (m5_md4_block){.ofs = &OFS_FRAMES,
                                     .num = &NUM_FRAMES,
                                     .what = "frames",
                                     .at = m5_md4_field_int(w, HEADER, &OFS_FRAMES),
                                     .count = frames > 0 && bones > 0 ? (uint64_t)frames : 0,
                                     .size = m5_md4_frame_size(bones > 0 ? (uint32_t)bones : 0)};
    l.block[BONES] = (m5_md4_block){.ofs = &OFS_BONES,
                                    .num = &NUM_BONES,
                                    .what = "bones",
                                    .at = m5_md4_field_int(w, HEADER, &OFS_BONES),
                                    .count = bones > 0 ? (uint64_t)bones : 0,
                                    .size = M5_MD4_BONE,
                                    .miscounted = M5_ROW(md4_offset_bounds)};
    l.block[SURFS] = (m5_md4_block){.ofs = &OFS_SURFS,
                                    .what = "surfaces",
                                    .at = m5_md4_field_int(w, HEADER, &OFS_SURFS),
                                    .count = m5_md4_field_int(w, HEADER, &NUM_SURFS) > 0,
                                    .size = M5_MD4_SURFACE,
                                    .loose = true};
    return l;
}

/* ---- Counts and the end ---------------------------------------------------------------------- */

/* Judges a count that must not be 0 and has a limit. With a layout, reports an error: this comes
 * first. Otherwise reports a warning: this comes last, and only if the count is right. */
static bool judge_count(m5_md4_state *w, const m5_md4_field *field, const m5_rule *rule,
                        const m5_md4_layout *l, const char *what, const char *limit)
{
    bool error = l != NULL;
    int32_t count = m5_md4_field_int(w, HEADER, field);
    double measure = count == 0 ? DBL_MAX : count;
    m5_diag d = m5_md4_found_field(rule, HEADER, field);
    if (count < 0 || (m5_judge(&rule->levels, measure) == M5_ERROR) != error)
        return false;
    if (error)
        m5_md4_know_count(l, field, &d);
    if (count == 0)
        m5_emit(w->report, &d, measure, "the model has no %s", what);
    else
        m5_emit(w->report, &d, measure, "%d %s; %s", count, what, limit);
    return error;
}

/* How many surfaces there are from ofsSurfs to the next block, or to the end of the model. */
static void know_surfaces(const m5_md4_layout *l, m5_diag *d)
{
    int64_t at = l->block[SURFS].at, end = l->end;
    for (unsigned i = 0; i < SURFS; i++)
        if (l->block[i].count != 0 && l->block[i].at > at && l->block[i].at < end)
            end = l->block[i].at;
    uint32_t count = m5_md4_count_surfaces(l->w->source, at, (uint32_t)end);
    if (count != 0)
        m5_md4_know(d, M5_KNOWS_NUMBER, count);
}

/* Returns whether there are too many. */
static bool judge_surfaces(const m5_md4_layout *l)
{
    m5_md4_state *w = l->w;
    int32_t count = m5_md4_field_int(w, HEADER, &NUM_SURFS);
    if (count > 0 && count <= M5_MD4_MAX_SURFS)
        return false;
    const m5_rule *rule = count < 0 ? M5_ROW(md4_count_negative) : M5_ROW(md4_num_surfs);
    m5_diag d = m5_md4_found_field(rule, HEADER, &NUM_SURFS);
    know_surfaces(l, &d);
    if (count < 0)
        m5_emit(w->report, &d, 0, "numSurfs is %d, expected 0 or more", count);
    else if (count == 0)
        m5_emit(w->report, &d, M5_MILD, "the model has no surfaces");
    else
        m5_emit(w->report, &d, M5_GRAVE, "%d surfaces; the format allows %d", count,
                M5_MD4_MAX_SURFS);
    return count > 0;
}

static void judge_counts(m5_md4_state *w, const m5_md4_layout *l, bool told[2])
{
    told[FRAMES] = judge_count(w, &NUM_FRAMES, M5_ROW(md4_num_frames), l, "frames",
                               "the format allows 2048");
    told[BONES] = judge_count(w, &NUM_BONES, M5_ROW(md4_num_bones), l, "bones",
                              "Quake III has room for 128, the format allows 256");
}

static bool would_tile(m5_md4_state *w, uint32_t end, bool strict)
{
    m5_md4_layout l = make_layout(w);
    l.end = end;
    return m5_md4_tiles(&l, strict);
}

/* Returns how many CRs were inserted, if each LF has one before it, and if the file without them
 * has the size that ofsEnd then gives; otherwise 0. The file begins with a letter, so its first
 * byte needs no check. */
static int64_t count_text_mode(const m5_source *s)
{
    uint8_t end[4] = {0};
    uint32_t line_ends = 0;
    for (uint32_t i = 1; i < s->size; i++) {
        if (s->bytes[i] == '\n' && s->bytes[i - 1] != '\r')
            return 0;
        line_ends += s->bytes[i] == '\n';
        uint32_t at = i - line_ends - OFS_END.at; /* an LF takes the place of its CR */
        if (at < sizeof end)
            end[at] = s->bytes[i];
    }
    return m5_cursor_load(end) == s->size - line_ends ? line_ends : 0;
}

static bool are_bones_moved(m5_md4_state *w, int64_t more)
{
    m5_md4_layout l = make_layout(w);
    m5_md4_block *b = &l.block[BONES];
    bool here = are_records(&l, BONES, 0,
                            m5_cursor_inside(w->source, (uint64_t)b->at, b->count, b->size));
    b->at += more;
    return !here && b->at > 0 && are_records(&l, BONES, 0, b->count);
}

/* Returns by how many bytes data has shifted: below 0 if bytes were lost before it, above 0 if
 * bytes were inserted. */
static int64_t find_moved(m5_md4_state *w, int32_t end)
{
    int64_t more = (int64_t)w->source->size - end, line_ends = count_text_mode(w->source);
    int32_t surfs = m5_md4_field_int(w, HEADER, &NUM_SURFS);
    int32_t header = m5_md4_header_moved(w->source, OFS_END.at);
    if (line_ends != 0)
        return line_ends;
    if (header != 0)
        return header;
    int32_t at = m5_md4_field_int(w, HEADER, &OFS_SURFS);
    return m5_md4_are_surfaces_moved(w, at, surfs, more) || are_bones_moved(w, more) ? more : 0;
}

static void say_displaced(m5_md4_state *w, int32_t end, int64_t more)
{
    m5_diag d = m5_md4_found_field(M5_ROW(md4_ofs_end), HEADER, &OFS_END);
    m5_emit(w->report, &d, M5_GRAVE,
            "ofsEnd is %d, but the file has %u bytes: %s, and everything after them has shifted",
            end, w->source->size,
            more < 0                          ? "bytes were lost"
            : count_text_mode(w->source) != 0 ? "LFs became CR LF (text-mode transfer)"
                                              : "bytes were inserted");
    w->displaced = true;
}

/* Whether the blocks fit if the model ends at `end`, and do not fit if it ends with the file. */
static bool is_cut_off(m5_md4_state *w, int32_t end)
{
    m5_md4_layout l = make_layout(w), here = l;
    l.end = (uint32_t)end;
    return end >= M5_MD4_HEADER && !m5_md4_collide(&l) &&
           (m5_md4_collide(&here) ||
            (here.block[SURFS].count != 0 && natural_end(&here, &here.block[SURFS]) < 0));
}

/* Sets where the model ends: by its header, or by its contents. */
static void find_end(m5_md4_state *w)
{
    int32_t end = m5_md4_field_int(w, HEADER, &OFS_END);
    uint32_t size = w->source->size;
    m5_diag d = m5_md4_found_field(M5_ROW(md4_ofs_end), HEADER, &OFS_END);
    w->end = size;
    if (end >= 0 && (uint32_t)end == size)
        return;
    int64_t moved = w->loud ? find_moved(w, end) : 0;
    if (moved != 0) {
        say_displaced(w, end, moved);
        return;
    }
    if (end >= M5_MD4_HEADER && (uint32_t)end < size) {
        bool wrong = !would_tile(w, (uint32_t)end, true) && would_tile(w, size, true);
        w->end = wrong ? size : (uint32_t)end;
        if (wrong)
            m5_md4_know(&d, M5_KNOWS_NUMBER, size);
        m5_emit(w->report, &d, wrong ? M5_GRAVE : M5_MILD,
                wrong ? "ofsEnd is %d, expected %u: the model goes on to the end of the file"
                      : "ofsEnd is %d, but the file has %u bytes: the rest is never read",
                end, size);
        return;
    }
    w->end = is_cut_off(w, end) ? (uint32_t)end : size;
    if (w->end == size && would_tile(w, size, true))
        m5_md4_know(&d, M5_KNOWS_NUMBER, size);
    m5_emit(w->report, &d, M5_GRAVE, "ofsEnd is %d, but the file has %u bytes", end, size);
}

/* ---- The whole file -------------------------------------------------------------------------- */

static uint32_t chain_limit(const m5_md4_layout *l)
{
    uint64_t limit = l->end;
    for (unsigned i = 0; i < SURFS; i++)
        if (l->block[i].from > l->block[SURFS].from && l->block[i].from < limit)
            limit = l->block[i].from;
    return (uint32_t)limit;
}

/* Returns how many of the block's records are inside the file. */
static uint32_t inside(const m5_md4_state *w, const m5_md4_block *b)
{
    return m5_cursor_inside(w->source, b->from, b->count, b->size);
}

static void read_frames_and_bones(m5_md4_state *w, const m5_md4_layout *l)
{
    w->model->num_frames = inside(w, &l->block[FRAMES]);
    w->model->num_bones = inside(w, &l->block[BONES]);
    w->model->frames_at = (uint32_t)l->block[FRAMES].from;
    w->model->bones_at = (uint32_t)l->block[BONES].from;
    if (w->model->num_bones != l->block[BONES].count)
        w->model->num_bones = w->model->num_frames = 0; /* cut off */
    m5_md4_read_bones(w);
    m5_md4_read_frames(w);
}

/* Reads the blocks once they are located: first the chain of surfaces, then the contents of all
 * blocks. */
static void read_located(m5_md4_state *w, m5_md4_layout *l, bool found, bool gaps)
{
    uint32_t surfs = m5_cursor_bits(w->source, NUM_SURFS.at);
    w->chain_end = chain_limit(l);
    w->model->surfs_whole = true;
    if (l->block[SURFS].to != 0)
        l->block[SURFS].to = m5_md4_chain_surfaces(w, (uint32_t)l->block[SURFS].from, surfs);
    if (gaps && w->model->surfs_whole && !w->surfs_told)
        m5_md4_check_blocks(l, true);
    if (found)
        read_frames_and_bones(w, l);
    m5_md4_read_surfaces(w);
}

/* Whether an exporter wrote frames or bones of another size; only the first of them is reported. */
static bool has_other_records(const m5_md4_layout *l)
{
    m5_md4_state *w = l->w;
    bool frames_fit = m5_md4_fills_room(l, FRAMES);
    if (frames_fit == m5_md4_fills_room(l, BONES))
        return false; /* both or neither: then a count is wrong */
    unsigned block = frames_fit ? BONES : FRAMES;
    uint64_t found = m5_md4_stride(l, block, frames_fit ? begins_bone : begins_frame);
    if (found == 0)
        return false;
    m5_path path = m5_path1(block == BONES ? "bone" : "frame", 0);
    m5_diag d = m5_md4_found(M5_ROW(md4_record_size), (uint32_t)l->block[block].at, (uint32_t)found,
                             path);
    m5_emit(w->report, &d, 0, "each %s has %u bytes, expected %u", path.step[0].name,
            (uint32_t)found, (uint32_t)l->block[block].size);
    return true;
}

static void read_blocks(m5_md4_state *w)
{
    bool told[2];
    m5_md4_layout l = make_layout(w);
    bool negative = m5_md4_say_negative(&l) || m5_md4_field_int(w, HEADER, &NUM_SURFS) < 0;
    if (!negative && has_other_records(&l))
        return;
    w->surfs_told = judge_surfaces(&l);
    judge_counts(w, &l, told);
    l.block[BONES].told = told[BONES];
    l.block[FRAMES].told = told[FRAMES] || told[BONES];
    m5_md4_mended mended = negative ? M5_MD4_AS_IT_WAS : m5_md4_mend(&l);
    bool found = m5_md4_locate(&l), as_it_was = mended == M5_MD4_AS_IT_WAS;
    if (found && as_it_was && w->loud)
        judge_counts(w, NULL, told);
    bool gaps = found && as_it_was && !negative && !l.block[FRAMES].told && !w->surfs_told;
    if (m5_md4_check_blocks(&l, false) && mended != M5_MD4_GUESSED)
        read_located(w, &l, found, gaps && w->end <= w->source->size);
}

static void read_file(m5_md4_state *w)
{
    enum { LONG_ENOUGH = 4 }; /* enough to recognise the format */
    if (w->source->size >= LONG_ENOUGH && !check_ident(w))
        return;
    if (w->source->size < M5_MD4_HEADER) {
        m5_diag d = m5_found(M5_ROW(md4_truncated), (m5_span){w->source->size, 0});
        m5_emit(w->report, &d, 0,
                "the file size is %u, expected at least %u bytes, the size of the header",
                w->source->size, M5_MD4_HEADER);
        return;
    }
    if (!check_version(w))
        return;
    find_end(w);
    if (w->displaced || m5_md4_say_zeros(w, m5_md4_field_int(w, HEADER, &OFS_SURFS),
                                         m5_md4_field_int(w, HEADER, &NUM_SURFS)))
        return;
    w->model->name = m5_md4_string(w, NAME.at, 64, m5_path1(NAME.name, M5_NO_INDEX));
    read_blocks(w);
}

static void attempt(m5_md4_state *w)
{
    w->model = m5_arena_take(w->arena, 1, sizeof *w->model);
    w->out_of_memory |= w->model == NULL;
    if (w->model == NULL)
        return;
    *w->model = (m5_md4){.source = w->source};
    read_file(w);
}

/* Reports which limits a clean model exceeds. */
static void judge_limits(m5_md4_state *w)
{
    bool told[2];
    judge_counts(w, NULL, told);
    for (uint32_t i = 0; i < w->model->num_surfs; i++)
        m5_md4_judge_surface(w, i);
}

/* Parses silently first and, if anything is to be reported, a second time. */
m5_status m5_md4_parse(m5_report *report, m5_arena *arena, const m5_md4 **out)
{
    size_t mark = arena->used;
    m5_settings settings = *m5_settings_of(report);
    settings.levels = NULL; /* what is reported must not depend on what is shown */
    m5_report silent = {.source = report->source, .settings = &settings};
    m5_md4_state w = {.report = &silent, .arena = arena, .source = report->source};
    attempt(&w);
    *out = w.model;
    w.report = report;
    w.loud = true;
    if (!w.out_of_memory && silent.errors + silent.warnings + silent.notes + silent.flaws == 0) {
        judge_limits(&w);
        return M5_CLEAN;
    }
    uint64_t flaws = report->flaws;
    m5_arena_release(arena, mark);
    w.trouble = silent.flaws;
    if (!w.out_of_memory)
        attempt(&w);
    *out = w.model;
    if (!w.out_of_memory)
        return report->flaws == flaws ? M5_CLEAN : M5_FLAWED;
    m5_arena_release(arena, mark);
    *out = NULL;
    return M5_NO_MEMORY;
}
