/* Prints what the parsers read from clean files, as JSON on one line each: dump FILE... A test of
 * another loader can compare what it read with that. Exits with 1 at a file that is not clean, of
 * which nothing is printed, and with 2 at one that cannot be read. */
#include "dump.h"
#include "lint/m5_file.h"

#include <stdio.h>

static int dump(const m5_file *file)
{
    if (file->status != M5_CLEAN)
        return 1;
    json_open(NULL, '{');
    json_text("format", file->model.format->name);
#define M5_FORMAT(symbol, name, text)                                                              \
    if (file->model.symbol != NULL)                                                                \
        dump_##symbol(file->model.symbol);
#include "parsers/formats.def"
#undef M5_FORMAT
    json_close('}');
    json_end_line();
    return 0;
}

static int dump_file(const char *name)
{
    m5_file *file = m5_file_read(name);
    if (file == NULL || file->error != NULL) {
        fprintf(stderr, "dump: %s: %s\n", name, file != NULL ? file->error : "out of memory");
        m5_free(file);
        return 2;
    }
    int status = dump(file);
    if (status == 1)
        fprintf(stderr, "dump: %s: the file is not clean\n", name);
    m5_free(file);
    return status;
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? 0 : 2;
    if (argc <= 1)
        fprintf(stderr, "dump: expected a file\n");
    for (int i = 1; i < argc && status == 0; i++)
        status = dump_file(argv[i]);
    return status;
}
