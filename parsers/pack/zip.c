/* Reads a zip: from its end to the directory, and from there to the members. */
#include "zip.h"
#include "../core/emit.h"

static bool begins_like_zip(const m5_source *s)
{
    return m5_cursor_is(s, 0, "PK\3\4") || m5_cursor_is(s, 0, "PK\7\10");
}

static void say_no_end(m5_pack_parser *w)
{
    const m5_source *s = w->source;
    bool split = m5_cursor_is(s, 0, "PK\7\10"); /* the first file of several [8.5.3] */
    m5_diag d = m5_pack_found_at(split ? M5_ROW(pack_disk) : M5_ROW(pack_end_missing),
                                 split ? 0 : s->size, split ? 4 : 0, split ? "header" : "endRecord",
                                 NULL);
    m5_emit(w->report, &d, 0,
            split ? "this is the first file of an archive that was split"
                  : "the file ends without an end record, which says where the directory is: it is "
                    "cut off");
}

bool m5_pack_read_zip(m5_pack_parser *w)
{
    m5_zip_end end;
    m5_zip_found found = m5_zip_find_end(w, &end);
    if (found == M5_ZIP_NONE && !begins_like_zip(w->source))
        return false;
    w->model->zip = true;
    if (found == M5_ZIP_NONE)
        say_no_end(w);
    if (found == M5_ZIP_REFUSED)
        return true;
    if (found == M5_ZIP_NONE || !m5_zip_read_directory(w, &end))
        m5_zip_recover(w);
    return true;
}
