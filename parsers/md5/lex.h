/* The lexer that the MD5 formats share.
 *
 * A file is words, "strings", ( ) { }, white space and comments. The readers below are called in
 * the order of the grammar; each first tries the text as every exporter writes it, without making a
 * token, and leaves everything else to its slow twin in lex_slow.c, which knows the whole grammar
 * and reports what is wrong. Both read the same language: tests compare them. */
#ifndef M5_LEX_H
#define M5_LEX_H

#include "../core/emit.h"
#include "../core/number.h"
#include "../core/text.h"

M5_BEGIN_C

typedef enum m5_token_kind {
    M5_TOKEN_END,
    M5_TOKEN_WORD,
    M5_TOKEN_STRING, /* its span includes the quotes */
    M5_TOKEN_OPEN_PAREN,
    M5_TOKEN_CLOSE_PAREN,
    M5_TOKEN_OPEN_BRACE,
    M5_TOKEN_CLOSE_BRACE
} m5_token_kind;

typedef struct m5_token {
    m5_token_kind kind;
    bool new_line; /* there is a line break between it and the token before */
    m5_span span;
} m5_token;

typedef struct m5_lex {
    const uint8_t *p;    /* after the last token taken, or at the next one after a peek */
    const uint8_t *safe; /* below this the fast readers have M5_FAST_BYTES to look at */
    const uint8_t *base, *end;
    m5_report *report;
    m5_path path; /* what is being read, for diagnostics */
    bool ended;   /* the end of the file came too early, and was reported */
    bool camera;  /* an md5camera: what only loaders of models stumble over is not reported */
    const uint8_t *record;      /* the start of the record or header line being read */
    const uint8_t *record_said; /* ... if it was reported that it takes several lines */
    unsigned gap;               /* what was between the last token and `p` */
    const uint8_t *last;        /* the end of the last token, once a gap was skipped */
    const uint8_t *line;        /* the last line end passed */
    bool long_line;             /* some line was longer than M5_LEX_LONG */
    bool glued;                 /* a comment or string came right after something else */
    const uint8_t *line_end;    /* of the line last reported on */
    bool said_error;            /* an error was reported on that line */
    uint64_t said[(M5_PARSER_RULES + 63) / 64]; /* rules reported on that line, a bit each */
    m5_once said_cr, said_odd_cr, said_no_break, said_control;
    bool said_nul;         /* the text ends at a NUL, which was reported or will be */
    bool ends_in_cr;       /* a line did: it was reported, or suppressed */
    const m5_rule *rest;   /* what ends the text before the file does, not reported yet: ... */
    m5_span rest_at;       /* ... how grave that is depends on whether anything is missing */
    const char *rest_says; /* constant */
    bool lacks;            /* something was expected after the end of the text */
    bool may_cut;          /* a fraction that is cut off an integer does little harm */
    void (*comment)(void *user, m5_span at); /* called for each comment passed; or NULL */
    void *comment_user;
} m5_lex;

/* With `fast` false only the slow readers are used. The result is the same. */
void m5_lex_init(m5_lex *lex, m5_report *report, bool fast);

/* The next token, left in place; and the same, taken. */
m5_token m5_lex_peek(m5_lex *lex);
m5_token m5_lex_next(m5_lex *lex);
void m5_lex_take(m5_lex *lex, m5_token token);

/* A lexer at the same place that reports nothing, for looking ahead. `silent` is its report. */
m5_lex m5_lex_ahead(const m5_lex *lex, m5_report *silent);

/* The n-th token after `first`, which was peeked at; nothing moves and nothing is reported. */
m5_token m5_lex_peek_behind(const m5_lex *lex, m5_token first, unsigned n);

bool m5_lex_is(const m5_lex *lex, m5_token token, const char *word);

/* Reports at a token, with the current path. On each line one error is reported, and each warning
 * once and not after an error. */
void m5_lex_say(m5_lex *lex, const m5_rule *rule, m5_span at, const char *format, ...)
    M5_PRINTF(4, 5);

