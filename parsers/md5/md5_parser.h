/* Private to the parsers of the MD5 formats: what they have in common beyond their tokens: a
 * header, keywords in a given order, blocks of records. Format text: "Reading a md5mesh file",
 * "Reading a md5anim file". */
#ifndef M5_MD5_PARSER_H
#define M5_MD5_PARSER_H

#include "lex.h"
#include "md5.h"

M5_BEGIN_C

/* What follows a keyword: "string", number, { block } or number { block }. */
typedef enum m5_md5_value_kind {
    M5_KEY_TEXT,
    M5_KEY_NUMBER,
    M5_KEY_BLOCK,
    M5_KEY_NUMBERED
} m5_md5_value_kind;

/* One keyword; tables list them in the order that the format text gives. */
typedef struct m5_md5_key {
    const char *name;
    m5_md5_value_kind shape;
    bool required;
    bool repeats;       /* mesh, frame */
    const char *begins; /* a block's first token: a kind's first letter, or a word */
} m5_md5_key;

enum { M5_MD5_MAX_KEYS = 12, M5_KEY_NONE = -1, M5_KEY_STOP = -2 };

/* Which keywords came, and what was in the place of an expected one. A length of 0 means none. */
typedef struct m5_md5_keys {
    const m5_md5_key *table;
    unsigned count;
    m5_span seen[M5_MD5_MAX_KEYS], instead[M5_MD5_MAX_KEYS];
    bool told[M5_MD5_MAX_KEYS]; /* it was reported that something unknown is in its place */
    int ahead;                  /* the next keyword in the file, looked for once ... */
    uint32_t ahead_at;          /* ... and where it is; nothing is known from there on */
} m5_md5_keys;

/* A count from the header: how many, and the number's place. */
typedef struct m5_md5_count {
    int32_t value;
    bool known;     /* read, in range, and not more than the file can hold */
    bool exceeds;   /* more than `most`, which is what the file can hold; not reported yet */
    bool of_blocks; /* one that the end of the file cuts counts, too */
    uint32_t most;
    uint32_t found;      /* how many came, kept or not */
    uint32_t early;      /* ... and how many before the count, which was reported */
    bool in_place;       /* as many as declared, each with the number of its place */
    bool told;           /* it was reported to be wrong ... */
    uint32_t told_found; /* ... with this many found */
    m5_span odd;         /* where the records' numbers first go wrong, if they do */
    const char *odd_says;
    m5_span at;
} m5_md5_count;

/* A parse at work; each parser begins with one. */
typedef struct m5_md5_parser {
    m5_lex lx;
    m5_report *report;
    m5_arena *arena;
    m5_md5_keys top;
    const char *const *foreign; /* other formats' keywords, NULL at the end ... */
    const char *foreign_kind;   /* ... and which format that is; NULL for a camera, for which */
    bool ours;                  /* ... this says that it has a keyword that only cameras have */
    const char *const *inner;   /* words that begin lines in other blocks than joints, NULL at the
                                 * end; parentheses do if there are none */
    bool other_syntax; /* the file says another version and is written like it: it is not read */
    bool headless;     /* the block to be read has lost its first line, which was reported */
    uint32_t strays;   /* lines in the current list that were reported as not being records */
    bool brace_told; /* a brace that may close the current block was reported to be out of place */
    bool whole;      /* the file was read to its end */
    bool out_of_memory;
} m5_md5_parser;

/* Reads what comes before the first keyword; false when nothing can be read from this file. */
bool m5_md5_start(m5_md5_parser *p);

/* The next top-level keyword, taken; M5_KEY_NONE at the end, M5_KEY_STOP where the rest is of
 * no use. `complete`: everything declared was there, so that anything else is trailing. */
int m5_md5_top_key(m5_md5_parser *p, bool complete, m5_token *key);

/* Whether `t` is one of `words`, which NULL ends. */
bool m5_md5_is_one_of(const m5_md5_parser *p, m5_token t, const char *const *words);

/* Finds `t` in a table; M5_KEY_NONE when it is not there. */
int m5_md5_find_exactly(const m5_md5_parser *p, const m5_md5_keys *keys, m5_token t);

