/* A path from the root of the file system on, as text: what it names may be gone. */
#ifndef M5_LINT_REPORT_WHOLE_PATH_H
#define M5_LINT_REPORT_WHOLE_PATH_H

/* A path in a folder, which is from the root on, without `.`, `..` and empty names; NULL without
 * memory. Free it. */
char *m5_path_whole(const char *folder, const char *path);

#endif
