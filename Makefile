# The commands of this project. The work is done by CMake (CMakePresets.json) and by the scripts in tools/.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

all: ## build the library and the command line in build/ (release)
	@tools/bootstrap build
	@$(build)

demo: ## install what is missing, build, and try it on the bundled spectra
	@tools/bootstrap build
	@$(build)
	@tools/demo build/alidade demo

check: ## install what is missing, build, and run every test (about 8 minutes on two cores)
	@tools/bootstrap build test
	@tools/check $(JOBS)

check-long: ## everything of check, all tests under the sanitizers, and a while of fuzzing (FUZZ_SECONDS a target)
	@tools/bootstrap build test
	@tools/check $(JOBS) --long

bench: ## measure speed and memory side by side with the usual peers
	@tools/bootstrap build bench
	@$(build)
	@tools/bench build/alidade

install: ## install under PREFIX (/usr/local), in DESTDIR if given
	@tools/bootstrap build
	@$(build)
	@DESTDIR="$(DESTDIR)" cmake --install build

format: ## format every C file with clang-format 14
	@tools/format

clean: ## remove everything that was built, and the files of the demo
	rm -rf build build-debug build-asan build-tsan build-fuzz demo

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

define build
tools/build release $(JOBS) -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
endef

.PHONY: all demo check check-long bench install format clean help