/* The same for a rule that measures. */
void m5_lex_say_as(m5_lex *lex, const m5_rule *rule, double measure, m5_span at, const char *format,
                   ...) M5_PRINTF(5, 6);

/* Reports what ended the text before the file does: to be called after the last token. It is mild
 * if the model is `complete`. */
void m5_lex_finish(m5_lex *lex, bool complete);

/* Reports that `what` was expected where `found` is; at the end of the line before if `found` is
 * only the start of the next line. */
void m5_lex_expected(m5_lex *lex, m5_token found, const char *what);

/* Whether the file ends within this token, so that it is incomplete; then takes it and reports the
 * early end. */
bool m5_lex_is_cut(m5_lex *lex, m5_token token);

/* Whether nothing more follows on the line of a record that could be part of it. Otherwise that is
 * reported and skipped, and it is not known which of the record's numbers is which. */
bool m5_lex_end_record(m5_lex *lex);

/* The next token as m5_lex_peek gives it, but after an extra number or parenthesis on the line of
 * the record before, which is reported. */
m5_token m5_lex_peek_record(m5_lex *lex);

/* Skips the rest of a record that cannot be read: up to the next line, or to a closing brace that
 * ends this one. */
void m5_lex_skip_line(m5_lex *lex);

/* ... and the lines below that do not begin a record, which are the rest of it. */
void m5_lex_skip_record(m5_lex *lex);

/* Skips from an opening brace, which was taken, to after its closing brace. */
void m5_lex_skip_block(m5_lex *lex);

/* Takes an opening brace. If there is none, that is reported, and reading goes on as if there were
 * one. False at the end of the file. */
bool m5_lex_open_brace(m5_lex *lex);
void m5_lex_close_brace(m5_lex *lex, m5_token token);

/* A word without marks around it that someone meant as quotes: apostrophes, or the typographic
 * quotes U+2018 to U+201F in UTF-8. The same span where there are none. */
m5_span m5_lex_inside_quotes(const char *text, m5_span at);

/* Whether a number with a leading zero may have lost its decimal point: 0993 for 0.993. */
bool m5_lex_may_be_fraction(const uint8_t *text, uint32_t length);

/* A quoted name; a bare word passes with a warning, without other quotes around it. */
bool m5_lex_name(m5_lex *lex, m5_name *out);

/* The start of a record or of a header line: reports one that shares a line. */
void m5_lex_begin(m5_lex *lex, m5_token first);

/* The place of the n-th token (from 0) from `offset` on: how diagnostics point into a record of
 * which only the start was kept. A lone minus sign and its number are one token. */
m5_span m5_lex_nth(const m5_source *source, uint32_t offset, uint32_t n);

/* The first byte of a word, which is never empty; 0 of anything else. */
static inline uint8_t m5_lex_first_byte(const m5_lex *lx, m5_token t)
{
    return t.kind == M5_TOKEN_WORD ? lx->base[t.span.offset] : 0;
}

bool m5_lex_record_slow(m5_lex *lex, const char *keyword);
/* Reports a token that begins a new line within its record. */
void m5_lex_warn_layout(m5_lex *lex, m5_token token);
bool m5_lex_begins_like_number(const m5_lex *lex, m5_token token);
/* Whether a token is a minus sign, and a number without one follows on the line: they are one. */
bool m5_lex_is_sign_alone(const m5_lex *lex, m5_token token);
bool m5_lex_paren_slow(m5_lex *lex, char paren);
bool m5_lex_int_slow(m5_lex *lex, int32_t *out);
bool m5_lex_float_slow(m5_lex *lex, float *out);
bool m5_lex_value_slow(m5_lex *lex, float *out);

/* What a gap between two tokens was made of. */
enum { M5_GAP_SKIPPED = 1, M5_GAP_BLANK = 2, M5_GAP_NEW_LINE = 4 };

/* Lines up to this length are not long: see m5_lex_has_long_lines. */
enum { M5_LEX_LONG = 480 };

