# md5lint. `make help` lists what there is to make. Each file takes one short line; V=1 shows the
# commands, -s nothing.
#
# Configurations are variables: B (where to build), CC, CFLAGS and SANITIZE can be set on the
# command line, as .ci/run does:  make check B=build/asan SANITIZE=address,undefined

B        := build
CC       := gcc
CFLAGS   := -O2 -g
SANITIZE :=
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wundef -Wcast-align -Wwrite-strings
WERROR   ?=

# Some tests only make sense of objects as they are shipped.
PLAIN := $(if $(SANITIZE)$(findstring coverage,$(CFLAGS)),,yes)

# As distributions build: what stops many exploits of a bug. `make install` sets it.
HARDEN :=
FLAGS  := -std=c11 -ffp-contract=off -I. $(WARNINGS) $(WERROR) $(CFLAGS) \
          $(if $(HARDEN),-fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) \
          $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
HARD_LINK := $(if $(HARDEN),-pie -z relro -z now -z noexecstack)

# What comes before ID.html in the address of a rule's page: reports link to it. Empty: there are no links.
RULE_URL :=

# Where `make install` puts things. DESTDIR goes in front, for packages.
PREFIX  := /usr/local
LIBDIR   = $(PREFIX)/lib
MANDIR   = $(PREFIX)/share/man
DESTDIR :=

REAL_MODELS ?= ../shared/models

# Where 32-bit programs can be built too.
M32 := $(filter x86_64,$(shell uname -m))

DEPS_BUILD := gcc make libjansson-dev zlib1g-dev
DEPS_TESTS := g++ git patch python3 zip unzip check libsubunit-dev pkg-config codespell
DEPS_BENCH := libfast-float-dev libassimp-dev assimp-utils valgrind
DEPS_FUZZ  := clang clang-format llvm lld libclang-rt-14-dev clang-19 llvm-19 libclang-rt-19-dev afl++ \
              lcov valgrind assimp-utils mandoc zsh fish gcc-mingw-w64-x86-64 wasi-libc libclang-rt-14-dev-wasm32 $(if $(M32),gcc-multilib lib32z1-dev) \
              jq cmark libxml2-utils python3-junitparser yamllint pre-commit $(if $(shell command -v npm),,nodejs npm)

# What libm5lint.a needs.
LIBS := -lz -lm

comma := ,
# run NAME,COMMAND: the recipe's last line. Under -s, make's first word of flags has an s.
run = $(if $V,,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,printf '  %-4s %s\n' $(1) $@;)) $(2)

# Sources are found by walking, so that a new folder needs no line here.
sources = $(sort $(shell find $(1) -name '*.c'))
objects = $(patsubst %.c,$B/%.o,$(call sources,$(1)))
PARSERS := $(call objects,parsers)
TOOL    := $(call objects,lint/app)
MENDER  := $B/lint/app/jobs/mend.o $B/lint/app/inputs/bytes.o
DIST    := $(call objects,lint/dist)
LINT    := $(filter-out $(TOOL) $(DIST),$(call objects,lint))
SUITES  := $(patsubst tests/suites/%.c,$B/%,$(filter tests/suites/test_%.c,$(call sources,tests)))
FUZZERS := $(notdir $(basename $(filter fuzz/targets/fuzz_%.c,$(call sources,fuzz))))
MUTATE := $(filter fuzz/mutate/mutate%.c,$(call sources,fuzz))

all: $B/md5lint $B/libm5.a $B/libm5lint.a

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

