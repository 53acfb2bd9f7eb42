// All that is wrong with a file, a line each, in the form of gcc's messages: validate FILE.
#include "lint/m5_file.h"

#include <cstdio>
#include <memory>

static const char *const names[] = {"", "note", "warning", "error"};

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    std::unique_ptr<m5_file, decltype(&m5_free)> file(m5_file_read(argv[1]), m5_free);
    if (!file || file->error) {
        std::fprintf(stderr, "%s: %s\n", argv[1], file ? file->error : "out of memory");
        return 2;
    }
    bool errors = false;
    for (size_t i = 0; i < file->num_findings; i++) {
        const m5_file_finding &f = file->findings[i];
        errors |= f.severity == M5_ERROR;
        const bool text = f.line != 0; // a binary has offsets and paths instead
        if (text)
            std::printf("%s:%u:%u: %s: ", argv[1], f.line, f.column, names[f.severity]);
        else
            std::printf("%s:@0x%x: %s: ", argv[1], f.offset, names[f.severity]);
        const char *path = text ? "" : f.path;
        std::printf("%s%s%s [%s]\n", path, *path ? ": " : "", f.message, f.rule);
    }
    return errors;
}
