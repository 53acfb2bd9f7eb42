/* Expensive archives: parsing and linting them must not need more memory than m5.h promises.
 * tests/gates/linear counts the steps. */
#include "hostile_files.h"

/* ---- Structures ------------------------------------------------------------------------------ */

static void put(file *f, uint32_t value, int bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        add_bytes(f, &(uint8_t){(uint8_t)value}, 1);
}

enum { DESCRIBED = 8, DEFLATED = 8 };

static void local(file *f, const char *name, uint32_t flags, uint32_t method, uint32_t size,
                  uint32_t extra)
{
    add_bytes(f, "PK\3\4", 4), put(f, 10, 2), put(f, flags, 2), put(f, method, 2), put(f, 0, 4);
    put(f, 0, 4), put(f, size, 4), put(f, size, 4);
    put(f, (uint32_t)strlen(name), 2), put(f, extra, 2), add_bytes(f, name, strlen(name));
}

static void entry(file *f, const char *name, uint32_t method, uint32_t size, uint32_t offset)
{
    add_bytes(f, "PK\1\2", 4), put(f, 10, 2), put(f, 10, 2), put(f, 0, 2), put(f, method, 2);
    put(f, 0, 4), put(f, 0, 4), put(f, size, 4), put(f, size, 4);
    put(f, (uint32_t)strlen(name), 2), put(f, 0, 2), put(f, 0, 2), put(f, 0, 2), put(f, 0, 2);
    put(f, 0, 4), put(f, offset, 4), add_bytes(f, name, strlen(name));
}

static void end(file *f, uint32_t count, size_t directory)
{
    uint32_t size = (uint32_t)(f->size - directory);
    add_bytes(f, "PK\5\6", 4), put(f, 0, 4), put(f, count, 2), put(f, count, 2), put(f, size, 4);
    put(f, (uint32_t)directory, 4), put(f, 0, 2);
}

/* The number of times that records of so many bytes fit, with an end record. */
static uint32_t count_of_records(const file *f, size_t bytes)
{
    return left(f) > 22 ? (uint32_t)((left(f) - 22) / bytes) : 0;
}

/* ---- Members --------------------------------------------------------------------------------- */

static void members_named(file *f, const char *format, size_t length)
{
    uint32_t count = count_of_records(f, 30 + 46 + 2 * length);
    char name[300];
    for (uint32_t i = 0; i < count; i++)
        snprintf(name, sizeof name, format, i), local(f, name, 0, 0, 0, 0);
    size_t directory = f->size;
    for (uint32_t i = 0; i < count; i++)
        snprintf(name, sizeof name, format, i), entry(f, name, 0, 0, (uint32_t)(i * (30 + length)));
    end(f, count, directory);
}

static void pack_members(file *f)
{
    members_named(f, "%06u.md5mesh", 14);
}
static void pack_backwards(file *f)
{
    uint32_t count = count_of_records(f, 30 + 46 + 2);
    for (uint32_t i = 0; i < count; i++)
        local(f, "a", 0, 0, 0, 0);
    size_t directory = f->size;
    for (uint32_t i = count; i > 0; i--)
        entry(f, "a", 0, 0, (i - 1) * 31);
    end(f, count, directory);
}
static void pack_same_names(file *f)
{
    members_named(f, "a.md5mesh", 9);
}
static void pack_long_names(file *f)
{
    char format[256] = "";
    memset(format, 'a', 200);
    memcpy(format + 200, "%06u", 5);
    members_named(f, format, 206);
}
static void pack_control_names(file *f)
{
    members_named(f, "\1\\%06u", 8);
}

/* Deflated data that is nothing but empty blocks. */
static void pack_empty_blocks(file *f)
{
    uint32_t packed = left(f) > 200 ? (uint32_t)left(f) - 200 : 5;
    packed -= packed % 5;
    local(f, "a.md5mesh", 0, DEFLATED, packed, 0);
    for (uint32_t i = 0; i < packed; i += 5)
        add_bytes(f, "\0\0\0\377\377", 5);
    size_t directory = f->size;
    entry(f, "a.md5mesh", DEFLATED, packed, 0);
    end(f, 1, directory);
}

/* ---- Entries that have no member of their own ------------------------------------------------ */

static void entries_for(file *f, const char *name)
{
    size_t directory = f->size;
    uint32_t count = count_of_records(f, 46 + strlen(name));
    for (uint32_t i = 0; i < count; i++)
        entry(f, name, 0, 0, 0);
    end(f, count, directory);
}

