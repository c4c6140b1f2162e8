# The front door for people and machines: each target is one thing to do; `make help` lists them.

# What is built once is prepared neither for being built again nor for a debugger.
ifdef CI
export CARGO_INCREMENTAL = 0
export CARGO_PROFILE_DEV_DEBUG = 0
endif

N ?= 300
CASES ?= 5000

.DEFAULT_GOAL := help
.PHONY: help deps build demo test check-semantics soak clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install what is missing (clang, LLVM, the solver library); quick when all is there
	@scripts/deps

build: deps ## Build the release binary, target/release/covet
	cargo build --release --locked

# Exit code 1 of `covet` says that there are alarms, as there should be here.
demo: build ## Cover a small C program and show what was found
	cargo run --release --locked -q -p covet-cli -- cover examples/dates.c --time 20 --out covet-out/demo || test $$? -eq 1

test: deps ## Formatting, lints and every test
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --locked

check-semantics: deps ## Compare N random programs, instrumented and plain (make check-semantics N=300)
	cargo run --release --locked -q -p covet-cli -- bench semantics --count $(N)

soak: deps ## The property tests with many more cases (make soak CASES=5000)
	PROPTEST_CASES=$(CASES) cargo test --release --workspace --locked

clean: ## Remove everything built (keeps the fetched solver library)
	cargo clean
	rm -rf covet-out
