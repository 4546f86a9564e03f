# sarrus: `make help` lists the targets.  GNU make 3.81 or later.

VERSION  := $(shell awk '/define SARRUS_VERSION_(MAJOR|MINOR|PATCH) / { v = v s $$3; s = "." } \
                         END { print v }' core/include/sarrus/version.h)
SOVERSION = 0
PREFIX   = /usr/local
DESTDIR  =

OPT      = -O2
CFLAGS   = $(OPT)
LDFLAGS  =
LAPACK   = -llapack
LIBS     = $(LAPACK) -lm -lpthread
CLANG    = clang
FORMAT   = clang-format
LUAROCKS = luarocks
OBJCOPY  = objcopy

# No contraction into fused multiply-add: the same script gives the same bits everywhere.
BASE     = -std=c11 -ffp-contract=off -fPIC -fvisibility=hidden -Icore/include
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wundef -Wvla -Wdouble-promotion
SANITIZE = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
DEPFLAGS = -MMD -MP

# The module is built once per Lua version, LuaJIT shares the one of 5.1.
LUA_NAMES      = 5.5 5.4 5.3 5.1
LUA_PACKAGES   = lua$(1) lua-$(1) $(if $(filter 5.1,$(1)),luajit)
lua_package    = $(firstword $(foreach p,$(LUA_PACKAGES),$(shell pkg-config --exists $(p) 2>/dev/null && echo $(p))))
LUA_VERSIONS  := $(foreach v,$(LUA_NAMES),$(if $(call lua_package,$(v)),$(v)))
NOTE_NO_LUA    = $(if $(LUA_VERSIONS),:,echo "pkg-config knows no Lua (Debian: pkg-config liblua5.4-dev): the C library only")
lua_flags      = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags-only-I $(lua_package) 2>/dev/null))

ifeq ($(shell uname -s),Darwin)
  SHARED      = libsarrus.dylib
  SHARED_NAME = libsarrus.$(1).dylib
  LINK_SHARED = -dynamiclib -install_name $(PREFIX)/lib/$(call SHARED_NAME,$(SOVERSION))
  LINK_MODULE = -bundle -undefined dynamic_lookup
  HIDE        = -Wl,-exported_symbol,_luaopen_sarrus_core
  SMOKE_LUAS  =
  LOCALIZE    = : # the linker has done it
  LOCALIZE_LUA = :
else
  SHARED      = libsarrus.so
  SHARED_NAME = libsarrus.so.$(1)
  LINK_SHARED = -shared -Wl,-soname,$(call SHARED_NAME,$(SOVERSION)) -Wl,-z,defs
  LINK_MODULE = -shared
  HIDE        = -Wl,--version-script=build/module.map
  SMOKE_LUAS  = lua5.3 lua5.1
  LOCALIZE    = $(OBJCOPY) --wildcard -G 'sarrus_*'
  LOCALIZE_LUA = $(OBJCOPY) -G luaopen_sarrus_core
endif
SPEC_LUAS = lua5.4 luajit

