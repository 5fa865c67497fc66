# The one entry for everything; the work is in scripts/.
#
#   make run                             plays the demo tracks; installs and builds what is missing
#   make run ITEMS="a.flac 'My Music'"   plays your own; quote names with spaces, write $ as $$
#   make interfaces                      writes data/interfaces/*.xml after a change of what D-Bus offers
#   make test                            runs every test; installs what the tests need
#   make bench                           measures the daemon against floors and peers, and prints a table

ITEMS ?=

.PHONY: run test bench lint format build install-deps clean interfaces

run:
	@scripts/run.sh $(ITEMS)

test:
	@scripts/test.sh

bench:
	@scripts/bench.sh

lint:
	@scripts/lint.sh

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks

interfaces:
	WRITE_INTERFACES=1 swift test --filter InterfaceFilesTests

build:
	@scripts/build.sh

install-deps:
	@scripts/install-deps.sh build run test

clean:
	rm -rf .build
