# Madang's verbs. `make help` lists them; `swift run stack --help` has the details.

BUILD_DIR ?= .build
FORMATTED := Package.swift shared gateway services Tests

RELEASE := swift build -c release --scratch-path $(BUILD_DIR)
# Optimised, or the suite would spend its time in generic code that nobody has specialised; assertions and @testable stay.
TESTED := --scratch-path $(BUILD_DIR) -Xswiftc -O -Xswiftc -assert-config -Xswiftc Debug -Xcc -O2
STACK := $(BUILD_DIR)/release/stack
INTEROP_PYTHON ?= $(firstword $(wildcard .local/interop/bin/python) python3)

.PHONY: up down status logs demo interop bench test build lint format image help prerequisites
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

interop: ## Play with stomp.py, python-socketio and headless Chromium against the running house
	@$(INTEROP_PYTHON) Tests/Interoperability/stomp_exchange.py
	@$(INTEROP_PYTHON) Tests/Interoperability/attendance_page.py
	@$(INTEROP_PYTHON) Tests/Interoperability/checkout_page.py
	@$(INTEROP_PYTHON) Tests/Interoperability/socketio_chat.py

bench: build ## Measure against the yardsticks; SUITE=sql for one
	@$(STACK) bench $(SUITE)

test: prerequisites lint ## Lint, build and run every test; ONLY=SeatsTests for some
	swift build --build-tests $(TESTED) --explicit-target-dependency-import-check error
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 swift test --skip-build $(TESTED) $(if $(ONLY),--filter '$(ONLY)')

build: prerequisites ## Build everything in release mode
	$(RELEASE)

lint: ## Check the format of every source file
	swift format lint --strict --parallel --recursive $(FORMATTED)

format: ## Format every source file in place
	swift format --in-place --parallel --recursive $(FORMATTED)

image: ## Build the container image `madang`
	docker build --tag madang .

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

prerequisites:
	@BUILD_DIR=$(BUILD_DIR) .ci/prerequisites

$(STACK):
	@$(MAKE) --no-print-directory build
