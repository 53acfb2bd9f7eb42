/* All formats under one roof: which a file is in, and parsing it whatever it is. */
#ifndef M5_FORMATS_H
#define M5_FORMATS_H

#include "core/arena.h"
#include "core/diag.h"
#include "ill/illanim.h"
#include "ill/illmesh.h"
#include "ill/illskel.h"
#include "md4/md4.h"
#include "md5/md5anim.h"
#include "md5/md5mesh.h"

M5_BEGIN_C

typedef struct m5_model m5_model;

typedef struct m5_format {
    const char *name; /* also the extension, without its dot */
    bool text;        /* diagnostics have lines; otherwise offsets are all there is */
    /* NULL: this format is known, but not supported yet */
    m5_status (*parse)(m5_report *report, m5_arena *arena, m5_model *out);
} m5_format;

/* A parsed file: `const m5_md5mesh *md5mesh` and so on. The member that the format names is set, or
 * NULL after M5_NO_MEMORY. */
struct m5_model {
    const m5_format *format;
#define M5_FORMAT(symbol, name, text) const m5_##symbol *symbol;
#define M5_FORMAT_LATER(name, text)
#include "formats.def"
#undef M5_FORMAT
#undef M5_FORMAT_LATER
};

/* By a file name's extension, whatever its case; NULL if that says nothing. */
const m5_format *m5_format_by_name(const char *file_name);

/* By the first bytes; NULL if they are of no format known, or none. Looks at 64 KiB at most. */
const m5_format *m5_format_by_content(const uint8_t *bytes, size_t count);

/* Parses report->source as `format`, which must have a parser. */
m5_status m5_parse(const m5_format *format, m5_report *report, m5_arena *arena, m5_model *out);

/* The i-th format there is, or NULL past the last; and the bit that rules know a format by. */
const m5_format *m5_format_at(unsigned i);
unsigned m5_format_bit(const m5_format *format);

M5_END_C

#endif
