# For tests that run the program: sourced by them. B is the build folder; tests work in $dir, and read models from
# $corpus.
set -u
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_WORKSPACE FORCE_COLOR # a job of GitHub runs these tests, too
B=${B:-build}
case $B in /*) lint=$B/md5lint ;; *) lint=$PWD/$B/md5lint ;; esac
corpus=$PWD/corpus
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

ok() { passed=$((passed + 1)); }
bad() { # name details
    failed=$((failed + 1))
    printf 'FAIL %s\n' "$1"
    shift
    printf '  %s\n' "$@"
}

# run WHAT STATUS arguments...: runs md5lint, keeps its output, and checks its exit status.
run() {
    name=$1 want=$2
    shift 2
    "$lint" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    if [ $got -eq "$want" ]; then ok; else bad "$name" "status $got, expected $want" "$(cat "$dir/out" "$dir/err")"; fi
}
# has WHERE TEXT, lacks WHERE TEXT: checks that a line of the last output contains the text, or none does.
has() { if grep -qF -e "$2" "$dir/$1"; then ok; else bad "$name" "no '$2' in $1:" "$(cat "$dir/$1")"; fi; }
lacks() { if grep -qF -e "$2" "$dir/$1"; then bad "$name" "'$2' in $1:" "$(cat "$dir/$1")"; else ok; fi; }
empty() { if [ -s "$dir/$1" ]; then bad "$name" "$1 is not empty:" "$(cat "$dir/$1")"; else ok; fi; }
same() { if cmp -s "$1" "$2"; then ok; else bad "$name" "differs:" "$(diff "$1" "$2")"; fi; }

