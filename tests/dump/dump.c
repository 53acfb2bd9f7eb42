/* Prints what the parsers read from a clean file, as JSON: dump FILE. A test of another loader can
 * compare what it read with that. Exits with 1 and no output if the file is not clean, with 2 if it
 * cannot be read. */
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
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    m5_file *file = argc == 2 ? m5_file_read(argv[1]) : NULL;
    if (file == NULL || file->error != NULL) {
        fprintf(stderr, "dump: %s\n", file != NULL ? file->error : "expected a file");
        m5_free(file);
        return 2;
    }
    int status = dump(file);
    if (status == 1)
        fprintf(stderr, "dump: %s: the file is not clean\n", argv[1]);
    m5_free(file);
    return status;
}