## Begin here
##   make deps demo       install what is needed (Debian, as root or with sudo), build, and lint a generated
##                        character and a broken copy of it
##   make deps check      ... build, and run all tests
##   make                 build/md5lint, build/libm5.a and build/libm5lint.a (make deps-build: what that needs)
##   make install         the program, both libraries, headers, manual pages and completions in PREFIX=/usr/local
##                        (LIBDIR, MANDIR, DESTDIR); make uninstall takes them away. RULE_URL=https://.../rules/ is
##                        where reports say that the pages of rules are
##
## Change something
##   make check           all tests
##   make rules           write lint/RULES.md from the rows
##   make bless           write what is found in corpus/ into its .expect files, sum up its variants, and record what
##                        runs of the program do, and what is found in inputs of fuzzing; shows the difference
##   make messages        print all texts that users see (SAMPLE=60 SEED=1: draw messages)
##   make api             write the public headers' comments onto one page, build/api.md
##   make site            a page for each rule (RULE.html) and an index, as HTML: build/site/index.html
##   make format          the sources as .clang-format says (make check-format: are they?)
##   make coverage        build/coverage/html: what the tests reach
##   make check-real      lint real models (REAL_MODELS=folder, or FETCH=yes: 1 GB from Debian)
##   make deps-fuzz       install what all that follows and .ci/run need
##
## Fuzz
##   make fuzz-<target>   with libFuzzer: a format, pack, lint, group, fix, number, report, settings or commandline (SECONDS=60)
##   make afl-<target>    ... with AFL++
##   make fuzz            all fuzz targets, one after another, SECONDS=60 each
##   make nightly         all targets, both engines, all cores, HOURS=8; a page, build/fuzz/index.html
##   make fuzz-coverage   what each target reaches with what it has learnt, and what of that the corpus does not
##   make reach           fuzz for SECONDS=1500, and add to tests/reach inputs that reach more of lint and the parsers
##   make crash           FINDING=file CAUSE=words: a finding as a minimised case of the corpus
##   make corpus-dist     the corpus as a tarball, with a manifest, parsed models as JSON, seeds and dictionaries
##   make check-night     a night with a planted bug finds it, and reports it once
##   make check-reach     inputs taken out of tests/reach are found again
##   make fuzz-speed      executions a second of each target, under ASan and UBSan
##   make check-clusterfuzzlite  build and run the fuzz targets as ClusterFuzzLite does
##
## Prove
##   make coverage-check  coverage, and what the corpus alone reaches through the fuzz targets
##   make mcdc            which part of each condition the tests show to decide (MC/DC, by clang-19)
##   make mutants         change one guard of the parsers and of lint after another: the tests must fail
##                        (MUTANTS='--share=1/200 --seed=5': one in 200, others for each seed)
##   make check-tests     make one deliberate bug after another: the tests must notice each (BUGS='--draw=3 --seed=5':
##                        three of them, others for each seed)
##   make check-hostile   each truncation, replaced byte and word of the corpus under sanitizers, one in SHARE=1
##   make check-faults    each allocation, read and write of the program fails in turn; files change while they are read;
##                        signals come at any place
##   make check-same      gcc and clang, -O0 to -O3, any locale: the same output
##   make check-machines  s390x, ARM, i386 with x87, musl and AVX2: the same output (SHARE=1)
##   make check-ports     both libraries build for Windows (mingw) and WebAssembly without a warning
##   make inject          put each kind of single defect into clean files; which are reported once, at the right place,
##                        what fixes make of them, and what is said of engines
##                        (KINDS=regex SEED=n KEEP=folder); make check-inject: a share of it
##   make check-reports   programs that others wrote read each report: of the corpus, of names of any bytes
##   make linear          hostile files of twice the size cost at most 2.2 times the steps (SIZE=250000)
##   make check-site      the site is valid HTML, says what the rules say, and needs no network
##   make check-pieces    the action, the hooks, the job for GitLab and the README's "In five minutes", run as services do
##   make peers           try the corpus on Debian's assimp: what it loads, refuses and crashes on
##
## Measure
##   make bench           time a lint against the least that a reader must do, and against others
##   make sizes           files, lines and functions of each folder; no function over 60 lines
##   make bench-gate      instructions a byte: none more than recorded (RECORD=1 records)

$B/%.o: %.c
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(FLAGS) -MMD -MP -c $< -o $@)

# Built again when RULE_URL changes.
$B/rule-url: FORCE
	@mkdir -p $(@D); echo '$(RULE_URL)' | cmp -s - $@ || echo '$(RULE_URL)' >$@
$B/lint/report/rule_url.o: $B/rule-url
$B/lint/report/rule_url.o: FLAGS += $(if $(RULE_URL),-DM5_RULE_URL='"$(RULE_URL)"')

$B/libm5.a: $(PARSERS)
$B/libm5lint.a: $(LINT) $(PARSERS)
%.a:
	@rm -f $@
	$(call run,AR,$(AR) rcs $@ $^)

$B/md5lint: $(TOOL) $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $(HARD_LINK) $^ -ljansson $(LIBS) -o $@)

# Writes the manual pages and completions.
$B/manual: $(DIST) $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $^ $(LIBS) -o $@)

