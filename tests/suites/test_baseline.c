/* Tests what a baseline is made of: former names of rules, places in JSON, and findings that are
 * added, sorted and taken away. tests/program/baseline has the rest. */
#include "lint/report/report.h"
#include "lint/settings/aliases.h"
#include "lint/settings/baseline.h"
#include "lint/settings/json_place.h"
#include "parsers/core/emit.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_former_name_means_the_rule_of_today)
{
    static const m5_alias table[] = {
        {"md5mesh-weights-sum", "md5mesh-bias-sum"},
        {"md5-magic", "md5-version"},
        {NULL, NULL},
    };
    ck_assert_str_eq(m5_alias_find(table, "md5-magic"), "md5-version");
    ck_assert_str_eq(m5_alias_find(table, "md5mesh-weights-sum"), "md5mesh-bias-sum");
    ck_assert_str_eq(m5_alias_find(table, "md5-version"), "md5-version");
    ck_assert_str_eq(m5_alias_find(table, "md5-mag"), "md5-mag");
}
END_TEST

/* Nobody can use a former name for another rule, and none leads nowhere. */
START_TEST(former_names_are_no_names_and_lead_to_rules)
{
    for (const m5_alias *a = m5_aliases; a->former != NULL; a++) {
        ck_assert_ptr_null(m5_rule_by_id(a->former));
        ck_assert_ptr_nonnull(m5_rule_by_id(a->id));
    }
}
END_TEST

static void is_at(const char *text, size_t num_steps, size_t a, size_t b, size_t c, uint32_t line,
                  uint32_t column)
{
    const size_t steps[] = {a, b, c};
    m5_json_place place = m5_json_find(text, steps, num_steps);
    ck_assert_uint_eq(place.line, line);
    ck_assert_uint_eq(place.column, column);
}

START_TEST(places_in_json)
{
    static const char text[] =
        "\n { \"a[\\\"\" : [ 1, {}, [] ,\n{ \"x\":\"}\", \"y\" :2}],\"b\":{}}";
    is_at(text, 0, 0, 0, 0, 2, 2);
    is_at(text, 1, 0, 0, 0, 2, 4);
    is_at(text, 1, 1, 0, 0, 3, 21);
    is_at(text, 2, 0, 0, 0, 2, 15);
    is_at(text, 2, 0, 1, 0, 2, 18);
    is_at(text, 2, 0, 2, 0, 2, 22);
    is_at(text, 2, 0, 3, 0, 3, 1);
    is_at(text, 3, 0, 3, 0, 3, 3);
    is_at(text, 3, 0, 3, 1, 3, 12);
}
END_TEST

/* ---- Findings -------------------------------------------------------------------------------- */

static m5_diag found(const char *rule, uint32_t vertex)
{
    return (m5_diag){
        .rule = m5_rule_by_id(rule), .own = M5_ERROR, .path = m5_path2("mesh", 0, "vert", vertex)};
}

static void add(m5_baseline *b, const char *file, const char *rule, uint32_t vertex)
{
    m5_diag d = found(rule, vertex);
    ck_assert(m5_baseline_add(b, file, &d, &d.rule->levels));
}

typedef struct text {
    char bytes[4096];
    size_t length;
} text;

static void keep(void *user, const void *bytes, size_t count)
{
    text *t = user;
    ck_assert_uint_lt(t->length + count, sizeof t->bytes);
    memcpy(t->bytes + t->length, bytes, count);
    t->length += count;
    t->bytes[t->length] = '\0';
}

static void write(const m5_baseline *b, text *t)
{
    t->length = 0;
    ck_assert(m5_baseline_write(b, &(m5_writer){keep, t}));
}

