# Madang's verbs. `make help` lists them; `swift run stack --help` has the details.

export BUILD_DIR ?= .build
# With SANITIZE=thread or address all is compiled for that sanitizer, in a folder of its own.
ifdef SANITIZE
override BUILD_DIR := $(BUILD_DIR)/$(SANITIZE)
export SANITIZE
endif
FORMATTED := Package.swift shared gateway services Tests

SWIFT := .ci/swift
STACK := $(BUILD_DIR)/release/stack
# Says when the packages that Madang stands on were compiled last.
DEPENDENCIES := $(BUILD_DIR)/dependencies
# With ONLY=SeatsTests or ONLY=SeatsTests.JourneyTests no other test target is compiled, and of the programs that of the
# service, which its tests start; tests of anything else may start all programs.
ONLY_TESTS := $(filter $(notdir $(wildcard Tests/*)),$(firstword $(subst ., ,$(subst /, ,$(ONLY)))))
ONLY_SERVICE := $(filter $(notdir $(wildcard services/*)),$(ONLY_TESTS:Tests=))
KUBERNETES_PYTHON ?= $(firstword $(wildcard .local/kubernetes/bin/python) python3)
INTEROP_PYTHON ?= $(firstword $(wildcard .local/interop/bin/python) python3)

.PHONY: up down status logs demo interop observability examples bench bench-report test previous sabotage build lint format image kubernetes help prerequisites
.DEFAULT_GOAL := help

up: build ## Install what is missing, build, start everything, seed it
	@$(STACK) up

down: ## Stop everything, also what a crash left behind
	@if [ -x $(STACK) ]; then $(STACK) down; else echo "nothing is built, so nothing runs"; fi

status: $(STACK) ## What runs: process, port, health, memory
	@$(STACK) status

logs: $(STACK) ## Follow the logs; SERVICE=auth for one
	@$(STACK) logs --follow $(SERVICE)

demo: build ## Play one scenario per app and print what each phone sees
	@$(STACK) demo

interop: ## Play with stomp.py, python-socketio, python-h2 and headless Chromium against the running stack
	@$(INTEROP_PYTHON) Tests/Interoperability/stomp_exchange.py
	@$(INTEROP_PYTHON) Tests/Interoperability/attendance_page.py
	@$(INTEROP_PYTHON) Tests/Interoperability/checkout_page.py
	@$(INTEROP_PYTHON) Tests/Interoperability/docs_page.py
	@$(INTEROP_PYTHON) Tests/Interoperability/socketio_chat.py
	@$(INTEROP_PYTHON) Tests/Interoperability/http2_conformance.py
	@$(INTEROP_PYTHON) Tests/Interoperability/otlp_traces.py
	@$(INTEROP_PYTHON) Tests/Interoperability/console_pages.py

observability: ## Check the rules of the alerts with Prometheus' promtool, and run their tests
	@promtool check rules deploy/observability/rules/madang.yml
	@promtool test rules deploy/observability/rules/madang.tests.yml

examples: ## Record the examples of the API's pages from the services' tests
	@MADANG_EXAMPLES=gateway/Documentation/Examples .ci/run-tests \
	    '^(Auth|Seats|Workforce|Estate|Community|Chat|Payments|Notifications)Tests'

bench: build ## Measure against the yardsticks; SUITE=sql for one
	@.ci/stage bench $(SWIFT) build --product bench
	@$(BUILD_DIR)/release/bench $(SUITE)

# Has no more than a minute, and never fails: the times of a machine that others share decide nothing.
bench-report: ## Measure a few ratios for half a minute, as a report that decides nothing
	@.ci/stage "a short bench" $(SWIFT) build --product bench || true
	@$(BUILD_DIR)/release/bench sql gateway --seconds 1 --rounds 3 --within 30 || true

test: export MADANG_TARGETS := $(if $(ONLY_TESTS),Dependencies $(ONLY_TESTS) $(if $(ONLY_SERVICE),,Programs))
test: prerequisites $(if $(ONLY),,lint) $(DEPENDENCIES) ## Lint, build and run every test; ONLY=SeatsTests to run some, without lint; SANITIZE=thread
	@.ci/stage "our code and its tests" $(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	@.ci/stage tests .ci/run-tests $(if $(ONLY),'$(ONLY)')

previous: ## Build the version in production, with which `make test` tries a rolling upgrade; PREVIOUS=commit
	@.ci/stage "the version in production" .ci/previous $(PREVIOUS)

# Compiles all again, in a folder of its own: DEFECT=nameKept for one.
sabotage: export BUILD_DIR := .build/sabotage
sabotage: prerequisites ## Build the stack with known defects and show that the proof finds each
	@.ci/stage "the stack with known defects" $(SWIFT) build --target Programs -Xswiftc -DSABOTAGE
	@$(BUILD_DIR)/release/stack prove --sabotage $(or $(DEFECT),all)

build: prerequisites $(DEPENDENCIES) ## Build what `make up` starts
	@.ci/stage "our code" $(SWIFT) build --target Programs

# What is ready last is compiled first, and the two copies of BoringSSL are ready before what SwiftNIO needs: without the
# first two lines SwiftNIO, and all that stands on it, would wait for them, and then leave a core without work.
$(DEPENDENCIES): Package.swift $(SWIFT)
	@$(SWIFT) build --target CNIOAtomics
	@$(SWIFT) build --target Atomics
	@.ci/stage dependencies $(SWIFT) build --target Dependencies
	@touch $@

lint: ## Check the format of every source file
	@ulimit -n "$$(ulimit -Hn)" || true; .ci/stage lint swift format lint --strict --parallel --recursive $(FORMATTED)

format: ## Format every source file in place
	swift format --in-place --parallel --recursive $(FORMATTED)

image: ## Build the container image `madang`
	docker build --tag madang .

kubernetes: ## Check the manifests of Kubernetes, and the check itself
	@$(KUBERNETES_PYTHON) -B deploy/kubernetes/check
	@$(KUBERNETES_PYTHON) -B Tests/Kubernetes/test_check.py

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

prerequisites:
	@.ci/stage prerequisites .ci/prerequisites

$(STACK):
	@$(MAKE) --no-print-directory build
