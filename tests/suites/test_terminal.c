/* Tests what the program takes a terminal for: standard output is a pseudo-terminal, or none. */
#define _GNU_SOURCE

#include "lint/app/options/terminal.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *const variables[] = {
    "TERM",        "TERM_PROGRAM",    "KITTY_WINDOW_ID", "VTE_VERSION",
    "WT_SESSION",  "KONSOLE_VERSION", "WEZTERM_PANE",    "NO_COLOR",
    "FORCE_COLOR", "ITERM_SESSION_ID"};
static int terminal = -1, none = -1, own = -1; /* files; own: the standard output of the tests */

static void begin(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    none = open("/dev/null", O_WRONLY);
    own = dup(STDOUT_FILENO);
    ck_assert(terminal >= 0 && none >= 0 && own >= 0);
}

typedef bool question(const m5_options *options);

/* What the program thinks of a file as its standard output. `chosen` is the option: -1 is none. */
static bool ask(question *is, int file, int chosen)
{
    m5_options options = {.color = chosen, .links = chosen};
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    bool answer = is(&options);
    dup2(own, STDOUT_FILENO);
    return answer;
}

START_TEST(links_are_for_terminals_that_are_known_to_have_them)
{
    setenv("TERM", "xterm", 1);
    ck_assert(!ask(m5_terminal_links, terminal, -1));
    setenv("VTE_VERSION", "7006", 1);
    ck_assert(ask(m5_terminal_links, terminal, -1));
    ck_assert(!ask(m5_terminal_links, none, -1));
    setenv("TERM", "dumb", 1);
    ck_assert(!ask(m5_terminal_links, terminal, -1));
    unsetenv("TERM");
    ck_assert(!ask(m5_terminal_links, terminal, -1));
    setenv("VTE_VERSION", "", 1);
    setenv("TERM", "xterm", 1);
    ck_assert(!ask(m5_terminal_links, terminal, -1));
    setenv("TERM_PROGRAM", "vscode", 1);
    ck_assert(ask(m5_terminal_links, terminal, -1));
    setenv("TERM_PROGRAM", "other", 1);
    ck_assert(!ask(m5_terminal_links, terminal, -1));
    setenv("TERM", "xterm-kitty", 1);
    ck_assert(ask(m5_terminal_links, terminal, -1));
    ck_assert(!ask(m5_terminal_links, none, -1));
}
END_TEST

START_TEST(colors_are_for_terminals_unless_the_environment_says_otherwise)
{
    ck_assert(ask(m5_terminal_color, terminal, -1));
    setenv("TERM", "xterm", 1);
    ck_assert(ask(m5_terminal_color, terminal, -1));
    ck_assert(!ask(m5_terminal_color, none, -1));
    setenv("NO_COLOR", "", 1);
    ck_assert(ask(m5_terminal_color, terminal, -1));
    setenv("NO_COLOR", "1", 1);
    ck_assert(!ask(m5_terminal_color, terminal, -1));
    setenv("FORCE_COLOR", "1", 1);
    ck_assert(ask(m5_terminal_color, none, -1));
    unsetenv("FORCE_COLOR");
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    ck_assert(!ask(m5_terminal_color, terminal, -1));
}
END_TEST

START_TEST(options_decide_first)
{
    setenv("TERM", "xterm-kitty", 1);
    ck_assert(ask(m5_terminal_links, none, 1) && !ask(m5_terminal_links, terminal, 0));
    ck_assert(ask(m5_terminal_color, none, 1) && !ask(m5_terminal_color, terminal, 0));
}
END_TEST

START_TEST(a_terminal_has_a_width)
{
    struct winsize size = {.ws_row = 25, .ws_col = 132};
    ck_assert_int_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
    ck_assert_uint_eq(m5_terminal_width(terminal), 132);
    size.ws_col = 0; /* unknown */
    ck_assert_int_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
    ck_assert_uint_eq(m5_terminal_width(terminal), 80);
    ck_assert_uint_eq(m5_terminal_width(none), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terminal");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, begin, NULL);
    tcase_add_test(all, links_are_for_terminals_that_are_known_to_have_them);
    tcase_add_test(all, colors_are_for_terminals_unless_the_environment_says_otherwise);
    tcase_add_test(all, options_decide_first);
    tcase_add_test(all, a_terminal_has_a_width);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
