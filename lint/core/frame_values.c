/* Finds where the values of an md5anim's frames are in the file: by lexing again, because models
 * keep no offset for each value. */
#include "frame_values.h"
#include "parsers/core/exact.h"

m5_check_value_finder m5_check_start_finding(const m5_lint_file *f)
{
    return (m5_check_value_finder){
        .file = f, .frame = M5_NO_INDEX, .silent = {.source = &f->source}};
}

/* Skips `frame number {`, or what a flawed file has there: up to the brace, or the next line. */
static void skip_head(m5_lex *lx)
{
    bool brace = false;
    for (bool first = true; !brace; first = false) {
        m5_token t = m5_lex_peek(lx);
        brace = t.kind == M5_TOKEN_OPEN_BRACE;
        if (t.kind == M5_TOKEN_END || (t.new_line && !first && !brace))
            return;
        m5_lex_next(lx);
    }
}

m5_span m5_check_find_value(m5_check_value_finder *v, uint32_t frame, uint32_t component)
{
    if (frame != v->frame || component + 1 < v->next) {
        m5_lex_init(&v->lx, &v->silent, false);
        v->lx.p = v->lx.base + v->file->model.md5anim->frames[frame];
        skip_head(&v->lx);
        v->frame = frame;
        v->next = 0;
    }
    for (; v->next <= component; v->next++) {
        m5_token t = m5_lex_next(&v->lx);
        v->at = m5_lex_is(&v->lx, t, "-") ? m5_lex_next(&v->lx).span : t.span;
    }
    return v->at;
}

m5_span m5_check_value_at(const m5_lint_file *f, uint32_t frame, uint32_t component)
{
    m5_check_value_finder finder = m5_check_start_finding(f);
    return m5_check_find_value(&finder, frame, component);
}
