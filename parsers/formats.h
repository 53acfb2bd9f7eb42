/* Formats by name: which one a file is in, and parsing a file of any of them. */
#ifndef M5_FORMATS_H
#define M5_FORMATS_H

#include "core/arena.h"
#include "core/diag.h"
#include "def/def.h"
#include "ill/illanim.h"
#include "ill/illmesh.h"
#include "ill/illskel.h"
#include "md4/md4.h"
#include "md5/md5anim.h"
#include "md5/md5camera.h"
#include "md5/md5mesh.h"
#include "pack/pack.h"

M5_BEGIN_C

typedef struct m5_model m5_model;

typedef struct m5_format {
    const char *name; /* also the extension, without its dot, but of "pack" */
    bool text;        /* findings have lines and columns; in a binary they have offsets only */
    /* See m5_parse. */
    m5_status (*parse)(m5_report *report, m5_arena *arena, m5_model *out);
} m5_format;

/* A parsed file: a pointer for each format, `const m5_md5mesh *md5mesh` and so on. Only the one
 * that `format` names is set; after M5_NO_MEMORY none is. */
struct m5_model {
    const m5_format *format;
#define M5_FORMAT(symbol, name, text) const m5_##symbol *symbol;
#include "formats.def"
#undef M5_FORMAT
};

/* Returns the format by a file name's extension, in either case; NULL if that is unknown. pk3, pk4,
 * dpk, kpf, zip and pak are "pack". */
const m5_format *m5_format_by_name(const char *file_name);

/* Returns the format by the first bytes, of which it reads at most 64 KiB; NULL if it is unknown.
 */
const m5_format *m5_format_by_content(const uint8_t *bytes, size_t count);

/* Parses report->source as `format` into `out`. The model is in the arena and points into it and
 * into the source. Memory, threads and errors: see m5.h. */
m5_status m5_parse(const m5_format *format, m5_report *report, m5_arena *arena, m5_model *out);

/* Returns the i-th format, or NULL past the last. */
const m5_format *m5_format_at(unsigned i);

/* Returns the format's bit in m5_rule.formats. */
unsigned m5_format_bit(const m5_format *format);

M5_END_C

#endif