# What is installed is built in a folder of its own; `make hardened` does that without the rights of root.
HARDENED := $B/hardened
INSTALL = CC='$(CC)' B='$(HARDENED)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' MANDIR='$(MANDIR)' DESTDIR='$(DESTDIR)' sh lint/dist/install
hardened:
	@$(INSTALL) need
	@$(MAKE) -s B=$(HARDENED) HARDEN=yes all $(HARDENED)/manual

install: hardened
	@$(INSTALL) put

uninstall:
	@$(INSTALL) remove

# The program with calls that fail on demand.
WRAPPED := malloc calloc realloc strdup opendir readdir64 fopen64 open64 read write mmap64 fstat64 fflush fclose fsync fchmod fchown mkstemp64 lseek64 close rename linkat pthread_create
$B/md5lint-faults: $(TOOL) $B/tests/gates/faults_wrap.o $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $^ $(WRAPPED:%=-Wl,--wrap=%) -ljansson $(LIBS) -o $@)

# A job of GitHub runs tests, too: what they lint does not belong in its summary.
unexport GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_WORKSPACE FORCE_COLOR

# The program, which records what it reaches: $B/reach/md5lint-recorded.
recorded:
	+@$(MAKE) -s B=$B/reach CC=clang CFLAGS='-O1 -g -fsanitize-coverage=trace-pc-guard,trace-cmp -fsanitize-coverage-ignorelist=tests/reach/ignored' $B/reach/md5lint-recorded

$B/md5lint-recorded: $(TOOL) $B/tests/reach/recorder.o $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) -no-pie $^ -ljansson $(LIBS) -o $@)

# Inputs that reach more, for tests/reach/check: by fuzzing for SECONDS, towards comparisons of equal numbers.
reach: SECONDS = 1500
reach: $B/md5lint recorded
	+@B=$B sh tests/reach/learn $(SECONDS)

# What compilers, optimisation and locale make of it: the same bytes.
SAME := O0 O3 clang
same-O0: MAKE_SAME = CFLAGS=-O0
same-O3: MAKE_SAME = CFLAGS=-O3
same-clang: MAKE_SAME = CC=clang CFLAGS=-O2
same-%: FORCE
	@$(MAKE) -s B=build/$* $(MAKE_SAME) build/$*/md5lint
check-same: $B/md5lint $(SAME:%=same-%)
	@sh tests/gates/same-output $B/md5lint $(SAME:%=build/%/md5lint)

# What other machines make of it: the same bytes. One machine in SHARE, others for each TURN.
check-machines:
	@sh tests/gates/machines $(SHARE) $(TURN)

# Both libraries for Windows and for WebAssembly, without a warning. mingw's isnan converts a double to float in a
# branch that is not taken. Of jansson and zlib only the headers are needed, which are the same everywhere.
check-ports:
	@mkdir -p build/ports && cp $$(pkg-config --variable=includedir jansson)/jansson*.h \
	    $$(echo '#include <zlib.h>' | $(CC) -E -M -MT x - | tr ' ' '\n' | grep -E '/z(lib|conf)\.h$$') build/ports
	@$(MAKE) -s B=build/mingw CC=x86_64-w64-mingw32-gcc WERROR=-Werror \
	    CFLAGS='-O1 -Ibuild/ports -Wno-float-conversion' build/mingw/libm5.a build/mingw/libm5lint.a
	@$(MAKE) -s B=build/wasm CC='clang --target=wasm32-wasi' AR=llvm-ar WERROR=-Werror \
	    CFLAGS='-O1 -isystem /usr/include/wasm32-wasi' build/wasm/libm5.a build/wasm/libm5lint.a
	@sh tests/gates/least port-objects $$(( $$(x86_64-w64-mingw32-nm build/mingw/libm5lint.a | grep -c '\.o:$$') + $$(llvm-nm build/wasm/libm5lint.a | grep -c '\.o:$$') ))
	@echo 'ports: Windows and WebAssembly built'

# Mutants of the parsers and of lint: one guard changed each. Days in full; MUTANTS=--share=1/200 takes minutes.
$B/list_mutants: $B/tests/gates/mutants.o
	$(call run,LD,$(CC) $(FLAGS) $^ -o $@)

mutants:
	@B=$B sh tests/gates/mutants $(MUTANTS)

