/* The state of reading a zip, and the functions that the zip parser's files share. Numbers in
 * brackets are sections of APPNOTE 6.3.10. */
#ifndef M5_ZIP_H
#define M5_ZIP_H

#include "pack_state.h"

/* What the end of the archive says about the directory [4.3.16], after zip64's record [4.3.14] was
 * taken into account. */
typedef struct m5_zip_end {
    uint32_t at;    /* the end record */
    uint32_t limit; /* where the directory must end: at the end record, or zip64's */
    uint64_t count, size, offset;
} m5_zip_end;

typedef enum m5_zip_found { M5_ZIP_NONE, M5_ZIP_FOUND, M5_ZIP_REFUSED } m5_zip_found;

/* Finds the end record and reports what is wrong with it. M5_ZIP_REFUSED: it is one disk of
 * several. */
m5_zip_found m5_zip_find_end(m5_pack_parser *w, m5_zip_end *end);

/* Reads the members by the directory; false if there is none, which was reported. */
bool m5_zip_read_directory(m5_pack_parser *w, const m5_zip_end *end);

/* Reads the members by their local headers alone, from the start of the file. */
void m5_zip_recover(m5_pack_parser *w);

/* An entry of the directory [4.3.12] or a local header [4.3.7]. */
typedef struct m5_zip_header {
    uint32_t at, data; /* its offset, and that of what follows it */
    uint16_t flags, method;
    uint32_t crc;
    uint64_t packed, size;
    m5_span name;
    uint64_t offset; /* of an entry: where the local header is; 0 in a local header */
    bool link;       /* of an entry: it is a symbolic link */
    bool no_value;   /* a value is said to be in zip64's record, but is not */
    m5_span extra;
    m5_span rest; /* of the extra field, after its records */
} m5_zip_header;

/* Reads a local header or entry; false if none begins here, or it does not fit before `limit`. Each
 * length is read once: mapped bytes may change. */
bool m5_zip_read_local(const m5_source *s, uint64_t at, uint64_t limit, m5_zip_header *out);
bool m5_zip_read_entry(const m5_source *s, uint64_t at, uint64_t limit, m5_zip_header *out);

/* The number of bytes of the data descriptor [4.3.9] at `at` that has these values; 0 if none has.
 */
uint32_t m5_zip_descriptor(const m5_source *s, uint64_t at, uint64_t limit,
                           const m5_zip_header *values);

/* The next place from `at` on with this signature, or `limit`. */
uint32_t m5_zip_search(const m5_source *s, uint32_t at, uint32_t limit, const char *signature);

/* Bits of the flags [4.4.4]. */
enum {
    M5_ZIP_ENCRYPTED = 1 << 0,
    M5_ZIP_DESCRIBED = 1 << 3, /* sizes and CRC are in a data descriptor */
    M5_ZIP_STRONG = 1 << 6,    /* encrypted, too */
    M5_ZIP_UTF8 = 1 << 11,
    M5_ZIP_MASKED = 1 << 13 /* the local header is encrypted */
};

/* Sets what a member has from its entry, or from its local header alone. */
void m5_zip_set_member(const m5_pack_parser *w, m5_pack_member *m, const m5_zip_header *h);

/* Whether its data cannot be read, which is reported: method, encryption, a stored member's sizes.
 */
bool m5_zip_refuse(const m5_pack_parser *w, const m5_pack_member *m, const m5_zip_header *h);

#endif
