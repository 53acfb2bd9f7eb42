/* Private: splits Doom 3 declarations into tokens as idLexer does with the flags for declarations
 * (source of Doom 3, idlib/Lexer.cpp and DECL_LEXER_FLAGS): no escapes in strings, which end on
 * their line; "a" \ "b" is one string; a word may be a path. */
#ifndef M5_DEF_LEX_H
#define M5_DEF_LEX_H

#include "../core/source.h"

M5_BEGIN_C

typedef enum m5_def_kind {
    M5_DEF_END,
    M5_DEF_WORD,
    M5_DEF_NUMBER,
    M5_DEF_STRING,  /* "text" */
    M5_DEF_LITERAL, /* 'text' */
    M5_DEF_SIGN     /* ( ) { } , - * and other punctuation */
} m5_def_kind;

typedef enum m5_def_flaw {
    M5_DEF_FINE,
    M5_DEF_OPEN_STRING,  /* the line ends before the closing quote */
    M5_DEF_OPEN_COMMENT, /* the file ends before the end of the comment; the span is its start */
    M5_DEF_NUL,          /* the file has a NUL byte here, where Doom 3 stops */
    M5_DEF_ODD_BYTE      /* no token begins with this byte */
} m5_def_flaw;

typedef struct m5_def_token {
    m5_def_kind kind;
    m5_def_flaw flaw;
    bool new_line; /* there is a line break before it, or the start of the file */
    bool glued;    /* nothing is between it and the token before */
    m5_span span;
    m5_span text; /* without quotes */
} m5_def_token;

/* The token at or after `offset`. Nothing is kept: it can be read as often as wanted. */
m5_def_token m5_def_scan(const m5_source *source, uint32_t offset);

static inline uint32_t m5_def_end(m5_def_token t)
{
    return t.span.offset + t.span.length;
}

/* Whether the text of a token, or any span, is this word. */
bool m5_def_is(const m5_source *source, m5_span text, const char *word);

/* ... whatever the case of its letters. */
bool m5_def_is_like(const m5_source *source, m5_span text, const char *word);

/* Whether a word may be `word` misspelt: other case, or one letter changed, extra, missing, or two
 * exchanged, in a word of four letters or more. A digit is never a mistake: walk1, walk2. */
bool m5_def_is_misspelt(const m5_source *source, m5_span text, const char *word);

/* The last dot of a path and what follows; empty if the file's name has none. */
m5_span m5_def_extension(const m5_source *source, m5_span path);

/* The value of a number without a point, at most INT32_MAX. As in C, 0x begins a hexadecimal number
 * and 0 an octal one. False if it has a point or an exponent. */
bool m5_def_int(const m5_source *source, m5_span text, int32_t *out);

/* The word of a flag of an animation, by bit; NULL past the last. */
const char *m5_def_flag_name(unsigned bit);

M5_END_C

#endif