CORE     := $(wildcard core/src/*.c)
BINDING  := $(wildcard lua/binding/*.c)
TESTS    := $(wildcard core/tests/test_*.c)
BENCHES  := $(wildcard core/bench/*.c)
FUZZ_CORE := $(wildcard core/fuzz/*.c)
C_EXTRA  := $(BENCHES) $(FUZZ_CORE) $(wildcard examples/*.c)
C_FILES  := $(wildcard core/include/sarrus/*.h core/src/*.[ch] core/tests/*.[ch] core/bench/*.[ch] \
                       core/fuzz/*.[ch] lua/binding/*.[ch] lua/mpi/*.c lua/fuzz/*.[ch] examples/*.[ch] \
                       core/include/sarrus/*.hpp examples/*.cpp)
MODULES  := $(LUA_VERSIONS:%=build/lua%/sarrus/core.so)
ARCHIVES := $(LUA_VERSIONS:%=build/lua%/libsarrus_lua.a)
# Sweeps under mpirun: where Open MPI is found.
MPI      := $(shell pkg-config --exists ompi-c 2>/dev/null && echo lua/mpi/mpi.c)
MPI_FLAGS = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags ompi-c))
MPI_LIBS  = $(shell pkg-config --libs ompi-c)
MODULES  += $(if $(MPI),$(LUA_VERSIONS:%=build/lua%/sarrus/mpi.so))
PROGRAMS := $(TESTS:core/tests/%.c=build/tests/%)

.DEFAULT_GOAL = all
.PHONY: all demo test fresh deps env lint lint-warnings lint-format lint-lua format bench bench-quick \
        bench-accuracy bench-ensemble bench-tangents bench-record reference soak random bits mutants fuzz page gallery pictures playground rock install install-library install-lua \
        clean help tests rock-build rock-install
.DELETE_ON_ERROR:

## all: the C library, static and shared, and the module for every Lua found (the default)
all: build/libsarrus.a build/$(SHARED) $(MODULES) $(ARCHIVES)
	@$(NOTE_NO_LUA)

## demo: install what is missing, build, expand a robot, and make a page with a moving linkage
demo:
	@.ci/deps demo
	@MAKE="$(MAKE)" .ci/demo

## test: install what is missing, and run everything that must hold
test:
	@.ci/deps test
	@MAKE="$(MAKE)" SPEC_LUAS="$(SPEC_LUAS)" SMOKE_LUAS="$(SMOKE_LUAS)" spec/run

## fresh: both commands of README on bare Debians, in a clone of what is committed (root; minutes)
fresh:
	@.ci/fresh

## deps: install what building and testing need, or say what is missing
deps:
	@.ci/deps test

## env: print shell exports; after eval "$(make -s env)" every Lua finds this tree, and the shell sarrus
env:
	@.ci/env

## lint: warnings of gcc and clang as errors, the format of the C files, luacheck
lint: lint-warnings lint-format lint-lua

lint-format:
	@$(FORMAT) --dry-run -Werror $(C_FILES)

lint-lua:
	@luacheck -q --no-color lua lua/bin/sarrus core/doc spec examples rocks/*.rockspec

## format: lay out the C files
format:
	@$(FORMAT) -i $(C_FILES)

## bench: sarrus against its peers, CPU time for equal error (minutes; installs the peers)
bench: build/lua5.4/sarrus/core.so build/bench/clock.so build/bench/bounce
	@YARDSTICK="$(YARDSTICK)" PEERS="$(PEERS)" PROBLEMS="$(PROBLEMS)" core/bench/run

## bench-quick: sarrus alone, under a minute, with instruction counts (RECORD=1 keeps them)
bench-quick: build/lua5.4/sarrus/core.so build/bench/clock.so build/bench/step
	@RECORD="$(RECORD)" core/bench/quick

## bench-accuracy: the bounds that simulations must keep, and what is measured, in one table
bench-accuracy: build/lua5.4/sarrus/core.so build/bench/step
	@eval "$$(.ci/env)" && lua5.4 -e 'os.exit(dofile("spec/accuracy.lua").print() == 0)'

## reference: core/doc/reference.md, every public name, from the annotations
reference: build/lua5.4/sarrus/core.so
	@eval "$$(.ci/env)" && lua5.4 -e 'io.write(dofile("core/doc/reference.lua").text())' \
	  > core/doc/reference.md

## bench-tangents: what derivatives cost, in instructions of the motion without them
bench-tangents: build/lua5.4/sarrus/core.so
	@core/bench/tangents

## bench-record: a million rows of CSV against loops in Lua, and the memory they take
bench-record: build/lua5.4/sarrus/core.so
	@eval "$$(.ci/env)" && lua5.4 core/bench/record.lua

## bench-ensemble: RUNS= double pendulums (1000), in one thread and in two; 200 of them by MuJoCo
RUNS = 1000
ENDS = $(if $(YARDSTICK),$(YARDSTICK)/ref_ens.bin,build/bench/ensemble.bin)
bench-ensemble: build/lua5.4/sarrus/core.so
	@mkdir -p build/bench
	@eval "$$(.ci/env)" && lua5.4 core/bench/ensemble.lua $(RUNS) 1.5e-11 $(ENDS)
	@$(CC) -std=gnu11 -O2 core/bench/peers/mujoco_ensemble.c -o build/bench/mujoco_ensemble -lmujoco -lm \
	  2>build/bench/mujoco_ensemble.log && build/bench/mujoco_ensemble 200 20000 $(ENDS) \
	  || echo "MuJoCo is skipped (Debian: libmujoco-dev; see build/bench/mujoco_ensemble.log)"

## soak: a pendulum for a million steps: constraints and energy
soak: build/lua5.4/sarrus/core.so
	@eval "$$(.ci/env)" && lua5.4 -e 'dofile("spec/soak.lua").print()'

## random: CASES= random cases (1000) of each class in spec/random, or CLASSES=, from SEED= (1) on
SEED    = 1
CASES   = 1000
CLASSES =
random: build/lua5.4/sarrus/core.so
	@eval "$$(.ci/env)" && lua5.4 -e \
	  'os.exit(dofile("spec/random.lua").print($(SEED), $(CASES), "$(CLASSES)"))'

## bits: twenty recordings with gcc and clang, -O1 and -O3, two Luas and every collector: the same? (minutes)
bits:
	@spec/bits "$(BASE)" "$(LIBS)"

# Tests without sanitizers, and the module, that find a mutant in place of its original by LD_PRELOAD:
# every name is seen, and called as one that another library may have.
QUICK          = $(BASE) -O1 -fvisibility=default -fsemantic-interposition -Icore/src
QUICK_PROGRAMS = $(TESTS:core/tests/%.c=build/quick/%)

## mutants: MOST= constants and comparisons (100), or those of FILES=, changed: does a test fail? (SEED=)
MOST    = 100
FILES   =
STAGES  = quick sanitized specs
DRAWN   = "$(FILES)", $(MOST), $(SEED)
TOOLS   = quick = "$(CC) $(QUICK)", sanitized = "$(CC) $(BASE) $(SANITIZE) -Icore/src", \
          shared = "$(CC) -shared", libs = "$(LIBS)"
mutants: tests build/lua5.4/sarrus/core.so $(QUICK_PROGRAMS) build/quick/sarrus/core.so
	@lua5.4 -e 'os.exit(dofile("spec/mutants.lua").print($(DRAWN), "$(STAGES)", { $(TOOLS) }))'

build/quick/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(QUICK) $(call lua_flags,5.4) $(DEPFLAGS) -c -o $@ $<

build/quick/libcore.so: $(CORE:%.c=build/quick/obj/%.o)
	$(CC) -shared $(LDFLAGS) -o $@ $^ $(LIBS)

$(QUICK_PROGRAMS): build/quick/%: build/quick/obj/core/tests/%.o build/quick/libcore.so
	$(CC) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN' -o $@ $^ $(LIBS)

build/quick/sarrus/core.so: $(BINDING:%.c=build/quick/obj/%.o) build/quick/libcore.so
	@mkdir -p $(@D)
	$(CC) $(LINK_MODULE) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/..' -o $@ $^ $(LIBS)

## fuzz: each fuzz target for FUZZ_SECONDS (60), or FUZZ_RUNS= runs; FUZZERS= some (installs clang)
fuzz:
	@.ci/deps fuzz
	@$(MAKE) --no-print-directory $(FUZZERS)
	@core/fuzz/run $(FUZZ_SECONDS) $(FUZZ_RUNS) $(notdir $(FUZZERS))

## page: rebuild lua/sarrus/output/page.html, which recording:html fills, from lua/web (needs npm)
page: build/web/packages
	@node lua/web/build.mjs

## gallery: build/gallery/index.html, a page for every example (pictures need npm and chromium)
gallery: build/lua5.4/sarrus/core.so
	@eval "$$(.ci/env)" && lua5.4 lua/web/gallery.lua build/gallery
	@$(MAKE) --no-print-directory -s build/web/packages \
	  && node lua/web/pictures.mjs < build/gallery/pictures.txt \
	  || echo "without pictures: they need npm and chromium"

## pictures: the pictures in core/doc, from the pages of the gallery
pictures: gallery
	@node lua/web/pictures.mjs < lua/web/pictures.txt

## playground: build/playground/index.html, sarrus in a browser, one file (installs emscripten)
playground: build/lua5.4/sarrus/core.so
	@.ci/deps playground
	@.ci/lua-source build/playground/lua
	@$(MAKE) --no-print-directory build/playground/index.html

build/web/packages: lua/web/package.json lua/web/package-lock.json
	@mkdir -p $(@D)
	@cp $^ $(@D)
	@cd $(@D) && npm ci --prefer-offline --fetch-retry-mintimeout=1000 --ignore-scripts --no-audit \
	  --no-fund --loglevel=error
	@touch $@

## rock: the source rock, and a binary one for Lua 5.4 (LUA=5.1 for another one), in build/
LUA = 5.4
ROCK_SOURCES = core lua examples rocks .ci Makefile README.md CHANGELOG.md CONTRIBUTING.md LICENSE
rock:
	@rm -rf build/rock-tree build/rock-source
	@mkdir -p build/rock-source/sarrus
	@cp -R $(ROCK_SOURCES) build/rock-source/sarrus/
	@cp rocks/sarrus-$(VERSION)-1.rockspec build/rock-source/
	@rm -f build/sarrus-$(VERSION)-1.src.rock
	@cd build/rock-source && zip -q -r ../sarrus-$(VERSION)-1.src.rock .
	@cd build && $(LUAROCKS) --lua-version $(LUA) --tree rock-tree install sarrus-$(VERSION)-1.src.rock
	@cd build && $(LUAROCKS) --lua-version $(LUA) --tree rock-tree pack sarrus $(VERSION)

## install: the C library, the Lua modules, the command and the manual, below PREFIX (and DESTDIR)
install: install-library $(if $(LUA_VERSIONS),install-lua)
	@$(NOTE_NO_LUA)

# The command runs under 5.4 if that was built, and finds the modules beside it.
COMMAND_LUA  := $(firstword $(filter 5.4,$(LUA_VERSIONS)) $(LUA_VERSIONS))
COMMAND_NAMES = lua$(COMMAND_LUA) $(if $(filter 5.1,$(COMMAND_LUA)),luajit) lua
COMMAND_HOST  = $(notdir $(firstword $(foreach n,$(COMMAND_NAMES),$(shell command -v $(n)))))

install-lua: $(MODULES) $(ARCHIVES)
	@mkdir -p "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/include/sarrus"
	cp lua/binding/sarrus_lua.h "$(DESTDIR)$(PREFIX)/include/sarrus/lua.h"
	@for v in $(LUA_VERSIONS); do \
	  mkdir -p "$(DESTDIR)$(PREFIX)/share/lua/$$v" "$(DESTDIR)$(PREFIX)/lib/lua/$$v/sarrus" && \
	  cp -R lua/sarrus "$(DESTDIR)$(PREFIX)/share/lua/$$v/" && \
	  cp build/lua$$v/sarrus/*.so "$(DESTDIR)$(PREFIX)/lib/lua/$$v/sarrus/" && \
	  cp build/lua$$v/libsarrus_lua.a "$(DESTDIR)$(PREFIX)/lib/libsarrus_lua$$v.a" || exit 1; \
	done
	@{ echo '#!/usr/bin/env $(COMMAND_HOST)'; \
	  echo 'package.path = "$(PREFIX)/share/lua/$(COMMAND_LUA)/?.lua;" .. package.path'; \
	  echo 'package.path = "$(PREFIX)/share/lua/$(COMMAND_LUA)/?/init.lua;" .. package.path'; \
	  echo 'package.cpath = "$(PREFIX)/lib/lua/$(COMMAND_LUA)/?.so;" .. package.cpath'; \
	  tail -n +2 lua/bin/sarrus; } > "$(DESTDIR)$(PREFIX)/bin/sarrus"
	chmod +x "$(DESTDIR)$(PREFIX)/bin/sarrus"
	$(call install_doc,$(DESTDIR)$(PREFIX)/share/doc/sarrus)

# README, manual and examples below a folder, as they stand to each other here.
define install_doc
	@mkdir -p "$(1)/core/doc" "$(1)/core/bench" "$(1)/examples"
	cp README.md CHANGELOG.md CONTRIBUTING.md LICENSE "$(1)/"
	cp $(filter-out %.lua,$(wildcard core/doc/*.*)) "$(1)/core/doc/"
	cp core/bench/*.svg "$(1)/core/bench/"
	cp examples/*.* "$(1)/examples/"
	cp -R examples/love "$(1)/examples/"
endef

install-library: build/libsarrus.a build/$(SHARED)
	@mkdir -p "$(DESTDIR)$(PREFIX)/lib/pkgconfig" "$(DESTDIR)$(PREFIX)/include/sarrus"
	cp core/include/sarrus/*.h core/include/sarrus/*.hpp "$(DESTDIR)$(PREFIX)/include/sarrus/"
	cp build/libsarrus.a "$(DESTDIR)$(PREFIX)/lib/"
	cp build/$(SHARED) "$(DESTDIR)$(PREFIX)/lib/$(call SHARED_NAME,$(VERSION))"
	ln -sf $(call SHARED_NAME,$(VERSION)) "$(DESTDIR)$(PREFIX)/lib/$(call SHARED_NAME,$(SOVERSION))"
	ln -sf $(call SHARED_NAME,$(SOVERSION)) "$(DESTDIR)$(PREFIX)/lib/$(SHARED)"
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	  -e "s|@LIBS@|$$(.ci/static "$(CC)" "$(LAPACK)" "$(LIBS)")|" \
	  core/sarrus.pc.in > "$(DESTDIR)$(PREFIX)/lib/pkgconfig/sarrus.pc"

## clean: remove build/
clean:
	rm -rf build

## help: this list
help:
	@sed -n 's/^## \([a-z-]*\): \(.*\)/\1\	\2/p' $(firstword $(MAKEFILE_LIST)) | \
	  while IFS='	' read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

# --- library ---------------------------------------------------------------------------------

# One object that shows public names only, so that no other meets those of a program.
build/sarrus.o: $(CORE:%.c=build/obj/%.o)
	$(CC) $(CFLAGS) -r -nostdlib -o $@ $^
	$(LOCALIZE) $@

build/libsarrus.a: build/sarrus.o
	@rm -f $@
	$(AR) rcs $@ $<

build/$(SHARED): build/sarrus.o
	$(CC) $(CFLAGS) $(LINK_SHARED) $(LDFLAGS) -o $@ $^ $(LIBS)

build/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(BASE) $(WARN) $(DEPFLAGS) -c -o $@ $<

# --- Lua modules -----------------------------------------------------------------------------

# The core is linked in, and of all its names only the entry is seen from outside.
build/module.map: Makefile
	@mkdir -p $(@D)
	@echo '{ global: luaopen_sarrus_core; local: *; };' > $@

define lua_module
build/lua$(1)/obj/%.o: %.c Makefile
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(BASE) $$(WARN) $$(DEPFLAGS) $$(call lua_flags,$(1)) -c -o $$@ $$<

build/lua$(1)/sarrus/core.so: $(BINDING:%.c=build/lua$(1)/obj/%.o) build/libsarrus.a \
                              build/module.map
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(LINK_MODULE) $$(HIDE) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) \
	  build/libsarrus.a $$(LIBS)

build/lua$(1)/sarrus/mpi.so: lua/mpi/mpi.c Makefile
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(BASE) $$(WARN) $$(MPI_FLAGS) $$(call lua_flags,$(1)) $$(LINK_MODULE) \
	  $$(LDFLAGS) -o $$@ $$< $$(MPI_LIBS)

# The module for hosts that link Lua themselves; it shows its entry alone.
build/lua$(1)/libsarrus_lua.a: $(BINDING:%.c=build/lua$(1)/obj/%.o)
	@rm -f $$@
	$$(CC) $$(CFLAGS) -r -nostdlib -o $$(@D)/sarrus_lua.o $$^
	$$(LOCALIZE_LUA) $$(@D)/sarrus_lua.o
	$$(AR) rcs $$@ $$(@D)/sarrus_lua.o
endef
$(foreach v,$(LUA_VERSIONS),$(eval $(call lua_module,$(v))))

# --- the rock: luarocks calls these two with its own variables -------------------------------

# The library is the same for every Lua; the binding is compiled by one command, so that nothing of
# another Lua version can be left over.
rock-build: build/module.map build/libsarrus.a
	@mkdir -p build/rock/sarrus
	$(CC) $(CFLAGS) $(BASE) -isystem "$(LUA_INCDIR)" $(LINK_MODULE) $(HIDE) $(LDFLAGS) \
	  -o build/rock/sarrus/core.so $(BINDING) build/libsarrus.a $(LAPACK_LIBDIR:%=-L%) $(LIBS)
	$(if $(MPI),$(CC) $(CFLAGS) $(BASE) $(MPI_FLAGS) -isystem "$(LUA_INCDIR)" $(LINK_MODULE) \
	  $(LDFLAGS) -o build/rock/sarrus/mpi.so $(MPI) $(MPI_LIBS))

rock-install:
	@mkdir -p "$(INST_LUADIR)" "$(INST_LIBDIR)/sarrus" "$(INST_BINDIR)"
	cp -R lua/sarrus "$(INST_LUADIR)/"
	cp build/rock/sarrus/*.so "$(INST_LIBDIR)/sarrus/"
	cp lua/bin/sarrus "$(INST_BINDIR)/"
	$(call install_doc,$(INST_PREFIX)/doc)

# --- tests, benchmarks -----------------------------------------------------------------------

tests: $(PROGRAMS)

build/tests/libcore.a: $(CORE:%.c=build/tests/obj/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

build/tests/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE) $(WARN) $(SANITIZE) $(DEPFLAGS) -Icore/src -c -o $@ $<

$(PROGRAMS): build/tests/%: build/tests/obj/core/tests/%.o build/tests/libcore.a
	$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)

# The same test under the thread sanitizer, which cannot be combined with the others.
TSAN = -O1 -g -fsanitize=thread
build/tsan/%: build/tsan/obj/core/tests/%.o $(CORE:%.c=build/tsan/obj/%.o)
	$(CC) $(TSAN) $(LDFLAGS) -o $@ $^ $(LIBS)

build/tsan/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE) $(WARN) $(TSAN) $(DEPFLAGS) -Icore/src -c -o $@ $<

build/bench/%: core/bench/%.c build/libsarrus.a Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(BASE) $(WARN) $(DEPFLAGS) -Icore/src -o $@ $< build/libsarrus.a $(LDFLAGS) $(LIBS)

build/bench/clock.so: core/bench/clock/clock.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(BASE) $(WARN) -fvisibility=default $(call lua_flags,5.4) $(LINK_MODULE) -o $@ $<

# --- the playground: core, binding and Lua as WebAssembly --------------------------------------

EMCC = emcc
WASM = build/playground
WASM_LUA := $(wildcard $(WASM)/lua/*.c)
WASM_OBJECTS = $(patsubst %.c,$(WASM)/obj/%.o,$(CORE) $(BINDING) $(wildcard lua/playground/*.c) $(WASM_LUA:$(WASM)/%=%))
WASM_FLAGS = -O2 -ffp-contract=off -Icore/include -Icore/src -I$(WASM)/lua
WASM_LINK = -O2 -sSINGLE_FILE=1 -sMODULARIZE=1 -sEXPORT_NAME=sarrusHost -sENVIRONMENT=worker,node \
            -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=4MB -sINITIAL_MEMORY=32MB \
            -sEXPORTED_FUNCTIONS=_playground_run -sEXPORTED_RUNTIME_METHODS=ccall

$(WASM)/obj/lua/l%.o: $(WASM)/lua/l%.c Makefile
	@mkdir -p $(@D)
	@$(EMCC) $(WASM_FLAGS) -c -o $@ $<

$(WASM)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(EMCC) -std=c11 $(WASM_FLAGS) $(DEPFLAGS) -c -o $@ $<

$(WASM)/host.js: $(WASM_OBJECTS) $(shell find lua/sarrus -type f) lua/playground/playground.lua
	@rm -rf $(WASM)/files && mkdir -p $(WASM)/files && cp -R lua/sarrus lua/playground/playground.lua $(WASM)/files/
	@NODE_PATH=/usr/share/nodejs $(EMCC) $(WASM_LINK) --embed-file $(WASM)/files@/lua -o $@ $(WASM_OBJECTS)

$(WASM)/index.html: $(WASM)/host.js lua/playground/page.html lua/playground/build.lua lua/web/wishes.lua $(wildcard examples/*.lua)
	@lua5.4 lua/playground/build.lua $@

# --- fuzzing: clang's libFuzzer, under the sanitizers ----------------------------------------

FUZZERS      := $(FUZZ_CORE:core/fuzz/%.c=build/fuzz/%) build/fuzz/scripts
FUZZ_SECONDS  = 60
FUZZ_RUNS     = -1
FUZZ_FLAGS    = -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

build/fuzz/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CLANG) $(BASE) $(WARN) $(FUZZ_FLAGS) $(call lua_flags,5.4) $(DEPFLAGS) -c -o $@ $<

$(FUZZ_CORE:core/fuzz/%.c=build/fuzz/%): build/fuzz/%: build/fuzz/obj/core/fuzz/%.o $(CORE:%.c=build/fuzz/obj/%.o)
	$(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

build/fuzz/scripts: build/fuzz/obj/lua/fuzz/scripts.o $(BINDING:%.c=build/fuzz/obj/%.o) $(CORE:%.c=build/fuzz/obj/%.o)
	$(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(shell pkg-config --libs $(call lua_package,5.4)) $(LIBS)

# --- lint ------------------------------------------------------------------------------------

LINT_CC_gcc   = gcc
LINT_CC_clang = $(CLANG)
LINT_FLAGS    = $(OPT) $(BASE) $(WARN) -Werror $(DEPFLAGS)

define lint_core
lint-warnings: $(patsubst %.c,build/lint/$(1)/%.o,$(CORE) $(TESTS) $(C_EXTRA))

build/lint/$(1)/%.o: %.c Makefile
	@mkdir -p $$(@D)
	@$$(LINT_CC_$(1)) $$(LINT_FLAGS) -Icore/src -c -o $$@ $$<
endef

define lint_binding
lint-warnings: $(patsubst %.c,build/lint/$(1)-lua$(2)/%.o,$(BINDING) $(MPI) lua/fuzz/scripts.c)

build/lint/$(1)-lua$(2)/%.o: %.c Makefile
	@mkdir -p $$(@D)
	@$$(LINT_CC_$(1)) $$(LINT_FLAGS) $$(call lua_flags,$(2)) $$(if $$(MPI),$$(MPI_FLAGS)) -c -o $$@ $$<
endef

$(foreach c,gcc clang,$(eval $(call lint_core,$(c))) \
  $(foreach v,$(LUA_VERSIONS),$(eval $(call lint_binding,$(c),$(v)))))

-include $(shell find build -name '*.d' 2>/dev/null)
