# `make` alone lists the targets. Paths are relative, so a checkout may lie anywhere.

SWIFT ?= swift
# Directory of `make cluster`, whose servers go on with their data when it is started again.
CLUSTER_DIR ?= data-cluster
# "postgres" makes `make run` use a private PostgreSQL server, in a directory beside that of the data.
DATABASE ?=
DATA_DIR ?= $(if $(filter postgres,$(DATABASE)),data-postgres,data)
# Flags for every build and test run, and flags for test runs only.
BUILDFLAGS ?=
TESTFLAGS ?=
# Configuration of the tests. "debug" builds faster after a change; "release" runs faster, and .ci/run uses it.
CONFIGURATION ?= debug
# Where .ci/run has made `.build` a link, Swift gets its real name. Modules in the cache refer to each other by that name,
# and do not fit those that were built under another.
linked := $(shell test -L .build && realpath .build)
ifneq ($(linked),)
export SWIFTPM_BUILD_DIR := $(linked)
endif
# If set, tests and checks use what is built, as in .ci/run, which builds once.
BUILT ?=
# All builds of a configuration use the same flags and this variable, or each would build everything again.
ifeq ($(CONFIGURATION),release)
export GRAPHD_TESTABLE = 1
endif
# Load tests: the directory of real graphs (listed in docs/performance/load-tests.md), the report, fixed rates, scenarios,
# options, and the scenario to profile.
LOAD_DATA ?= data/graphs
LOAD_REPORT ?= loadtests/reports/$(shell date +%Y-%m-%d)
LOAD_RATES ?= loadtests/reports/rates.json
LOAD_SCENARIOS ?= deathstarbench retwis cold-start
LOADFLAGS ?= --runs 2
SCENARIO ?= deathstarbench
COMMIT = $(shell git describe --always --dirty 2>/dev/null || echo unknown)
# Number of tests that run at a time. With more, each would spend its time limit waiting for a processor.
TESTWIDTH ?= 8
# The tests that `make test-postgres` runs: the suites of all stores, and those that read timelines.
FILTER ?= ^(Audit|Discovery|Idempotency|Importing|Moderation|Privacy|Push|Saves|Sessions|SocialGraph|Timeline)Tests\.

FORMATTED := Sources Tests loadtests Package.swift clients/swift/Package.swift clients/swift/Sources clients/swift/Tests

.DEFAULT_GOAL := help
.PHONY: help run cluster test test-build test-fast test-postgres test-clients test-system load profile check check-texts \
    benchmarks linear format build dist clean deps

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run cluster load profile build: export GRAPHD_COMMIT = $(COMMIT)

run: deps ## serve a generated sample network on 127.0.0.1:8080 (DATA_DIR=data; DATABASE=postgres stores it in PostgreSQL)
	@$(if $(filter-out postgres,$(DATABASE)),echo 'DATABASE is "$(DATABASE)"; it can be "postgres" only.' >&2; exit 2)
	@$(if $(DATABASE),tools/deps --postgres)
	@SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/build-release graphd
	@echo "Starting graphd with a sample network in $(DATA_DIR)/; Ctrl-C ends it."
	exec $(if $(DATABASE),tools/private-postgres "$(DATA_DIR)-server") .build/release/graphd demo --data-dir "$(DATA_DIR)"

test: $(if $(BUILT),,test-build) ## build and run all tests (TESTFLAGS='--filter Name' runs some)
	tools/run-tests $(CONFIGURATION) --experimental-maximum-parallelization-width $(TESTWIDTH) \
	    --skip '^GraphdClientTests\.' $(TESTFLAGS)
	@$(if $(TESTFLAGS),,$(MAKE) --no-print-directory test-clients BUILT=1)

test-build: ## build the tests
	@tools/deps --tests
	$(SWIFT) build --build-tests -c $(CONFIGURATION) $(BUILDFLAGS)

