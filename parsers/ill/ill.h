/* What illmesh, illskel and illanim have in common: a magic word, counts, and then only the words
 * that the counts require. C++'s >> ignores lines, but where the number of words is wrong they show
 * what is missing: all known files have one vector on each line. */
#ifndef M5_ILL_H
#define M5_ILL_H

#include "words.h"
#include "../core/arena.h"
#include "../core/status.h"

M5_BEGIN_C

enum { M5_ILL_MAGIC = 8 }; /* characters of the magic word */

/* A number of the header. */
typedef struct m5_ill_count {
    m5_span at;
    uint32_t value;
    bool exceeds; /* it is more than the file can hold */
    bool told;    /* it was reported that something is wrong with it */
} m5_ill_count;

typedef enum m5_ill_kind { M5_ILL_FLOATS, M5_ILL_INTS, M5_ILL_NAMES } m5_ill_kind;

/* A list of records of the same kind; each is written as rows of words. */
enum { M5_ILL_MAX_ROWS = 8, M5_ILL_MAX_SECTIONS = 3 };
typedef struct m5_ill_section {
    const char *record; /* what one is called: "vertex" */
    m5_ill_kind kind;
    uint32_t count;
    unsigned num_rows;
    struct {
        const char *name; /* "normal" */
        uint32_t width;   /* in words */
        const float *are; /* the numbers that it must have, where these are known; or NULL */
    } row[M5_ILL_MAX_ROWS];
    const m5_rule *missing; /* reported when the file ends in this section; NULL: the usual rule */
} m5_ill_section;

/* What a file must hold after its header: its sections, `cycles` times. */
typedef struct m5_ill_plan {
    m5_ill_section section[M5_ILL_MAX_SECTIONS];
    unsigned num_sections;
    uint32_t cycles;
    const char *cycle; /* what each is called, if there are several: "bone" */
} m5_ill_plan;

/* A row of a plan. At the end, `cycle` is the plan's. */
typedef struct m5_ill_at {
    uint32_t cycle, record;
    unsigned section, row;
} m5_ill_at;

/* The state of a parse. */
typedef struct m5_ill {
    m5_words words;
    m5_report *report;
    m5_arena *arena;
    m5_ill_plan plan;
    m5_ill_at at;
    bool loud;    /* the second time, with findings by the rules' own levels: their causes are
                   * searched */
    bool rows;    /* each row of the plan must be a line of its own */
    bool ended;   /* no words are left, or it is not known what they belong to */
    bool told;    /* it was reported that the number of words is wrong */
    bool slipped; /* rows were missing or extra: what was just read may belong elsewhere */
    unsigned first_loose; /* the section from which on rows are no longer lines; otherwise 0 */
    uint64_t words_found; /* after the header; set by the survey */
    int64_t surplus;      /* extra words (negative: missing) that are not explained yet */
    uint64_t invented;    /* words of rows that are missing in the file */
    unsigned missing;     /* rows that are known to be missing next */
    bool out_of_memory;
} m5_ill;

/* Runs `read` without reporting anything, and once more if there is something to report. `read`
 * gets the text after the magic word and returns the model. */
m5_status m5_ill_parse(m5_report *report, m5_arena *arena, const char *magic,
                       void *(*read)(m5_ill *ill), void **out);

/* A count of the header; false when there is none. */
bool m5_ill_read_count(m5_ill *ill, m5_ill_count *out);

/* Whether the rest of the file can hold as many records of `words` words as the count says. */
bool m5_ill_can_hold(const m5_ill *ill, m5_ill_count *count, uint64_t words);

uint32_t m5_ill_record_words(const m5_ill_section *section);
uint64_t m5_ill_plan_words(const m5_ill_plan *plan);

/* The words from here on, with a report that goes nowhere. */
m5_words m5_ill_look_ahead(const m5_ill *ill, m5_report *silent);

/* Words from here to the end of the file. */
uint32_t m5_ill_words_left(const m5_ill *ill);

/* Whether the plan is what the file holds from here on, word by word and, if `rows`, line by line.
 * `last` gets the last word of each section. */
typedef enum m5_ill_fit {
    M5_FITS_NOT,
    M5_FITS_SO_FAR, /* words are left, or the file ends early in a section that has a rule for that
                     */
    M5_FITS
} m5_ill_fit;
m5_ill_fit m5_ill_fits(const m5_ill *ill, const m5_ill_plan *plan,
                       m5_span last[M5_ILL_MAX_SECTIONS]);

/* Before the first record, with the plan made from the header: finds out whether the file has
 * another number of words, and whether its lines are rows of the plan. True when the header may be
 * wrong: then the format tries other plans. */
bool m5_ill_survey(m5_ill *ill);

/* Whether lines show that every record of a section has the same mistake, made by the exporter.
 * Then only that is reported. */
bool m5_ill_find_slip(m5_ill *ill, const m5_ill_plan *usual);

/* For files where no cause was found. If one of the header's counts cannot be right, only that is
 * reported. Otherwise words that are wrong anywhere are reported, and that there are too few or too
 * many words; the records are then read only if lines show where they are. */
void m5_ill_give_up(m5_ill *ill, m5_ill_count *const *counts, unsigned count);

/* The mistake in the header was found: now the number of words is as expected. */
void m5_ill_settle(m5_ill *ill);

/* Reports that a count of the header is wrong, unless that was already reported. */
void m5_ill_say_count(m5_ill *ill, m5_ill_count *count, uint32_t found, const char *what,
                      m5_span last);

/* The numbers of the next record, which is one of this section, as many as its rows have. What
 * cannot be read is NaN or UINT32_MAX or -1. END: the file has ended, which was reported. */
m5_word_status m5_ill_floats(m5_ill *ill, unsigned section, float *out);
m5_word_status m5_ill_unsigneds(m5_ill *ill, unsigned section, uint32_t *out);
m5_word_status m5_ill_int(m5_ill *ill, unsigned section, int64_t *out);

/* The next name; length 0 when it is missing. */
m5_word_status m5_ill_name(m5_ill *ill, unsigned section, m5_span *out);

/* Checks that nothing follows the last record. False when words are missing or extra and it is not
 * known where: then any number may have been read in a wrong place. */
bool m5_ill_finish(m5_ill *ill);

/* Where the parse is: bone[2].key[7].rotation. */
m5_path m5_ill_path(const m5_ill *ill);

/* Reports that the file ended where more was expected. */
void m5_ill_say_end(m5_ill *ill);

/* Room for `count` records of `size` bytes; NULL when memory is short: then the parse ends. */
void *m5_ill_array(m5_ill *ill, size_t count, size_t size);

/* ---- Rows: see ill_rows.c ---- */

typedef enum m5_ill_row { M5_ILL_ROW_HERE, M5_ILL_ROW_FLAWED, M5_ILL_ROW_END } m5_ill_row;

/* Whether the next line is the next row; if not, that was reported. FLAWED: treat the row as
 * unreadable. */
m5_ill_row m5_ill_next_row(m5_ill *ill);

m5_ill_at m5_ill_first(const m5_ill_plan *plan);
void m5_ill_advance(const m5_ill_plan *plan, m5_ill_at *at);
bool m5_ill_has_rows(m5_ill *ill);

/* How many words are in lines that are comments of more than one word. */
uint32_t m5_ill_comment_words(const m5_ill *ill);

/* How many lines of the file consist of these numbers. */
uint32_t m5_ill_count_lines(const m5_ill *ill, const float *numbers, uint32_t count);

M5_END_C

#endif