# One deliberate bug after another: the tests must notice each. BUGS='--draw=3 --seed=5': three, others for each seed.
check-tests:
	@B=$B sh tests/gates/bugs $(BUGS)

# What two versions find in damaged files, side by side.
$B/compare/compare: $B/tests/compare/compare.o $B/tests/compare/damage.o
	@mkdir -p $(@D)
	$(call run,LD,$(CC) $(FLAGS) $^ -ldl -o $@)

# The fuzz targets as ClusterFuzzLite builds and runs them.
check-clusterfuzzlite:
	@B=$B sh tests/gates/clusterfuzzlite

check-faults:
	@$(MAKE) -s B=build/asan CC=clang CFLAGS='-O1 -g' SANITIZE=address,undefined build/asan/md5lint-faults
	@B=build/asan sh tests/gates/faults
	@B=build/asan python3 tests/gates/restless

$B/generate: $(call objects,tests/generate)
	$(call run,LD,$(CC) $(FLAGS) $^ -lm -o $@)

# Binary cases of the corpus are assembled from text: build/assemble SOURCE OUT
$B/assemble: $B/tests/assemble/assemble.o $B/tests/assemble/assemble_main.o
	$(call run,LD,$(CC) $(FLAGS) $^ -o $@)

# MD4 and ill* files made of a clean MD5 pair: build/convert MESH ANIM OUT
$B/convert: $(call objects,tests/convert) $B/libm5.a
	$(call run,LD,$(CC) $(FLAGS) $^ -lm -o $@)

# What the parsers read from a clean file, as JSON: build/dump FILE
$B/dump: $(call objects,tests/dump) $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $^ $(LIBS) -o $@)

$B/test_%: $B/tests/suites/test_%.o $B/tests/suites/support.o $B/tests/suites/cases.o $B/tests/assemble/assemble.o $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $(filter %.o,$^) $B/libm5lint.a $$(pkg-config --libs check) -ljansson $(LIBS) -o $@)

$B/test_floor: $B/tests/bench/floor.o $B/tests/bench/numbers.o
$B/test_app $B/test_terminal: $(filter-out $B/lint/app/main.o,$(TOOL))
$B/test_mend: $(MENDER)
$B/test_variants: $B/tests/suites/vary.o
$B/test_mutate: $(patsubst %.c,$B/%.o,$(MUTATE) fuzz/mutate/afl_mutator.c)

# Programs of a user: public headers and libm5lint.a, nothing else of ours.
$B/play $B/mend: $B/%: $B/tests/examples/%.o $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $^ $(LIBS) -o $@)