/* The order in which findings were added, and in which lists, does not matter. */
START_TEST(what_is_added_is_sorted_and_read_again)
{
    m5_baseline all = {0}, more = {0}, again;
    m5_settings_error error;
    text first, second;
    add(&all, "b", "md5mesh-bias-sum", 2);
    add(&all, "b", "md5mesh-bias-range", 9);
    add(&more, "b", "md5mesh-bias-sum", 10);
    add(&more, "a", "md5mesh-bias-sum", 2);
    add(&more, "b", "md5mesh-bias-sum", 2);
    ck_assert(m5_baseline_move(&all, &more));
    ck_assert_uint_eq(more.count, 0);
    ck_assert(m5_baseline_move(&all, &more));
    m5_baseline_sort(&all);
    ck_assert_uint_eq(all.count, 4);
    ck_assert_str_eq(all.list[0].file, "a");
    ck_assert_str_eq(all.list[1].rule->id, "md5mesh-bias-range");
    ck_assert_str_eq(all.list[2].path, "mesh[0].vert[10]");
    ck_assert_uint_eq(all.list[3].count, 2);
    write(&all, &first);
    ck_assert(m5_baseline_read(&again, first.bytes, first.length, &error));
    write(&again, &second);
    ck_assert_str_eq(first.bytes, second.bytes);
    m5_baseline_free(&all);
    m5_baseline_free(&again);
}
END_TEST

static void take(const m5_old_list *list, const char *rule, uint32_t vertex, bool silent, bool old)
{
    m5_diag d = found(rule, vertex);
    ck_assert_int_eq(m5_old_take(list, &d, silent), old);
}

/* One that is found but not reported is neither hidden nor gone. */
START_TEST(only_what_is_known_to_be_missing_is_gone)
{
    m5_baseline b = {0};
    for (int i = 0; i < 3; i++)
        add(&b, "a", "md5mesh-bias-sum", 1);
    add(&b, "a", "md5mesh-bias-sum", 2);
    m5_baseline_sort(&b);
    ck_assert_ptr_null(m5_baseline_of(&b, "A").list);
    ck_assert_ptr_null(m5_baseline_of(&b, "b").list);
    m5_old_list list = m5_baseline_of(&b, "a");
    ck_assert_uint_eq(list.count, 2);
    take(&list, "md5mesh-bias-sum", 1, true, true);
    take(&list, "md5mesh-bias-sum", 1, false, true);
    take(&list, "md5mesh-bias-sum", 3, false, false);
    take(&list, "md5mesh-bias-range", 1, false, false);
    ck_assert_uint_eq(m5_old_gone(&list.list[0]), 0);
    for (size_t i = 0; i < b.count; i++)
        b.list[i].is_known = true;
    ck_assert_uint_eq(m5_old_gone(&list.list[0]), 1);
    ck_assert_uint_eq(m5_old_gone(&list.list[1]), 1);
    ck_assert_uint_eq(m5_baseline_prune(&b), 2);
    ck_assert_uint_eq(b.count, 1);
    ck_assert_uint_eq(b.list[0].count, 2);
    take(&(m5_old_list){b.list, 1}, "md5mesh-bias-sum", 1, false, true);
    take(&(m5_old_list){b.list, 1}, "md5mesh-bias-sum", 1, false, false);
    m5_baseline_free(&b);
}
END_TEST

START_TEST(numbers_have_commas)
{
    static const struct {
        uint64_t number;
        const char *written;
    } numbers[] = {
        {0, "0"},        {999, "999"},           {1000, "1,000"},
        {1597, "1,597"}, {1000000, "1,000,000"}, {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        text t = {.length = 0};
        m5_output_number(&(m5_writer){keep, &t}, numbers[i].number);
        ck_assert_str_eq(t.bytes, numbers[i].written);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("baseline");
    tcase_add_test(tests, a_former_name_means_the_rule_of_today);
    tcase_add_test(tests, former_names_are_no_names_and_lead_to_rules);
    tcase_add_test(tests, places_in_json);
    tcase_add_test(tests, what_is_added_is_sorted_and_read_again);
    tcase_add_test(tests, only_what_is_known_to_be_missing_is_gone);
    tcase_add_test(tests, numbers_have_commas);
    Suite *suite = suite_create("baseline");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
