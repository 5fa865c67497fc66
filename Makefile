# The one entry for everything; the work is in scripts/.
#
#   make run                             plays the demo tracks; installs and builds what is missing
#   make run ITEMS="a.flac 'My Music'"   plays your own; quote names with spaces, write $ as $$
#   make test                            runs every test; installs what the tests need

ITEMS ?=

.PHONY: run test lint format build install-deps clean

run:
	@scripts/run.sh $(ITEMS)

test:
	@scripts/test.sh

lint:
	@scripts/lint.sh

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples

build:
	@scripts/build.sh

install-deps:
	@scripts/install-deps.sh build run test

clean:
	rm -rf .build