$B/validate: $B/tests/examples/validate.o $B/libm5lint.a
	$(call run,LD,$(CXX) $(CFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $^ $(LIBS) -o $@)

# What `make bench` runs: readers in memory, whole processes, and what the gate counts.
BENCH := $B/bench/in_memory $B/bench/commands $B/bench/peak $B/bench/kept $B/bench/floor $B/bench/gate
RACE := $B/tests/bench/race.o
$B/bench/in_memory: $(patsubst %,$B/tests/bench/%.o,in_memory files floor numbers fast_float strtod assimp)
$B/bench/commands $B/bench/peak $B/bench/kept: $B/tests/bench/process.o
$B/bench/floor: $B/tests/bench/floor_main.o
$B/bench/floor $B/bench/gate: $B/tests/bench/files.o
$B/bench/in_memory: LDLIBS := -lassimp -lstdc++
$(BENCH): $B/bench/%: $B/tests/bench/%.o $(RACE) $B/libm5lint.a
	@mkdir -p $(@D)
	$(call run,LD,$(CC) $(FLAGS) $(filter %.o,$^) $B/libm5lint.a $(LDLIBS) $(LIBS) -o $@)

$B/%.o: %.cc
	@mkdir -p $(@D)
	$(call run,CXX,$(CXX) -std=c++17 -I. -Wall -Wextra $(CFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) -MMD -MP -c $< -o $@)

SUDO := $(if $(filter-out 0,$(shell id -u)),sudo)
APT  := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get

packages = @dpkg -s $(1) >/dev/null 2>&1 || { $(APT) -q update && $(APT) -qy install $(1); }

deps-build:
	$(call packages,$(DEPS_BUILD))

deps: deps-build
	$(call packages,$(DEPS_TESTS))

deps-bench: deps
	$(call packages,$(DEPS_BENCH))

deps-fuzz: deps
	$(call packages,$(DEPS_FUZZ))
	@$(MAKE) -s build/npm/done

# Judges from npm, exactly those of tests/package-lock.json.
NPM := tests/package.json tests/package-lock.json tests/.npmrc
build/npm/done: $(NPM)
	@mkdir -p $(@D) && cp $(NPM) $(@D)
	@cd $(@D) && npm ci --ignore-scripts --silent && touch done

DEMO := $B/demo/biped.md5mesh $B/demo/biped_walk.md5anim
BROKEN := $B/demo/broken/biped.md5mesh $B/demo/broken/biped_walk.md5anim

$(DEMO) &: $B/generate
	@mkdir -p $B/demo
	$(call run,GEN,$B/generate $(DEMO))

$(BROKEN) &: $B/generate
	@mkdir -p $B/demo/broken
	$(call run,GEN,$B/generate $(BROKEN) --break)

demo: $B/md5lint $(DEMO) $(BROKEN)
	@echo; echo '$$ md5lint $(DEMO)'
	@$B/md5lint $(DEMO)
	@echo; echo '$$ md5lint $(BROKEN)'
	@$B/md5lint $(BROKEN); test $$? -eq 1

check: $(SUITES) $B/list_mutants $B/md5lint $B/generate $B/convert $B/assemble $(DEMO) $(BROKEN) $B/play $B/mend $(if $(PLAIN),$B/validate $B/manual $B/dump $B/bench/kept hardened) $(FUZZERS:%=$B/replay_%)
	@B=$B PLAIN=$(PLAIN) PARTS='$(PARTS)' sh tests/run $(SUITES)

# Every string that a user can see. SAMPLE=60 SEED=1 draws messages, without code.
SAMPLE := 0
SEED ?= 1
messages:
	@perl tests/gates/messages --sample=$(SAMPLE) --seed=$(SEED)

# What is found in the corpus becomes what is expected of it; the change is shown as a diff.
bless: $B/test_corpus $B/test_variants $B/md5lint
	@$B/test_corpus --bless
	@RECORD=1 $B/test_variants
	@B=$B RECORD=1 python3 tests/program/runs
	@B=$B RECORD=1 python3 tests/reach/check
	@git add -N -- corpus
	@git --no-pager diff --stat -- corpus
	@git --no-pager diff -U0 -- corpus tests/suites/variants.txt tests/program/runs.txt tests/reach/found.txt

check-real: $B/md5lint
	@B=$B REAL_MODELS=$(REAL_MODELS) FETCH=$(FETCH) sh tests/gates/check-real

# Single defects in clean files: is each reported exactly once, at the right place?
INJECT := $B/md5lint $B/generate $B/convert
inject: $(INJECT)
	@B=$B REAL_MODELS=$(REAL_MODELS) KINDS='$(KINDS)' SEED=$(SEED) KEEP='$(KEEP)' perl tests/inject/inject

# Reports over the corpus and over odd names, read by programs that others wrote.
check-reports: $B/md5lint build/npm/done
	@B=$B sh tests/program/check-reports

check-inject: $(INJECT)
	@B=$B SHARE=6 perl tests/inject/inject

# The program with its steps counted.
COUNTED := memcpy memmove memset memcmp memchr strlen
$B/md5lint-steps: $(TOOL) $B/libm5lint.a tests/gates/steps.c
	$(call run,LD,$(CC) -std=c11 -I. $(WARNINGS) -O2 $^ $(COUNTED:%=-Wl,--wrap=%) -ljansson $(LIBS) -o $@)

linear: $(patsubst %,$B/test_hostile_%,md5 ill md4 def geometry pack)
	@$(MAKE) -s B=$B/steps CC=gcc CFLAGS='-O2 -g -fsanitize-coverage=trace-pc' $B/steps/md5lint-steps
	@B=$B SIZE=$(SIZE) sh tests/gates/linear

# What the tests reach, line by line: open build/coverage/html/index.html. Counting so that threads cannot disturb it
# takes six times as long, so what has threads runs in a build of its own.
COV := build/coverage
GCOV := -O0 -g --coverage
COVERAGE := $(MAKE) -s B=$(COV) CFLAGS='$(GCOV)' FUZZERS='$(filter-out %_commandline,$(FUZZERS))'
COVERAGE_THREADS := $(MAKE) -s B=$(COV)/threads CFLAGS='$(GCOV) -fprofile-update=atomic' FUZZERS='fuzz_commandline fuzz_md5camera' \
    SUITES='$(patsubst %,$(COV)/threads/test_%,library limits file pair app)'
coverage:
	@rm -rf $(COV)
	+CK_EXCLUDE_TAGS=threads $(COVERAGE) PARTS='suites replays' check
	+CK_INCLUDE_TAGS=threads $(COVERAGE_THREADS) check $(COV)/threads/md5lint-faults
	@B=$(COV)/threads sh tests/gates/faults && B=$(COV)/threads python3 tests/gates/restless
	@sh tests/gates/coverage $(COV)

# The same of the corpus alone, through the fuzz targets.
coverage-corpus:
	@rm -rf $(COV)-corpus
	+@$(COVERAGE) $(patsubst %,$(COV)/replay_%,$(filter-out %_commandline,$(FUZZERS)))
	+@$(COVERAGE_THREADS) $(COV)/threads/replay_fuzz_commandline
	@python3 fuzz/pack-groups $(COV)-corpus/groups
	@find $(COV) -name '*.gcno' -printf '%P\n' | (cd $(COV) && xargs cp --parents -t ../../$(COV)-corpus)
	@for replay in $(patsubst %,$(COV)/replay_%,$(filter-out %_commandline,$(FUZZERS))) $(COV)/threads/replay_fuzz_commandline; do \
	    GCOV_PREFIX=$(CURDIR)/$(COV)-corpus GCOV_PREFIX_STRIP=$$(echo $(CURDIR)/$(COV) | tr -cd / | wc -c) \
	        $$replay corpus $(COV)-corpus/groups >/dev/null || exit 1; done
	@sh tests/gates/coverage $(COV)-corpus corpus

coverage-check: coverage
	@$(MAKE) -s coverage-corpus

# Which part of each condition has decided on its own.
MCDC := -O0 -g -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
mcdc:
	@rm -rf build/mcdc
	CK_EXCLUDE_TAGS=threads LLVM_PROFILE_FILE='$(CURDIR)/build/mcdc/raw/%m.profraw' $(MAKE) -s B=build/mcdc CC=clang-19 CFLAGS='$(MCDC)' PARTS='suites replays' FUZZERS='$(filter-out %_commandline,$(FUZZERS))' check
	@sh tests/gates/mcdc build/mcdc

FORMATTED = $(shell git ls-files parsers lint fuzz tests | grep -E '\.(c|h|cc)$$')
format:
	clang-format -i $(FORMATTED)

check-format:
	@sh tests/gates/least formatted-files $(words $(FORMATTED))
	@clang-format --dry-run --Werror $(FORMATTED)

sizes:
	@sh tests/gates/sizes

# What the public headers promise, on one page: build/api.md.
api:
	@mkdir -p $B
	@sh lint/dist/api $B/api.md && echo $B/api.md

# The rules and the manual pages as HTML, to be read without a network.
site: $B/md5lint $B/manual
	@CC='$(CC)' B='$B' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' MANDIR='$(MANDIR)' DESTDIR= sh lint/dist/site && echo $B/site/index.html

check-site: site build/npm/done
	@B=$B NODE_PATH=build/npm/node_modules node tests/gates/site

check-pieces: $B/md5lint build/npm/done
	@B=$B NODE_PATH=build/npm/node_modules node tests/gates/pieces

rules: $B/md5lint
	$B/md5lint --list-rules=markdown > lint/RULES.md

bench: deps-bench
	@$(MAKE) -s $B/md5lint $B/generate $B/convert $(BENCH)
	@B=$B sh tests/bench/run

bench-gate: $B/bench/gate $B/generate $B/convert
	@B=$B RECORD=$(RECORD) sh tests/bench/gate

# What another loader makes of the corpus.
peers:
	@mkdir -p $B
	@dpkg-query -W assimp-utils
	@sh fuzz/try-loader --formats=md5mesh,md5anim,md5camera --json --jobs=2 -- assimp info {} >$B/peers.json; \
	    [ $$? -le 1 ] && python3 tests/targets/peers $B/peers.json

# The corpus for other projects: see corpus/README.md.
corpus-dist: $B/dump
	@python3 fuzz/corpus-dist $B/dump $B/md5lint-corpus.tar.gz && echo $B/md5lint-corpus.tar.gz

# Fuzzing: the same harness as a libFuzzer target and as a program that replays files.

# The target of the command line has the program in it, but for what main.c is; that of fixes has what makes them.
PROGRAM := $(filter-out %/main.o,$(TOOL))
program_in = $(patsubst $B/%,$(1)/%,$(if $(filter commandline,$*),$(PROGRAM)) $(if $(filter fix,$*),$(MENDER)))
$B/replay_fuzz_commandline: $(PROGRAM)
$B/replay_fuzz_fix: $(MENDER)
$B/replay_%: $B/fuzz/targets/%.o $B/fuzz/harness/replay.o $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $(filter %.o,$^) $B/libm5lint.a -ljansson $(LIBS) -o $@)

