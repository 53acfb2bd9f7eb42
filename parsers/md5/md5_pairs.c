/* Reads two vectors in a row: boxes and poses of an md5anim, frames of an md5camera. */
#include "md5_parser.h"

/* Whether two vectors follow, the first of them not the last on its line. */
static bool is_pair(const m5_lex *lx, m5_token first)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(lx, &silent);
    float vector[3];
    return !m5_lex_peek_behind(lx, first, 5).new_line && m5_lex_vector(&ahead, vector) &&
           m5_lex_vector(&ahead, vector);
}

/* Whether the rest of the line after a first vector was lost, and the line below is a record. */
static bool is_cut_short(m5_lex *lx)
{
    if (lx->end - lx->p >= 2 && lx->p[0] == ' ' && lx->p[1] == '(')
        return false; /* by speed only */
    m5_token t = m5_lex_peek(lx);
    if (!t.new_line || t.kind != M5_TOKEN_OPEN_PAREN || !is_pair(lx, t))
        return false;
    m5_lex_expected(lx, t, "'('");
    return true;
}

bool m5_md5_read_pair(m5_md5_parser *p, m5_token first, float a[3], float b[3])
{
    m5_lex_begin(&p->lx, first);
    return m5_lex_vector(&p->lx, a) && !is_cut_short(&p->lx) && m5_lex_vector(&p->lx, b);
}

void m5_md5_skip_pair(m5_md5_parser *p, m5_token first)
{
    if (first.kind == M5_TOKEN_OPEN_PAREN)
        m5_lex_skip_record(&p->lx);
    else
        m5_lex_skip_line(&p->lx);
}

bool m5_md5_skip_odd_vector(m5_md5_parser *p, m5_token first)
{
    if (first.new_line || is_pair(&p->lx, first))
        return false;
    m5_lex_say(&p->lx, M5_ROW(md5_record_syntax), first.span,
               "expected the end of the line, found '('");
    m5_lex_skip_line(&p->lx);
    return true;
}
