/* Finds the comments of a text file: see comments.h. */
#include "comments.h"
#include "parsers/def/def_lex.h"
#include "parsers/md5/lex.h"

#include <string.h>

typedef struct walk {
    const m5_source *source;
    m5_take_comment *take;
    void *user;
    bool first;
} walk;

static void take(void *user, m5_span at)
{
    walk *w = user;
    const uint8_t *bytes = w->source->bytes;
    if (bytes[at.offset + 1] != '/')
        return;
    while (bytes[at.offset + at.length - 1] <= ' ')
        at.length--;
    w->take(w->user, at, w->first);
}

static void walk_md5(walk *w)
{
    m5_report silent = {.source = w->source};
    m5_lex lex;
    m5_lex_init(&lex, &silent, false);
    lex.comment = take;
    lex.comment_user = w;
    while (m5_lex_next(&lex).kind != M5_TOKEN_END)
        w->first = false;
}

/* Between two tokens there are only blanks and comments. Returns where this one ends. */
static uint32_t walk_comment(walk *w, uint32_t at, uint32_t end)
{
    const uint8_t *from = w->source->bytes + at, *p = from + 2, *last = w->source->bytes + end;
    if (from[1] == '/') {
        p = memchr(from, '\n', end - at);
        p = p != NULL ? p : last;
        take(w, (m5_span){at, (uint32_t)(p - from)});
    } else {
        for (p++; p < last && !(p[0] == '/' && p[-1] == '*'); p++) {
        }
        p += p < last;
    }
    return at + (uint32_t)(p - from);
}

static void walk_def(walk *w)
{
    m5_def_token t;
    for (uint32_t at = 0;; at = m5_def_end(t)) {
        t = m5_def_scan(w->source, at);
        while (at + 1 < t.span.offset)
            at = w->source->bytes[at] == '/' ? walk_comment(w, at, t.span.offset) : at + 1;
        if (t.kind == M5_DEF_END)
            return;
        w->first = false;
    }
}

void m5_comments_each(const m5_source *source, unsigned format_bit, m5_take_comment *take_comment,
                      void *user)
{
    walk w = {source, take_comment, user, true};
    if (format_bit & M5_IN_MD5)
        walk_md5(&w);
    if (format_bit & M5_IN_DEF)
        walk_def(&w);
}

/* A colon is rare. */
bool m5_comments_are_likely(const m5_source *s)
{
    static const char word[] = "md5lint";
    enum { LENGTH = sizeof word - 1, RARE = 3 }; /* there are few l in models */
    const uint8_t *p = s->bytes, *end = s->bytes + s->size;
    for (; p < end && (p = memchr(p, word[RARE], (size_t)(end - p))) != NULL; p++)
        if (p - s->bytes >= RARE && end - p >= LENGTH - RARE && memcmp(p - RARE, word, LENGTH) == 0)
            return true;
    return false;
}