# Every truncation, every replaced byte and every replaced word of the corpus, under sanitizers. In full that
# takes hours: SHARE=1. ONLY=words leaves out the first two: minutes.
# clang 19's sanitizers take a quarter less time than 14's.
SHARE := 1
TURN := 0
ONLY :=
$B/hostile: $B/fuzz/harness/hostile.o $B/libm5lint.a
	$(call run,LD,$(CC) $(FLAGS) $^ $(LIBS) -o $@)

HOSTILE := asan msan $(if $(M32),m32)
hostile-asan: MAKE_HOSTILE = CC=clang-19 CFLAGS='-O2 -g' SANITIZE=address,undefined
hostile-msan: MAKE_HOSTILE = CC=clang-19 CFLAGS='-O2 -g' SANITIZE=memory
# Not one of those, but HOSTILE=again: all that harnesses assert, of each variant.
hostile-again: MAKE_HOSTILE = CC=gcc CFLAGS='-O2 -g -DHARNESS_SHARE=1'
hostile-m32: MAKE_HOSTILE = CC=gcc CFLAGS='-O2 -g -m32 -mfpmath=387'
hostile-%:
	@$(MAKE) -s B=build/hostile-$* $(MAKE_HOSTILE) build/hostile-$*/hostile

check-hostile: $(HOSTILE:%=hostile-%)
	@ONLY=$(ONLY) sh fuzz/check-hostile $(SHARE) $(TURN) $(HOSTILE)

