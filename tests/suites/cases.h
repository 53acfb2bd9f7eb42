/* The cases of the corpus, for suites that run on each. */
#ifndef M5_TEST_CASES_H
#define M5_TEST_CASES_H

#include "support.h"

enum {
    MAX_CASES = 16384,
    MAX_ENTRIES = 1000, /* hosts of repositories cut longer listings */
    MAX_FILES = 16,
    MAX_PATH = 512
};

bool is_folder(const char *path);

/* Lists the entries of a folder, in order, as paths to be freed; returns how many. */
int list_folder(const char *folder, char **paths, int max);

/* Whether a path is that of a case: a file in a known format, or a folder of files that belong
 * together, whose name has a dot as the names of all cases do. */
bool is_case(const char *path);

/* Finds all cases in a folder and those below it, as paths to be freed; returns how many. */
int find_cases(const char *folder, char *cases[MAX_CASES]);

/* Reads the files of a case; returns how many. */
size_t read_case(const char *path, text_file files[MAX_FILES]);
void free_case(text_file *files, size_t count);

#endif
