/* Reads the options about engines. */
#include "reading.h"
#include "lint/core/nearest.h"

#include <string.h>

/* The bits of a name; 0 if it is unknown, which is reported. */
static uint32_t read_target(m5_reading *r, const char *name, size_t length)
{
    char word[M5_NEAREST_MAX + 1];
    uint32_t targets = m5_targets_by_name(name, length);
    if (targets != 0)
        return targets;
    size_t most = length < M5_NEAREST_MAX ? length : M5_NEAREST_MAX;
    memcpy(word, name, most);
    word[most] = '\0';
    m5_wrong_option(r, "unknown target", word, m5_nearest(word, m5_target_name_at));
    return 0;
}

void m5_read_targets(m5_reading *r, const char *list)
{
    for (;;) {
        size_t length = strcspn(list, ",");
        r->o->settings.targets |= read_target(r, list, length);
        if (list[length] == '\0' || r->o->action == M5_ACT_USAGE)
            return;
        list += length + 1;
    }
}

void m5_read_fail_on_target(m5_reading *r, const char *text)
{
    static const char *const words[] = {"misplays", "refuses", "exits", "crashes", NULL};
    static const m5_outcome outcomes[] = {M5_MISPLAYS, M5_REFUSES, M5_EXITS, M5_CRASHES};
    int i = m5_read_word(r, text, words, "expected misplays, refuses, exits or crashes, found");
    if (i >= 0)
        r->o->fail_on_target = outcomes[i];
}