# In a build of its own, so that all targets share the instrumented libraries.
LF := $B/libfuzzer
LF_SANITIZE := address,undefined
# Comparisons are not traced: that takes half of the speed, and dictionaries know the words. Nor is the
# depth of the stack, which no input changes.
LF_CFLAGS := -O2 -g -fno-sanitize-coverage=trace-cmp,stack-depth -DHARNESS_SHARE=64
LF_MAKE = $(MAKE) -s B=$(LF) CC=clang CFLAGS='$(LF_CFLAGS)' SANITIZE=fuzzer-no-link,$(LF_SANITIZE)
MUTATORS := $(MUTATE:%.c=$(LF)/%.o)
$(LF)/fuzz_%: libfuzzer-objects
	+@$(LF_MAKE) $(LF)/fuzz/targets/fuzz_$*.o
	$(call run,LD,clang -fsanitize=fuzzer$(comma)$(LF_SANITIZE) $(LF)/fuzz/targets/fuzz_$*.o \
	    $(if $(filter number settings,$*),,$(MUTATORS)) $(call program_in,$(LF)) $(LF)/libm5lint.a -ljansson $(LIBS) -o $@)

libfuzzer-objects:
	+@$(LF_MAKE) $(LF)/libm5lint.a $(MUTATORS) $(PROGRAM:$B/%=$(LF)/%)

# AFL++ takes the same targets, in persistent mode, instrumented at link time; a second build logs
# comparisons for it.
AFL := $B/afl
AFL_MAKE = $(MAKE) -s B=$(AFL)$(1) CC=afl-clang-lto CFLAGS='-O2 -g -DHARNESS_SHARE=64' AR=llvm-ar RANLIB=llvm-ranlib
$(AFL)/fuzz_%: FORCE
	@AFL_QUIET=1 $(call AFL_MAKE) $(AFL)/libm5lint.a $(AFL)/fuzz/targets/fuzz_$*.o $(call program_in,$(AFL))
	$(call run,LD,AFL_QUIET=1 afl-clang-lto -fsanitize=fuzzer $(AFL)/fuzz/targets/fuzz_$*.o $(call program_in,$(AFL)) $(AFL)/libm5lint.a \
	    -ljansson $(LIBS) -o $@)
