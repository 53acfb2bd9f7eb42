/* How a baseline names files: see baseline_name.h. */
#define _POSIX_C_SOURCE 200809L

#include "baseline_name.h"
#include "lint/app/inputs/archive.h"
#include "lint/app/system/paths.h"
#include "lint/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/* How much of two paths is the same, up to where a name ends in both. */
static size_t common_length(const char *folder, const char *whole)
{
    size_t common = 0, i = 0;
    for (;; i++) {
        bool ends = folder[i] == '/' || folder[i] == '\0';
        if (ends && whole[i] == '/')
            common = i;
        if (folder[i] != whole[i] || folder[i] == '\0')
            return common;
    }
}

static char *escape(char *out, const char *text)
{
    size_t count = strlen(text);
    for (size_t length; count > 0; text += length, count -= length) {
        uint32_t code;
        size_t letter = m5_utf8_letter((const uint8_t *)text, count, &code);
        length = letter != 0 ? letter : 1;
        if (letter == 0 || *text == '%')
            out += sprintf(out, "%%%02X", (unsigned)(uint8_t)*text);
        else
            out = (char *)memcpy(out, text, length) + length;
    }
    *out = '\0';
    return out;
}

char *m5_baseline_name(const char *folder, const char *whole)
{
    size_t common = common_length(folder, whole), up = 0;
    for (const char *p = folder + common; *p != '\0'; p++)
        up += *p == '/';
    char *name = malloc(3 * up + 3 * strlen(whole + common) + 1);
    if (name == NULL)
        return NULL;
    for (size_t i = 0; i < up; i++)
        memcpy(name + 3 * i, "../", 3);
    escape(name + 3 * up, whole + common + 1);
    return name;
}

/* ---- Files that are no more ------------------------------------------------------------------ */

static int digit(char c)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

static void unescape(char *text)
{
    char *out = text;
    for (; *text != '\0'; text++) {
        int high = *text == '%' ? digit(text[1]) : -1, low = high >= 0 ? digit(text[2]) : -1;
        *out++ = low >= 0 ? (char)(high << 4 | low) : *text;
        text += low >= 0 ? 2 : 0;
    }
    *out = '\0';
}

static bool is_missing(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

static bool is_archive(const m5_inputs *inputs, const char *here, const char *whole)
{
    bool any = false;
    for (const m5_archive *a = inputs->archives; a != NULL && !any; a = a->next) {
        char *path = m5_path_whole(here, a->path);
        char *real = path != NULL ? m5_path_real(path) : NULL;
        any = real != NULL && strcmp(real, whole) == 0;
        free(real);
        free(path);
    }
    return any;
}

/* Looks for an archive that the file may be a member of. If it was given, and nothing of it left
 * out, it would have that member among the inputs. */
static bool is_known_missing(char *whole, const m5_inputs *inputs, const char *here)
{
    if (!is_missing(whole))
        return false;
    for (char *mark = strchr(whole, '!'); mark != NULL; mark = strchr(mark + 1, '!')) {
        *mark = '\0';
        bool missing = is_missing(whole);
        bool given = !missing && !inputs->left_out && is_archive(inputs, here, whole);
        *mark = '!';
        if (!missing)
            return given;
    }
    return true;
}

bool m5_baseline_is_missing(const char *folder, const char *name, const m5_inputs *inputs,
                            const char *here)
{
    char *plain = strdup(name);
    if (plain == NULL)
        return false;
    unescape(plain);
    char *whole = m5_path_whole(folder, plain);
    bool missing = whole != NULL && is_known_missing(whole, inputs, here);
    free(whole);
    free(plain);
    return missing;
}
