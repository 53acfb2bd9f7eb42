/* Reports what is wrong with the command line. */
#include "reading.h"

#include <string.h>

static void put_cut(const m5_writer *out, const char *text)
{
    size_t length = strlen(text);
    m5_output_safe(out, text, length > 80 ? 80 : length);
    m5_output_string(out, length > 80 ? "..." : "");
}

void m5_wrong_option(m5_reading *r, const char *what, const char *word, const char *nearest)
{
    m5_output_string(r->err, "md5lint: ");
    if (r->option != NULL)
        m5_write(r->err, "--%s: ", r->option);
    m5_output_string(r->err, what);
    if (word != NULL) {
        m5_output_string(r->err, " '");
        put_cut(r->err, word);
        m5_output_string(r->err, "'");
    }
    if (nearest != NULL)
        m5_write(r->err, "; did you mean '%s'?", nearest);
    m5_output_string(r->err, "\nTry 'md5lint --help'.\n");
    r->o->action = M5_ACT_USAGE;
}

int m5_read_word(m5_reading *r, const char *word, const char *const *words, const char *what)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    m5_wrong_option(r, what, word, NULL);
    return -1;
}
