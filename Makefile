# The commands of this project. The work is done by CMake (CMakePresets.json) and by the scripts in tools/.
PREFIX ?= /usr/local
DESTDIR ?=
# Debian's own python3 has Debian's numpy; another may come first on PATH.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

all: ## build the library and the command line in build/ (release); installs nothing and says what is missing
	@tools/bootstrap tell build optional
	@$(build)

demo: ## install what is missing, build, and try it on the bundled spectra
	@tools/bootstrap install build optional || tools/bootstrap tell build optional
	@$(build)
	@tools/demo build/alidade demo

check: ## install what is missing, build, and run every test (a few minutes on two cores)
	@tools/bootstrap install build optional test
	@tools/bootstrap try wasm
	@tools/bootstrap try r
	@tools/check $(JOBS)

test: ## build and run the tests whose names match T, such as T=test_tune or T=cli/fit
	@tools/bootstrap install build optional test
	@tools/test "$(T)" $(JOBS)

check-long: ## everything of check, all tests under the sanitizers, every method under valgrind, and a while of fuzzing
	@tools/bootstrap install build optional test
	@tools/bootstrap try wasm
	@tools/bootstrap try r
	@tools/check $(JOBS) --long

fuzz: ## run all fuzz targets side by side for SECONDS (60), as many at a time as there are cores; a table at the end
	@tools/bootstrap install build optional test
	@tools/build fuzz $(JOBS)
	@$(PYTHON) tools/fuzz build-fuzz/tests tests/fuzz/corpus build-fuzz/found --seconds $(SECONDS) --jobs $(JOBS)

bench: ## measure speed, growth and memory side by side with the usual peers; fails where something grows faster than stated
	@tools/bootstrap install build optional bench
	@$(build)
	@$(or $(shell bench/newest_python),$(PYTHON)) bench/bench.py build/libalidade.so -o build/bench.csv
	@{ $(or $(shell bench/newest_python),$(PYTHON)) bench/shapes.py build -o build/shapes.csv && \
	$(PYTHON) bench/table.py build/shapes.csv README.md docs/benchmarks.md; } || [ $$? = 77 ]
	@$(PYTHON) bench/table.py build/bench.csv README.md docs/benchmarks.md docs/performance.md
	@$(PYTHON) bench/growth.py build/alidade -o build/growth.csv --plot docs/images/two-stage-growth.svg
	@status=0; $(PYTHON) bench/scaling.py build/libalidade.so -o build/scaling.csv --plot docs/images/growth.svg || status=$$?; \
	$(PYTHON) bench/table.py build/growth.csv build/scaling.csv docs/benchmarks.md && exit $$status

experiments: ## the papers' tables and figures beside ours, in docs/results.md (ONLY=name: one of them)
	@tools/bootstrap install build optional experiments
	@$(build)
	@$(PYTHON) experiments/run --alidade build/alidade $(ONLY)

experiments-full: ## the same with the papers' counts of splits and draws; takes hours, resumes where it stopped
	@tools/bootstrap install build optional experiments
	@$(build)
	@$(PYTHON) experiments/run --alidade build/alidade --full $(ONLY)

install: ## build as `make` does, install under PREFIX (/usr/local), in DESTDIR if given, and tell what lies where
	@tools/bootstrap tell build optional
	@$(build)
	@tools/install build "$(PREFIX)" "$(DESTDIR)"

python: ## build the Python package (sdist and wheel) in build/python, and try the wheel in a fresh environment
	@tools/bootstrap install build optional python
	@$(build)
	@tools/python-package build build/python $(PYTHON)

r: ## build the source package for R in build/r, with the library's sources in it, and try it
	@tools/bootstrap install build r
	@$(build)
	@tools/r-package build build/r $(JOBS)

app: ## build the page that computes in a browser, build/alidade.html, by Debian's emscripten
	@tools/bootstrap install build wasm
	@PYTHON=$(PYTHON) tools/app $(JOBS)

docs: ## write the method tables of the pages, the classes for Python and the functions for R, from the tables of the program
	@$(build)
	@$(PYTHON) tools/method-tables build/alidade
	@$(PYTHON) tools/python-classes build/alidade
	@$(PYTHON) tools/r-functions build/alidade

format: ## format every C file with clang-format 14
	@tools/format

clean: ## remove everything that was built, and the files of the demo
	rm -rf build build-debug build-asan build-tsan build-fuzz build-wasm demo

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' Makefile

# Warnings are errors in `make check` only: another compiler's new warning is no reason to refuse to build.
define build
tools/build release $(JOBS) -DALD_WERROR=OFF -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
endef

.PHONY: all demo check test check-long fuzz bench experiments experiments-full install python r app docs format clean help