test-fast: deps ## the tests that start neither graphd nor a browser, to run while writing
	$(SWIFT) build --build-tests $(BUILDFLAGS)
	tools/run-tests --fast debug --experimental-maximum-parallelization-width $(TESTWIDTH) \
	    --skip '^GraphdClientTests\.' $(TESTFLAGS)

test-postgres: $(if $(BUILT),,test-build) ## the suites of stores and timelines on a private PostgreSQL (FILTER='Name' runs some)
	GRAPHD_TEST_DATABASE=postgres tools/run-tests $(CONFIGURATION) \
	    --experimental-maximum-parallelization-width $(TESTWIDTH) --filter '$(FILTER)' $(TESTFLAGS)

cluster: ## three nodes, PostgreSQL with a standby, a Redis Cluster and HAProxy on this machine (CLUSTER_DIR=data-cluster)
	@tools/deps --cluster
	@SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/build-release graphd
	CLUSTER_DIR="$(CLUSTER_DIR)" exec tools/cluster start

test-clients: $(if $(BUILT),,test-build) ## the Swift client's tests, against a graphd that is started for them
	tools/test-clients --graphd .build/$(CONFIGURATION)/graphd tools/run-tests $(CONFIGURATION) \
	    --filter '^GraphdClientTests\.' $(TESTFLAGS)

test-system: deps ## the tests of packages, images and other whole systems, which are slow or need root (PARTS="package image")
	tools/test-system $(PARTS)

load: ## measure against limits and peers, run scenarios, write a report (LOAD_DATA, LOAD_SCENARIOS, LOADFLAGS)
	@tools/deps --load
	@SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/build-release graphd loadtests
	.build/release/loadtests standard --graphd .build/release/graphd --data "$(LOAD_DATA)" --report "$(LOAD_REPORT)" \
	    --commit "$(COMMIT)" --rates "$(LOAD_RATES)" $(LOAD_SCENARIOS:%=--scenario loadtests/Scenarios/Files/%.json) $(LOADFLAGS)

profile: ## a flame graph of graphd under SCENARIO ("deathstarbench" if not given)
	@tools/deps --load
	@SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/build-release graphd loadtests
	.build/release/loadtests profile --graphd .build/release/graphd --data "$(LOAD_DATA)" \
	    --report "$(LOAD_REPORT)/$(SCENARIO)" "loadtests/Scenarios/Files/$(SCENARIO).json"

check: check-texts ## format, house rules, documents, commit subjects, cost of operations and of hostile inputs
	@$(MAKE) --no-print-directory benchmarks
	@$(MAKE) --no-print-directory linear LONGEST=16384

check-texts: deps ## the checks that need no build
	tools/tidy --self-test
	tools/check-docs --self-test
	tools/commit-subjects --self-test
	tools/messages --self-test
	@tools/deps --check
	tools/check-openapi --self-test
	tools/check-openapi
	tools/generate-client --check
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	tools/tidy
	tools/check-docs
	tools/commit-subjects

linear: ## count what parsers take for hostile inputs of two lengths (LONGEST bytes at most; no bound if not given)
	@tools/deps --check
	SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/linear --self-test
	SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" LONGEST="$(LONGEST)" tools/linear

benchmarks: ## count what operations cost, against thresholds (tools/benchmarks --update writes new ones)
	@tools/deps --check
	SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/benchmarks --self-test
	SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/benchmarks

format: deps ## format the Swift sources in place
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

build: deps ## build graphd, optimised
	@SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/build-release graphd

dist: ## write tarball, Debian package, container image, SBOMs and checksums into dist/ (the image needs root)
	@tools/deps --dist
	SWIFT="$(SWIFT)" BUILDFLAGS="$(BUILDFLAGS)" tools/dist

clean: ## remove what was built (the data directory stays)
	rm -rf .build .build-static dist

deps: ## install the Debian packages that are missing, check the Swift version
	@tools/deps