/* Whether `t` is a keyword with what belongs after it: `numMeshes 1`. */
bool m5_md5_is_whole_key(const m5_md5_parser *p, const m5_md5_keys *keys, m5_token t);

/* Finds `t` in a table, reporting wrong case; M5_KEY_NONE when it is not there. */
int m5_md5_find_key(m5_md5_parser *p, const m5_md5_keys *keys, m5_token t);

/* `frame1`: a keyword with its number right after it, which is reported. `t` becomes the keyword.
 */
int m5_md5_find_glued(m5_md5_parser *p, const m5_md5_keys *keys, m5_token *t);

/* Reports a token that is not a keyword of a table. If it is in the place of an expected keyword
 * that does not come later, returns that keyword, so that what follows can be read; else
 * M5_KEY_NONE. */
int m5_md5_say_unknown(m5_md5_parser *p, m5_md5_keys *keys, m5_token t);

/* Whether a token is a word in any upper or lower case. */
bool m5_md5_same_but_case(const m5_md5_parser *p, m5_token t, const char *word);

/* Whether `t` is what follows the expected keyword, and the keyword itself was lost: reports it and
 * returns the keyword, with `t` left to be read; else M5_KEY_NONE. */
int m5_md5_find_lost_key(m5_md5_parser *p, m5_md5_keys *keys, m5_token t);

/* Reads the opening brace of a block, unless that was lost. A first line that comes twice is
 * reported. */
bool m5_md5_open_block(m5_md5_parser *p, int key);

/* Notes that a keyword came; false (and reported) when it came before and may not again. */
bool m5_md5_see(m5_md5_parser *p, m5_md5_keys *keys, int key, m5_token t);

/* Skips the value or the block of a keyword that is not wanted. */
void m5_md5_skip(m5_md5_parser *p, int key);

/* Reports keywords that are missing (those of one place together), or came late. `end` is what is
 * in the place of the last ones, of length 0 at the end of the file. */
void m5_md5_finish_keys(m5_md5_parser *p, const m5_md5_keys *keys, m5_span end);

void m5_md5_version(m5_md5_parser *p);
void m5_md5_commandline(m5_md5_parser *p, m5_name *out);

/* An integer of the header. */
bool m5_md5_int(m5_md5_parser *p, m5_md5_count *out);

/* A count of the header: `rule` reports one below `least`, which is 0 or 1, and m5_md5_fits_file is
 * called with `bytes`. */
void m5_md5_read_count(m5_md5_parser *p, m5_md5_count *count, int32_t least, const m5_rule *rule,
                       uint32_t bytes, const char *key);

/* The frames per second; 0 if they are unknown or reported by `range`. `form`: an odd number. */
uint32_t m5_md5_read_frame_rate(m5_md5_parser *p, const m5_rule *range, const m5_rule *form);

/* Marks a count unknown if that many records of at least `bytes` bytes each cannot fit after
 * `offset`. m5_md5_check_count reports it, once it is clear that the file was not just cut short.
 */
void m5_md5_fits(m5_md5_parser *p, m5_md5_count *count, uint32_t bytes, uint32_t offset);

/* The same from here on; or in the whole file, if what is counted may have come already. */
void m5_md5_fits_file(m5_md5_parser *p, m5_md5_count *count, uint32_t bytes);

/* Reports a count that differs from what was found up to here, unless no more are missing than
 * lines were reported as not being records. `key` is the count's keyword, `what` the plural of what
 * it counts. */
void m5_md5_check_count(m5_md5_parser *p, const m5_rule *rule, m5_md5_count *count, uint32_t found,
                        const char *key, const char *what);

/* What an index must stay below: as many as are declared or came, so that a wrong count is reported
 * only once. */
uint32_t m5_md5_limit(const m5_md5_count *count);

/* Whether another record follows in a block; otherwise its end was taken, or found missing. What
 * is left over on the line before is reported and skipped, and so are lines that are not records: a
 * record begins with `kind`. While more are expected (`due`), a closing brace with another record
 * after it is skipped, too. */
bool m5_md5_more(m5_md5_parser *p, m5_token_kind kind, bool due, m5_token *first);