$(AFL)-cmplog/fuzz_%: FORCE
	@AFL_QUIET=1 AFL_LLVM_CMPLOG=1 $(call AFL_MAKE,-cmplog) $(AFL)-cmplog/libm5lint.a $(AFL)-cmplog/fuzz/targets/fuzz_$*.o $(call program_in,$(AFL)-cmplog)
	$(call run,LD,AFL_QUIET=1 AFL_LLVM_CMPLOG=1 afl-clang-lto -fsanitize=fuzzer $(AFL)-cmplog/fuzz/targets/fuzz_$*.o \
	    $(call program_in,$(AFL)-cmplog) $(AFL)-cmplog/libm5lint.a -ljansson $(LIBS) -o $@)

# The mutators as a library for AFL++.
$(AFL)/mutator.so: $(MUTATE) fuzz/mutate/afl_mutator.c $(call sources,parsers) $(shell find fuzz parsers -name '*.h' -o -name '*.def')
	@mkdir -p $(@D)
	$(call run,LD,$(CC) -std=c11 -I. -O2 -fPIC -shared -Wl$(comma)--no-undefined -DMUTATE_FOR_AFL $(filter %.c,$^) -lm -o $@)

SECONDS := 60
fuzz-%: $(LF)/fuzz_%
	@sh fuzz/run libfuzzer $* $(SECONDS)

afl-%: $(AFL)/fuzz_% $(AFL)-cmplog/fuzz_% $(AFL)/mutator.so
	@sh fuzz/run afl $* $(SECONDS)

fuzz: $(FUZZERS:fuzz_%=fuzz-%)

# How fast the harnesses are, built as for libFuzzer but without what that does between two executions.
fuzz-speed:
	+@$(LF_MAKE) $(FUZZERS:%=$(LF)/replay_%)
	@mkdir -p $B/fuzz/groups && python3 fuzz/pack-groups $B/fuzz/groups
	@for t in $(TARGETS); do find $$(sh fuzz/seeds $$t $B/fuzz/groups) -type f ! -name '*.expect' ! -name '*.source' ! -name '*.fixed' \
	    | xargs -d '\n' $(LF)/replay_fuzz_$$t --speed || exit 1; done

HOURS := 8
TARGETS := $(FUZZERS:fuzz_%=%)
# What each target reaches with what it has learnt: build/fuzz/coverage/index.html.
COVERED := $B/covered
covered:
	@$(MAKE) -s B=$(COVERED) CC=clang CFLAGS='-O1 -g -fprofile-instr-generate -fcoverage-mapping' $(TARGETS:%=$(COVERED)/replay_fuzz_%)

fuzz-coverage: covered
	@python3 fuzz/coverage $(COVERED) $B/fuzz $(TARGETS)

# A finding as a minimised case: make crash FINDING=build/fuzz/findings/md4-crash-... CAUSE=word-of-2000-bytes
crash:
	@B=$B python3 fuzz/crash $(FINDING) $(CAUSE)

# Inputs that were taken out of tests/reach are found again.
check-reach: recorded
	@B=$B python3 tests/gates/reach

# A night with a planted bug.
check-night:
	@sh tests/gates/night

nightly: covered $(TARGETS:%=$(LF)/fuzz_%) $(TARGETS:%=$(AFL)/fuzz_%) $(TARGETS:%=$(AFL)-cmplog/fuzz_%) $(AFL)/mutator.so
	@B=$B COVERED=$(COVERED) sh fuzz/nightly $(HOURS) $(TARGETS)

FORCE:

# All but what nights of fuzzing have learnt and found.
clean:
	[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name fuzz -exec rm -rf {} +

.PHONY: reach recorded check-reach covered fuzz-coverage crash check-night check-tests hardened install uninstall site check-site check-pieces check-reports api messages bless check-ports sizes deps-build format check-format fuzz-speed mcdc mutants check-clusterfuzzlite coverage-corpus coverage-check peers check-same check-faults check-hostile nightly FORCE fuzz libfuzzer-objects all help deps deps-fuzz demo check check-real inject check-inject linear coverage rules bench bench-gate deps-bench clean
.SECONDARY:
-include $(patsubst %.c,$B/%.d,$(call sources,parsers lint fuzz tests)) $B/tests/examples/validate.d
