#!/bin/sh
# Builds the fuzz targets for ClusterFuzzLite and OSS-Fuzz, each with its seeds and its dictionary, into
# OUT. SRC, WORK, the compilers, their flags, SANITIZER and the engine are the service's. `make
# check-clusterfuzzlite` runs this without Docker.
set -eu
cd "$SRC/md5lint"
objects=$WORK/objects groups=$WORK/groups

# Without the corpus' expectations and sources. libFuzzer takes the longest seed for the longest input that
# is worth trying, so that long ones would only make all others slow.
pack() { # target
    # shellcheck disable=SC2046
    find $(sh fuzz/seeds "$1" "$groups") -type f -size -16k ! -name '*.expect' ! -name expect ! -name '*.source' ! -name '*.fixed' | sort |
        zip -q -@ "$OUT/fuzz_$1_seed_corpus.zip"
}

needs_jansson() { # target
    grep -q jansson "fuzz/targets/fuzz_$1.c"
}

# The service links with its C++ compiler, as libFuzzer is C++. Where targets run there is no jansson and no zlib.
link() { # target
    set -- "$1" "$objects/fuzz/targets/fuzz_$1.o"
    [ "$1" = number ] || [ "$1" = settings ] || [ "${FUZZING_ENGINE:-libfuzzer}" != libfuzzer ] || set -- "$@" "$objects"/fuzz/mutate/mutate*.o
    [ "$1" != commandline ] || set -- "$@" $program
    [ "$1" != fix ] || set -- "$@" "$objects/lint/app/jobs/mend.o" "$objects/lint/app/inputs/bytes.o"
    set -- "$@" "$objects/libm5lint.a" -l:libz.a
    ! needs_jansson "$1" || set -- "$@" -l:libjansson.a
    target=$1
    shift
    # shellcheck disable=SC2086
    $CXX $CXXFLAGS "$@" $LIB_FUZZING_ENGINE -lm -o "$OUT/fuzz_$target"
}

# MemorySanitizer must see all writes, and jansson's it does not. The linker then leaves what
# uses jansson in the library.
targets=
for source in $(find fuzz -name 'fuzz_*.c'); do
    target=$(basename "$source" .c)
    target=${target#fuzz_}
    { [ "$SANITIZER" = memory ] && needs_jansson "$target"; } || targets="$targets $target"
done

set -- "$objects/libm5lint.a"
for source in $(find fuzz -name 'mutate*.c'); do set -- "$@" "$objects/${source%.c}.o"; done
for target in $targets; do set -- "$@" "$objects/fuzz/targets/fuzz_$target.o"; done
# fuzz_commandline includes the program's main.c.
program=$(find lint/app -name '*.c' ! -name main.c | sort | sed "s|^\(.*\)\.c$|$objects/\1.o|")
# shellcheck disable=SC2086
make -s -j"${JOBS:-$(nproc)}" B="$objects" CC="$CC" CFLAGS="$CFLAGS" "$@" $program

python3 fuzz/pack-groups "$groups"
for target in $targets; do
    link "$target"
    pack "$target"
    sh fuzz/dictionary "$target" >"$OUT/fuzz_$target.dict"
done
