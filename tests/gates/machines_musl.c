/* What glibc offers to code compiled with checks of sizes, for Debian's archives of zlib and
 * jansson linked with musl. The sizes are not checked: these stand in for tests alone. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, va_list values);
int __snprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, ...);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t size);

int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, va_list values)
{
    (void)flag, (void)size;
    return vsnprintf(s, n, format, values);
}

int __snprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, ...)
{
    (void)flag, (void)size;
    va_list values;
    va_start(values, format);
    int length = vsnprintf(s, n, format, values);
    va_end(values);
    return length;
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size)
{
    (void)size;
    return strncpy(to, from, n);
}
