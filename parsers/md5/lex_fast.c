/* The fast readers of lex.h that read more than one number: where the time goes. */
#include "lex.h"

/* The end of the white space in a list; NULL if there is none, or more than any exporter writes. */
M5_INLINE const uint8_t *behind_blanks(m5_lex *lx, const uint8_t *p)
{
    if (p[0] == ' ' && p[1] > ' ')
        return p + 1;
    if (p[0] == '\n' && p[1] == '\t' && p[2] > ' ') {
        m5_lex_pass_line(lx, p);
        return p + 2;
    }
    if (!m5_is_blank(*p) || (*p == '\r' && p[1] != '\n'))
        return NULL;
    p += *p == '\r';
    for (int i = 0; i < 8 && (*p == ' ' || *p == '\n' || *p == '\t'); i++, p++)
        if (*p == '\n')
            m5_lex_pass_line(lx, p);
    return p;
}

uint32_t m5_lex_values(m5_lex *lx, float *out, uint32_t room)
{
    const uint8_t *p = lx->p, *safe = lx->safe;
    uint32_t n = 0;
    while (n < room && p < safe) {
        const uint8_t *next = behind_blanks(lx, p);
        if (next == NULL || (next = m5_fast_float(next, &out[n])) == NULL)
            break;
        p = next;
        n++;
    }
    lx->p = p;
    return n;
}

/* ( x y z ) on one line, with a space between any two tokens: from the parenthesis on. */
M5_INLINE const uint8_t *plain_vector(const m5_lex *lx, const uint8_t *p, float out[3])
{
    if (p >= lx->safe || *p++ != '(')
        return NULL;
    for (int i = 0; i < 3; i++) {
        if (p >= lx->safe || *p != ' ' || (p = m5_fast_float(p + 1, &out[i])) == NULL)
            return NULL;
    }
    return p < lx->safe && p[0] == ' ' && p[1] == ')' && m5_is_blank(p[2]) ? p + 2 : NULL;
}

bool m5_lex_vector(m5_lex *lx, float out[3])
{
    const uint8_t *p = NULL;
    if (lx->p < lx->safe && lx->gap == 0 && *lx->p == ' ')
        p = plain_vector(lx, lx->p + 1, out);
    else if (lx->gap == (M5_GAP_SKIPPED | M5_GAP_BLANK)) /* it was peeked at */
        p = plain_vector(lx, lx->p, out);
    if (p != NULL) {
        lx->p = p;
        lx->gap = 0;
        return true;
    }
    return m5_lex_paren(lx, '(') && m5_lex_float(lx, &out[0]) && m5_lex_float(lx, &out[1]) &&
           m5_lex_float(lx, &out[2]) && m5_lex_paren(lx, ')');
}
