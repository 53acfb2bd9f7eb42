/* Splits Doom 3 declarations into tokens. */
#include "def_lex.h"
#include "../core/number.h"
#include "../core/text.h"

#include <string.h>

/* ---- White space and comments -------------------------------------------------------------- */

/* idLexer takes any char up to ' ' as a blank; where char is signed, as on a PC, that includes the
 * bytes from 0x80 on. */
static bool is_blank(uint8_t c)
{
    return (c <= ' ' && c != 0) || c >= 0x80;
}

/* The end of the comment that begins at `at`; of one that is not closed, the NUL byte in it or the
 * end of the file. idLexer looks for the closing slash right after the first two bytes, so that it
 * takes a comment of three bytes as complete. */
static uint32_t end_of_comment(const m5_source *s, uint32_t at, bool *open)
{
    bool block = s->bytes[at + 1] == '*';
    for (at += 2; at < s->size && s->bytes[at] != 0; at++) {
        if (block ? s->bytes[at] == '/' && s->bytes[at - 1] == '*' : s->bytes[at] == '\n')
            return block ? at + 1 : at;
    }
    *open = block;
    return at;
}

static bool begins_comment(const m5_source *s, uint32_t at)
{
    return s->size - at >= 2 && s->bytes[at] == '/' &&
           (s->bytes[at + 1] == '/' || s->bytes[at + 1] == '*');
}

/* Where the next token begins; `t` learns what was before it. */
static uint32_t skip_gap(const m5_source *s, uint32_t at, m5_def_token *t)
{
    bool open = false;
    while (at < s->size && (is_blank(s->bytes[at]) || begins_comment(s, at))) {
        uint32_t from = at;
        at = is_blank(s->bytes[at]) ? at + 1 : end_of_comment(s, at, &open);
        t->new_line |= memchr(s->bytes + from, '\n', at - from) != NULL;
        t->glued = false;
        if (open && at == s->size) {
            t->flaw = M5_DEF_OPEN_COMMENT;
            return from;
        }
    }
    return at;
}

/* ---- Tokens --------------------------------------------------------------------------------- */