static inline void m5_lex_pass_line(m5_lex *lex, const uint8_t *line_end)
{
    lex->long_line |= line_end - lex->line > M5_LEX_LONG;
    lex->line = line_end;
}

/* Whether some line of the file may be longer than M5_LEX_LONG, once the whole file was read. */
static inline bool m5_lex_has_long_lines(const m5_lex *lex)
{
    return lex->long_line || lex->base + lex->report->source->size - lex->line > M5_LEX_LONG;
}

static inline uint32_t m5_lex_offset(const m5_lex *lex)
{
    return (uint32_t)(lex->p - lex->base);
}

/* The bytes of a span, for %.*s with its length. */
static inline const char *m5_lex_text(const m5_lex *lex, m5_span span)
{
    return (const char *)lex->base + span.offset;
}

/* Whether a comment that begins with a slash and `second` begins at `p`. */
static inline bool m5_lex_at_comment(const m5_lex *lex, const uint8_t *p, char second)
{
    return lex->end - p >= 2 && p[0] == '/' && p[1] == (uint8_t)second;
}

/* Takes the keyword of a record if it is next, on the next line and as every exporter writes it;
 * `offset` is where it begins. */
static inline bool m5_lex_record_fast(m5_lex *lex, const char *keyword, size_t length,
                                      uint32_t *offset)
{
    const uint8_t *p = lex->p;
    if (p >= lex->safe)
        return false;
    p += *p == '\r';
    if (*p != '\n')
        return false;
    m5_lex_pass_line(lex, p++);
    for (int i = 0; i < 8 && (*p == '\t' || *p == ' '); i++)
        p++;
    if (memcmp(p, keyword, length) != 0 || p[length] != ' ')
        return false;
    *offset = (uint32_t)(p - lex->base);
    lex->record = p;
    lex->p = p + length;
    return true;
}

/* ... or in any other way. */
static inline bool m5_lex_record(m5_lex *lex, const char *keyword, size_t length, uint32_t *offset)
{
    if (m5_lex_record_fast(lex, keyword, length, offset))
        return true;
    if (!m5_lex_record_slow(lex, keyword))
        return false;
    *offset = m5_lex_offset(lex) - (uint32_t)length;
    return true;
}

static inline bool m5_lex_paren(m5_lex *lex, char paren)
{
    const uint8_t *p = lex->p;
    if (p < lex->safe && p[0] == ' ' && p[1] == (uint8_t)paren && m5_is_blank(p[2])) {
        lex->p = p + 2;
        return true;
    }
    return m5_lex_paren_slow(lex, paren);
}

static inline bool m5_lex_int(m5_lex *lex, int32_t *out)
{
    const uint8_t *p = lex->p;
    if (p < lex->safe && (*p == ' ' || *p == '\t')) {
        p = m5_fast_int(p + 1, out);
        if (p != NULL) {
            lex->p = p;
            return true;
        }
    }
    return m5_lex_int_slow(lex, out);
}

static inline bool m5_lex_float(m5_lex *lex, float *out)
{
    const uint8_t *p = lex->p;
    if (p < lex->safe && *p == ' ') {
        p = m5_fast_float(p + 1, out);
        if (p != NULL) {
            lex->p = p;
            return true;
        }
    }
    return m5_lex_float_slow(lex, out);
}

/* Reads numbers of a list that may take any number of lines: at most `room`, and up to one that the
 * slow reader must judge, or to something that is not a number. Returns how many. */
uint32_t m5_lex_values(m5_lex *lex, float *out, uint32_t room);

/* A number of that list; false if the next token is not a number. */
static inline bool m5_lex_value(m5_lex *lex, float *out)
{
    return m5_lex_values(lex, out, 1) != 0 || m5_lex_value_slow(lex, out);
}

/* ( x y z ) */
bool m5_lex_vector(m5_lex *lex, float out[3]);

/* The word that a record at `offset` begins with: a related place that is cheap to find, however
 * many findings share it. */
m5_span m5_lex_word_at(const m5_source *source, uint32_t offset);

M5_END_C

#endif
