/* Finds and reads the cases of the corpus: the folder is the index. */
#define _XOPEN_SOURCE 700

#include "cases.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int list_folder(const char *folder, char **paths, int max)
{
    int n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] == '.')
            continue;
        if (n == max)
            exit(2);
        paths[n] = malloc(MAX_PATH);
        snprintf(paths[n++], MAX_PATH, "%s/%s", folder, e->d_name);
    }
    if (dir == NULL) {
        perror(folder);
        exit(2);
    }
    closedir(dir);
    qsort(paths, (size_t)n, sizeof *paths, by_name);
    return n;
}

static bool has_model(const char *path)
{
    return m5_format_by_name(path) != NULL;
}

bool is_case(const char *path)
{
    return is_folder(path) ? strchr(strrchr(path, '/'), '.') != NULL : has_model(path);
}

static int add_cases(const char *folder, char **cases, int found)
{
    char *paths[MAX_ENTRIES];
    int n = list_folder(folder, paths, MAX_ENTRIES);
    for (int i = 0; i < n; i++) {
        if (is_case(paths[i])) {
            if (found == MAX_CASES)
                exit(2);
            cases[found++] = paths[i];
            continue;
        }
        if (is_folder(paths[i]))
            found = add_cases(paths[i], cases, found);
        free(paths[i]);
    }
    return found;
}

int find_cases(const char *folder, char *cases[MAX_CASES])
{
    return add_cases(folder, cases, 0);
}

static text_file read_model(const char *path)
{
    text_file file = {.name = strcpy(malloc(strlen(path) + 1), path)};
    file.bytes = read_file(path, &file.size);
    if (file.bytes == NULL) /* it was listed just now */
        abort();
    return file;
}

size_t read_case(const char *path, text_file files[MAX_FILES])
{
    char *entries[MAX_FILES];
    size_t count = 0;
    int all = is_folder(path) ? list_folder(path, entries, MAX_FILES) : 0;
    if (all == 0)
        files[count++] = read_model(path);
    for (int i = 0; i < all; i++) {
        if (has_model(entries[i]))
            files[count++] = read_model(entries[i]);
        free(entries[i]);
    }
    return count;
}

void free_case(text_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free((void *)files[i].bytes);
        free((void *)files[i].name);
    }
}