static void pack_no_locals(file *f)
{
    entries_for(f, "a");
}
static void pack_one_local(file *f)
{
    local(f, "a", 0, 0, 0, 0);
    entries_for(f, "a");
}

static void with_extra(file *f, const char *record, size_t size)
{
    uint32_t extra = left(f) > 100000 ? 20000 : (uint32_t)left(f) / 5;
    local(f, "a", 0, 0, 0, extra);
    for (uint32_t i = 0; i < extra; i++)
        add_bytes(f, record + i % size, 1);
    entries_for(f, "a");
}
static void pack_one_padding(file *f)
{
    with_extra(f, "", 1);
}
static void pack_one_extra(file *f)
{
    with_extra(f, "\2\0\0\0", 4);
}

static void pack_junk_entries(file *f)
{
    size_t directory = f->size;
    uint32_t count = count_of_records(f, 60);
    for (uint32_t i = 0; i < count; i++)
        entry(f, "a", 0, 0, 0), add_bytes(f, "PK\1PK\1PK\0\0PK", 13);
    end(f, count, directory);
}

/* ---- Without a directory --------------------------------------------------------------------- */

static void fill_with(file *f, const char *record, size_t size)
{
    while (left(f) >= size)
        add_bytes(f, record, size);
}

static void locals(file *f, uint32_t flags)
{
    while (left(f) >= 31)
        local(f, "a", flags, 0, 0, 0);
}
static void pack_cut(file *f)
{
    locals(f, 0);
}
static void pack_cut_described(file *f)
{
    locals(f, DESCRIBED);
}
static void pack_descriptors(file *f)
{
    local(f, "a", DESCRIBED, 0, 0, 0);
    fill_with(f, "PK\7\10\0\0\0\0\0\0\0\0", 12);
}
static void pack_locals_that_do_not_fit(file *f)
{
    fill_with(f, "PK\3\4\377\377\377\377", 8);
}
static void pack_ends(file *f)
{
    local(f, "a", 0, 0, 0, 0);
    fill_with(f, "PK\5\6\0", 5);
}

/* ---- Paks ------------------------------------------------------------------------------------ */

static void pak(file *f, uint32_t step, uint32_t size, const char *format)
{
    uint32_t data = left(f) > 400 ? (uint32_t)left(f) / 3 : 4;
    uint32_t count = left(f) > data + 12 ? (uint32_t)(left(f) - data - 12) / 64 : 0;
    char name[56];
    add_bytes(f, "PACK", 4), put(f, 12 + data, 4), put(f, 64 * count, 4);
    repeat(f, "\1", data);
    for (uint32_t i = 0; i < count; i++) {
        memset(name, 0, sizeof name);
        snprintf(name, sizeof name, format, i);
        add_bytes(f, name, sizeof name);
        put(f, 12 + (size < data ? i * step % (data - size) : 0), 4);
        put(f, size < data ? size : data, 4);
    }
}
static void pak_same_data(file *f)
{
    pak(f, 0, UINT32_MAX, "%u.md5mesh");
}
static void pak_overlaps(file *f)
{
    pak(f, 7, 100, "%u.md5mesh");
}
static void pak_empty(file *f)
{
    pak(f, 1, 0, "a.md4");
}

static const shape shapes[] = {
    SHAPE(pack_members, "pk4"),       SHAPE(pack_backwards, "pk4"),
    SHAPE(pack_same_names, "pk4"),    SHAPE(pack_long_names, "pk4"),
    SHAPE(pack_control_names, "pk4"), SHAPE(pack_empty_blocks, "pk4"),
    SHAPE(pack_no_locals, "pk4"),     SHAPE(pack_one_local, "pk4"),
    SHAPE(pack_one_padding, "pk4"),   SHAPE(pack_one_extra, "pk4"),
    SHAPE(pack_junk_entries, "pk4"),  SHAPE(pack_cut, "pk4"),
    SHAPE(pack_cut_described, "pk4"), SHAPE(pack_descriptors, "pk4"),
    SHAPE(pack_ends, "pk4"),          SHAPE(pack_locals_that_do_not_fit, "pk4"),
    SHAPE(pak_same_data, "pak"),      SHAPE(pak_overlaps, "pak"),
    SHAPE(pak_empty, "pak"),
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

int main(int argc, char **argv)
{
    return run_shapes("pack shapes", shapes, SHAPES, NULL, argc, argv);
}
