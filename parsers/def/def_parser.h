/* Private to the parser of declarations: its state, and what all parts of it use.
 *
 * The file is read twice: silently to count what there is, and then once more to store and report
 * it. Each record takes at most 4 times the bytes of its shortest text. */
#ifndef M5_DEF_PARSER_H
#define M5_DEF_PARSER_H

#include "def.h"
#include "def_lex.h"
#include "../core/emit.h"

M5_BEGIN_C

typedef enum m5_def_type {
    M5_DEF_UNKNOWN,
    M5_DEF_OTHER, /* a type of Doom 3 that is passed over */
    M5_DEF_ENTITY,
    M5_DEF_MODEL
} m5_def_type;

typedef struct m5_def_parser {
    m5_report *report; /* one without a sink while counting */
    const m5_source *source;
    m5_def *def;
    bool storing;  /* the arrays are there: this is the second time */
    bool balanced; /* each brace of the file has its counterpart */
    bool cut; /* the file ends too early, which is reported in place of what is missing there */
    m5_once said_odd_byte;
    m5_path path;
    uint32_t at; /* the end of the token taken last */
    m5_def_token next;
    bool peeked;
    uint32_t line_end; /* up to here it is known whether the line ... */
    bool line_open;    /* ... has a string without its closing quote */
    m5_span hidden[2]; /* the last two lines with an error: nothing else is reported on them */
} m5_def_parser;

/* The next token, left in place; and the next, taken. */
m5_def_token m5_def_peek(m5_def_parser *p);
m5_def_token m5_def_next(m5_def_parser *p);

/* ... after bytes that are no part of any token. */
m5_def_token m5_def_peek_sound(m5_def_parser *p);

/* Takes the rest of a line, but no brace. */
void m5_def_skip_line(m5_def_parser *p);

/* Takes a block from its opening brace on, up to its closing brace or where a declaration shows
 * that this is missing. `name` is the declaration's. */
void m5_def_skip_block(m5_def_parser *p, m5_span name);

/* Begins a finding with the current path. m5_def_report reports it, unless there was an error on
 * its line before. */
m5_diag m5_def_found(const m5_def_parser *p, const m5_rule *rule, m5_span at);
void m5_def_report(m5_def_parser *p, m5_diag *d, double measure, const char *format, ...)
    M5_PRINTF(4, 5);

/* Reports that the closing brace of the block of `name` is missing after the token taken last. */
void m5_def_say_no_end(m5_def_parser *p, m5_span name);

/* The type of declaration that a word is, and the one that it may be meant to be, whose name is
 * then `*name`. */
m5_def_type m5_def_type_of(const m5_source *source, m5_def_token token);
m5_def_type m5_def_type_meant(const m5_source *source, m5_def_token token, const char **name);

/* Whether this token begins a line with TYPE NAME { of a known type. */
bool m5_def_begins_declaration(const m5_def_parser *p, m5_def_token token);

/* Whether it begins a line with mesh, channel, anim and what follows these in a model. */
bool m5_def_begins_model_line(const m5_def_parser *p, m5_def_token token);

/* Whether a token is the path of a file with this extension. */
bool m5_def_is_file(const m5_def_parser *p, m5_def_token token, const char *extension);

/* Takes the name or path after a keyword. False if there is none, which is reported as missing
 * `what`. */
bool m5_def_read_name(m5_def_parser *p, m5_span keyword, const char *what, m5_name *out);

/* The bodies of declarations: from the opening brace on, or from where it is missing. */
void m5_def_read_model(m5_def_parser *p, m5_span name);
void m5_def_read_anim(m5_def_parser *p, m5_span keyword);
void m5_def_read_entity(m5_def_parser *p, m5_span name);

/* The keyword of a model's line that a word is; `misspelt`: or may be meant to be. NULL if none. */
const char *m5_def_model_key(const m5_def_parser *p, m5_span text, bool misspelt);

/* The token after another one; nothing moves. */
m5_def_token m5_def_after(const m5_def_parser *p, m5_def_token token);

/* Whether a token is this sign; a brace; or can be a name or path. */
bool m5_def_is_sign(const m5_def_parser *p, m5_def_token token, char sign);
bool m5_def_is_brace(const m5_def_parser *p, m5_def_token token);
bool m5_def_is_name(m5_def_token token);

/* A span of the source, for %.*s. */
#define M5_DEF_TEXT(p, span) (int)(span).length, (const char *)(p)->source->bytes + (span).offset

M5_END_C

#endif