/* Reads the two vectors that a record begins with, from its first token on. If the rest of its line
 * was lost after the first vector, that is reported, and the line below is left. */
bool m5_md5_read_pair(m5_md5_parser *p, m5_token first, float a[3], float b[3]);

/* Skips the rest of a record that begins with two vectors and could not be read. */
void m5_md5_skip_pair(m5_md5_parser *p, m5_token first);

/* Skips another vector after such a record on its line, or a piece of one, and reports it: it is
 * not a record of its own. False if there is none. */
bool m5_md5_skip_odd_vector(m5_md5_parser *p, m5_token first);

/* Takes a token that was reported to be out of place. It may be in the place of a record, or of the
 * brace. */
void m5_md5_pass_stray(m5_md5_parser *p, m5_token t);

/* Records are numbered from 0, and the numbers went wrong somewhere among the first `count` of
 * `records`, which are `stride` bytes apart and begin with their offset. If as many came as were
 * declared, each wrong number is reported by the format's rules; otherwise the first of them
 * becomes the related place of the count. A number is right in its own place, and is not reported
 * if it follows the one before it, so that a single slip is reported once. */
typedef struct m5_md5_number_rules {
    const m5_rule *range, *duplicate, *order;
} m5_md5_number_rules;
void m5_md5_check_numbers(m5_md5_parser *p, const void *records, size_t stride, uint32_t count,
                          m5_md5_count *declared, const m5_md5_number_rules *rules);

/* Whether a second copy of the file begins here. */
bool m5_md5_file_restarts(const m5_md5_parser *p, m5_token t);

/* Room for as many records as are declared, or as the rest of the file can hold. */
uint32_t m5_md5_capacity(const m5_md5_parser *p, const m5_md5_count *declared, uint32_t least);

/* Whether the i-th record (from 0) of a list that began at `start` may be kept, when a readable one
 * takes `least` bytes. An unreadable one may take less text than its memory is reckoned for. If one
 * is not kept, none after it is either. */
bool m5_md5_may_keep(const m5_md5_parser *p, const uint8_t *start, uint32_t i, uint64_t least);

/* An array for `count` records, or NULL (and the parse is given up) when memory is short. */
void *m5_md5_array(m5_md5_parser *p, size_t count, size_t size);

/* A finding at the n-th token of the record at `offset`, with the lexer's path. */
m5_diag m5_md5_at(const m5_md5_parser *p, const m5_rule *rule, uint32_t offset, uint32_t n);

/* A joint's name and parent. */
bool m5_md5_read_joint(m5_md5_parser *p, m5_token first, m5_md5_joint *out);

/* Skips a joint that cannot be read, to the next line. If it is broken into two lines after name
 * and parent (`begun`), skips both. */
void m5_md5_skip_joint(m5_md5_parser *p, bool begun);

/* A block of joints: in both formats each line is a joint and something else. */
typedef struct m5_md5_joint_list {
    const m5_rule *count, *parent_range, *parent_order;
    const m5_rule *parent_negative; /* NULL: a parent below -1 is out of range */
    uint32_t least;                 /* of text that a line takes */
    size_t size;                    /* of the other thing in memory */
    /* Reads a line; false (and both marked) where it cannot be read. */
    bool (*read)(m5_md5_parser *p, m5_token first, m5_md5_joint *joint, void *other);
    /* Looks for a lost or extra line; true if it was reported. NULL: only extra lines are found. */
    bool (*find_lost)(m5_md5_parser *p, const m5_md5_joint *joints, const void *others,
                      uint32_t count, m5_md5_count *declared);
    /* Whether the rest of the file shows that the joints that came are right, and the declared
     * number is not. */
    bool (*is_right)(const m5_md5_parser *p, const m5_md5_count *declared, uint32_t found);
} m5_md5_joint_list;

/* Reads the block, from after its opening brace, and checks every parent: each is then below its
 * joint's index, -1, or M5_BROKEN_PARENT. Returns how many were kept. `whole` is set to whether
 * every declared joint is there and has a name. */
uint32_t m5_md5_read_joints(m5_md5_parser *p, m5_md5_count *declared, const m5_md5_joint_list *list,
                            m5_md5_joint **joints, void **others, bool *whole);

M5_END_C

#endif