static bool is_letter(uint8_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool begins_word(uint8_t c)
{
    return is_letter(c) || c == '_' || c == '/' || c == '\\' || c == '.';
}

static bool is_in_word(uint8_t c)
{
    return begins_word(c) || m5_is_digit(c) || c == ':';
}

/* The byte at an offset, 0 past the end. */
static uint8_t byte_at(const m5_source *s, uint32_t at)
{
    return at < s->size ? s->bytes[at] : 0;
}

static uint32_t end_of_word(const m5_source *s, uint32_t at)
{
    do
        at++;
    while (at < s->size && is_in_word(s->bytes[at]));
    return at;
}

static uint32_t skip_digits(const m5_source *s, uint32_t at, bool hex)
{
    for (;; at++) {
        uint8_t c = byte_at(s, at);
        if (!m5_is_digit(c) && !(hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f'))
            return at;
    }
}

/* digits [. digits] [e [+-] digits] with a suffix such as f or ul, or 0x and hexadecimal digits. */
static uint32_t end_of_number(const m5_source *s, uint32_t at)
{
    bool hex = s->bytes[at] == '0' && (byte_at(s, at + 1) | 0x20) == 'x', whole = true;
    at = skip_digits(s, hex ? at + 2 : at, hex);
    for (; !hex && byte_at(s, at) == '.'; whole = false)
        at = skip_digits(s, at + 1, false);
    if (!hex && byte_at(s, at) == 'e') {
        uint8_t sign = byte_at(s, at + 1);
        at = skip_digits(s, at + (sign == '-' || sign == '+' ? 2 : 1), false);
        whole = false;
    }
    for (int i = 0; i < (whole ? 2 : 1); i++) {
        uint8_t c = byte_at(s, at) | 0x20;
        at += c == 'l' || c == (whole ? 'u' : 'f');
    }
    return at;
}

/* The quote that goes on with a string after a backslash: "a" \ "b". 0 if there is none. */
static uint32_t next_part(const m5_source *s, uint32_t at)
{
    m5_def_token gap = {M5_DEF_END, M5_DEF_FINE, false, true, {0, 0}, {0, 0}};
    at = skip_gap(s, at, &gap);
    if (byte_at(s, at) != '\\')
        return 0;
    at = skip_gap(s, at + 1, &gap);
    return byte_at(s, at) == '"' ? at : 0;
}

/* The closing quote, or where its line or the file ends without one. */
static uint32_t end_of_part(const m5_source *s, uint32_t at, uint8_t quote)
{
    while (at < s->size && s->bytes[at] != quote && s->bytes[at] != '\n' && s->bytes[at] != 0)
        at++;
    return at;
}

static void read_string(const m5_source *s, uint32_t at, m5_def_token *t)
{
    uint8_t quote = s->bytes[at];
    uint32_t end = end_of_part(s, at + 1, quote), part;
    t->kind = quote == '"' ? M5_DEF_STRING : M5_DEF_LITERAL;
    while (quote == '"' && byte_at(s, end) == '"' && (part = next_part(s, end + 1)) != 0)
        end = end_of_part(s, part + 1, quote);
    bool closed = byte_at(s, end) == quote;
    if (end < s->size && s->bytes[end] == 0) { /* the file ends in the string */
        *t = (m5_def_token){M5_DEF_END, M5_DEF_NUL, t->new_line, t->glued, {end, 0}, {end, 0}};
        return;
    }
    t->flaw = closed ? M5_DEF_FINE : M5_DEF_OPEN_STRING;
    while (!closed && s->bytes[end - 1] == '\r')
        end--;
    t->text = (m5_span){at + 1, end - (at + 1)};
    t->span = (m5_span){at, end + closed - at};
}

/* The longest of idLexer's punctuation that begins at `at`; 0 if none does. */
static uint32_t length_of_sign(const m5_source *s, uint32_t at)
{
    static const char *const signs[] = {
        ">>=", "<<=", "&&", "||", ">=", "<=", "==", "!=", "*=", "%=", "+=", "-=",
        "++",  "--",  "&=", "|=", "^=", "~=", ">>", "<<", "->", "::", "##"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        uint32_t length = (uint32_t)strlen(signs[i]);
        if (s->size - at >= length && memcmp(s->bytes + at, signs[i], length) == 0)
            return length;
    }
    static const char single[] = "*%+-=&|^~!><,;:?(){}[]#$";
    return memchr(single, s->bytes[at], sizeof single - 1) != NULL ? 1 : 0;
}

static void read_sign(const m5_source *s, uint32_t at, m5_def_token *t)
{
    uint32_t length = length_of_sign(s, at);
    t->kind = M5_DEF_SIGN;
    t->flaw = length == 0 ? M5_DEF_ODD_BYTE : M5_DEF_FINE;
    t->span = t->text = (m5_span){at, length == 0 ? 1 : length};
}

m5_def_token m5_def_scan(const m5_source *s, uint32_t offset)
{
    m5_def_token t = {M5_DEF_END, M5_DEF_FINE, offset == 0, offset != 0, {0, 0}, {0, 0}};
    uint32_t at = skip_gap(s, offset, &t), end = at;
    uint8_t c = byte_at(s, at);
    t.span = t.text = (m5_span){at, t.flaw == M5_DEF_OPEN_COMMENT ? 2 : 0};
    if (t.flaw != M5_DEF_FINE || at == s->size)
        return t;
    if (c == 0) {
        t.flaw = M5_DEF_NUL;
    } else if (m5_is_digit(c) || (c == '.' && m5_is_digit(byte_at(s, at + 1)))) {
        t.kind = M5_DEF_NUMBER;
        end = end_of_number(s, at);
    } else if (begins_word(c)) {
        t.kind = M5_DEF_WORD;
        end = end_of_word(s, at);
    } else if (c == '"' || c == '\'') {
        read_string(s, at, &t);
        return t;
    } else {
        read_sign(s, at, &t);
        return t;
    }
    t.span = t.text = (m5_span){at, end - at};
    return t;
}

/* ---- The text of tokens ---------------------------------------------------------------------- */

bool m5_def_is(const m5_source *s, m5_span text, const char *word)
{
    return text.length == strlen(word) && memcmp(s->bytes + text.offset, word, text.length) == 0;
}

static uint8_t fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

bool m5_def_is_like(const m5_source *s, m5_span text, const char *word)
{
    if (text.length != strlen(word))
        return false;
    for (uint32_t i = 0; i < text.length; i++)
        if (fold(s->bytes[text.offset + i]) != fold((uint8_t)word[i]))
            return false;
    return true;
}

/* Whether words of the same length that differ in more than one letter differ in two neighbours
 * that are exchanged. */
static bool is_exchanged(const char *a, const char *b, uint32_t length)
{
    uint32_t i = 0;
    while (a[i] == b[i])
        i++;
    return a[i] == b[i + 1] && a[i + 1] == b[i] &&
           memcmp(a + i + 2, b + i + 2, length - i - 2) == 0;
}

enum { LONGEST = 32 }; /* the words of Doom 3 are shorter */

/* Copies a word in lower case. False if it has a digit. */
static bool copy_folded(char *out, const uint8_t *text, uint32_t length)
{
    bool digits = false;
    for (uint32_t i = 0; i < length; i++) {
        digits |= m5_is_digit(text[i]);
        out[i] = (char)fold(text[i]);
    }
    return !digits;
}

bool m5_def_is_misspelt(const m5_source *s, m5_span text, const char *word)
{
    char a[LONGEST], b[LONGEST];
    uint32_t length = (uint32_t)strlen(word);
    if (m5_def_is_like(s, text, word))
        return !m5_def_is(s, text, word);
    if (length < 4 || text.length > length + 1 || text.length + 1 < length ||
        !copy_folded(a, s->bytes + text.offset, text.length) ||
        !copy_folded(b, (const uint8_t *)word, length))
        return false;
    return m5_edit_distance(a, text.length, b, length) == 1 ||
           (text.length == length && is_exchanged(a, b, length));
}

m5_span m5_def_extension(const m5_source *s, m5_span path)
{
    uint32_t end = path.offset + path.length;
    for (uint32_t at = end; at > path.offset; at--) {
        uint8_t c = s->bytes[at - 1];
        if (c == '.')
            return (m5_span){at - 1, end - (at - 1)};
        if (c == '/' || c == '\\')
            break;
    }
    return (m5_span){end, 0};
}

/* The value of a digit in any base up to 16, and 16 of a point or sign. */
static uint32_t digit_of(uint8_t c)
{
    if (m5_is_digit(c))
        return c - (uint32_t)'0';
    c |= 0x20;
    return c >= 'a' ? c - (uint32_t)'a' + 10 : 16;
}

bool m5_def_int(const m5_source *s, m5_span text, int32_t *out)
{
    const uint8_t *digits = s->bytes + text.offset;
    bool zero = text.length > 1 && digits[0] == '0', hex = zero && (digits[1] | 0x20) == 'x';
    uint32_t base = hex ? 16 : zero ? 8 : 10;
    uint64_t value = 0;
    for (uint32_t i = hex ? 2 : 0; i < text.length; i++) {
        uint8_t c = digits[i] | 0x20;
        if (c == 'l' || c == 'u')
            break;
        if (digit_of(c) >= base)
            return false;
        value = value * base + digit_of(c);
        value = value < INT32_MAX ? value : INT32_MAX;
    }
    *out = (int32_t)value;
    return true;
}
