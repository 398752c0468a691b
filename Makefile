# SPDX-License-Identifier: Apache-2.0
# Every target is a short call of a script; `make` alone lists them.

.DEFAULT_GOAL := help
.PHONY: help run replay test test-tsan test-storm test-crash test-clients test-browser test-consumers test-cluster soak-cluster cluster live live-cluster mutants simulate bench bench-quick bench-counts bench-compare bench-build bench-rivals bench-postgres bench-links format lint docs clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s  %s\n", $$1, $$2 }' Makefile

run: ## Build and run a load test with faults and a store, 15 s: FLAGS=...
	@scripts/run $(FLAGS)

live: ## Start boards of notes in browser tabs, on 127.0.0.1, and a plug to pull: FLAGS=...
	@scripts/live $(FLAGS)

live-cluster: ## Start the same on two nodes and a private PostgreSQL: FLAGS=...
	@scripts/live-cluster $(FLAGS)

cluster: ## Start a private PostgreSQL and three nodes, kill one, and end with a verdict: FLAGS=...
	@scripts/cluster $(FLAGS)

replay: ## Build and replay an access log with a store: LOG=path or a generated one, FLAGS=...
	@scripts/replay "$(LOG)" $(FLAGS)

test: ## Build everything and run all tests, or FILTER=name for some
	@scripts/test $(if $(FILTER),--filter "$(FILTER)")

test-tsan: ## Run the tests under the thread sanitizer, and a planted race
	@scripts/test-tsan

test-storm: ## Run the random tests at their full size, in release
	@scripts/test-storm

test-crash: ## Kill programs that write to a store, again and again: FLAGS=...
	@scripts/test-crash $(FLAGS)

test-clients: ## Kill and restart a server under clients whose lines break: FLAGS=...
	@scripts/test-clients $(FLAGS)

test-cluster: ## Kill and stop nodes of a cluster on a private PostgreSQL: FLAGS=...
	@scripts/test-cluster $(FLAGS)

soak-cluster: ## The same for a quarter of an hour, in release: FLAGS=...
	@scripts/soak-cluster $(FLAGS)

test-consumers: ## Build programs that depend on this package by a file:// URL
	@scripts/test-consumers

test-browser: ## Open the report, the dashboard and tabs of the example in a headless browser
	@scripts/test-browser

mutants: ## Put one bug after another into the code, and see that tests find it: NAME=...
	@scripts/mutants $(NAME)

simulate: ## Run simulated worlds, with fresh seeds unless FLAGS="--seed ..."
	@scripts/bootstrap
	@swift build -c release --product proscenium
	@.build/release/proscenium simulate $(FLAGS)

bench: ## Measure everything with floors and rivals, ten minutes: FLAGS=...
	@scripts/bench --full $(FLAGS)

bench-quick: ## Measure small sizes without rivals: FLAGS=...
	@scripts/bench --quick $(FLAGS)

bench-counts: ## Count instructions of each path, and compare with what was accepted
	@scripts/bench-counts $(FLAGS)

bench-compare: ## Compare a stored run with the last one: BASE=before.csv
	@scripts/bench-compare "$(BASE)"

bench-build: ## Build the benchmarks
	@scripts/bench --build

bench-rivals: ## Install and build the rivals of the benchmarks, and run each: FLAGS=...
	@scripts/bench-rivals $(FLAGS)

bench-postgres: ## Measure a store in PostgreSQL and its floors, two minutes: FLAGS=...
	@scripts/bench-postgres $(FLAGS)

bench-links: ## Measure messages between nodes, a minute: FLAGS=...
	@scripts/bench-links $(FLAGS)

format: ## Format the Swift sources in place
	@git ls-files -z --cached --others --exclude-standard '*.swift' | \
		xargs -0 swift format --in-place --parallel

lint: ## Check the format, the scripts and the spelling, as CI does
	@scripts/lint

docs: ## Build the reference documentation; a broken link fails
	@scripts/docs

clean: ## Remove everything that was built or written
	@rm -rf .build .build-* out
