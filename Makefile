# SPDX-License-Identifier: Apache-2.0
# The short way to everything. CMake does the building: `cmake --preset release` works as well, after `make setup`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# The thread sanitizer of older compilers cannot live with the address randomisation of newer kernels.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

# $(call build,PRESET): configures once; CMake itself notices what changed later.
define build
@[[ -f build/$(1)/build.ninja ]] || cmake --preset $(1) $(2)
@cmake --build --preset $(1) -j $(JOBS)
endef

.PHONY: help setup setup-dev providers build ladder readme-table test check-all check-clients check-sanitizers check-fuzz check-pages check-style check-tidy install clean format

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Variables: JOBS=$(JOBS) PREFIX=$(PREFIX) DESTDIR= FUZZ_SECONDS=$(FUZZ_SECONDS) XEFORGE_HOME= (docs/setup.md)"

setup: ## install the pinned dependencies (instant when they are there)
	@setup/setup.sh

setup-dev: ## the same with what check-all and format need
	@setup/setup.sh --dev

providers: ## install the vendor's GEMM libraries (oneDNN, oneMKL) and build what 'xeforge bench' measures them with
	@setup/setup.sh --providers
	@$(MAKE) build

build: ## the command at build/xeforge, the driver in build/lib
	@setup/setup.sh --quiet
	$(call build,release)
	@ln -sfn release/bin/xeforge build/xeforge
	@ln -sfn release/lib build/lib

ladder: build ## compile, run, verify and count every rung on the virtual A770
	build/xeforge ladder

readme-table: build ## the table of the ladder in README.md, made anew
	docs/fill_tables.sh build/xeforge README.md

test: build ## what CI runs
	ctest --preset release -j $(JOBS)

check-all: setup-dev test ## sanitizers, fuzzers, long sets, formatting, static analysis
	@$(MAKE) check-style check-tidy check-sanitizers check-fuzz check-pages
	ctest --preset release-long -j $(JOBS)
	@echo "check-all: everything passed"

check-clients: ## the vendor's libraries and other real programs, large sets (needs a network once)
	@setup/setup.sh --providers
	@$(MAKE) build
	ctest --preset release-clients

check-sanitizers: setup-dev ## the tests under address, undefined-behaviour and thread sanitizers
	$(call build,asan-ubsan)
	$(FIXED_ADDRESSES) ctest --preset asan-ubsan -j $(JOBS)
	$(call build,tsan)
	$(FIXED_ADDRESSES) ctest --preset tsan -j $(JOBS)

check-fuzz: setup-dev ## every fuzzer for FUZZ_SECONDS
	cmake --preset fuzz -DXEFORGE_FUZZ_SECONDS=$(FUZZ_SECONDS)
	cmake --build --preset fuzz --target xeforge_fuzzers -j $(JOBS)
	ctest --preset fuzz -j $(JOBS)

check-pages: build ## the pages in a headless browser, and the WebAssembly in them made anew
	@setup/setup.sh --pages --quiet
	@web/wasm/build.sh build/occupancy_wasm.js && cmp build/occupancy_wasm.js web/assets/occupancy_wasm.js
	@. build/deps.env && tests/pages/pages_test.sh build/xeforge "$$XEFORGE_PAGES_PYTHON" build/pages-screenshots

check-style: ## formatting
	@cmake/sources.sh | xargs -r clang-format-14 --dry-run --Werror
	@echo "check-style: formatted"

check-tidy: setup-dev build ## static analysis; sources that have not changed since they passed are skipped
	@. build/deps.env && export XEFORGE_CLANG_TIDY && cmake/sources.sh cpp | grep -v '^examples/' | xargs -r -n 4 -P $(JOBS) cmake/tidy.sh build/release
	@echo "check-tidy: nothing found"

format: setup-dev ## format the sources in place
	cmake/sources.sh | xargs -r clang-format-14 -i

install: build ## into $(DESTDIR)$(PREFIX), with the CMake package xeforge
	cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove build/ (installed dependencies stay)
	rm -rf build
