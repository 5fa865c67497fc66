# The one entry for everything; the work is in scripts/.
#
#   make run                             plays the demo tracks; installs and builds what is missing
#   make run ITEMS="a.flac 'My Music'"   plays your own; quote names with spaces, write $ as $$
#   make interfaces                      writes data/interfaces/*.xml after a change of what D-Bus offers
#   make commands                        writes docs/COMMANDS.md after a change of what commands print
#   make test                            runs every test; installs what the tests need
#   make test-on SYSTEM=trixie ROOTS=…   tests the package and runs every test on Debian bookworm, trixie or sid, as root
#   make install                         builds and installs under PREFIX=/usr/local, into DESTDIR when that is set
#   make uninstall                       removes just that again; with the same PREFIX and DESTDIR
#   make deb                             builds a Debian package
#   make sanitize                        runs the tests of many callers under the address and the thread sanitizer
#   make fuzz                            feeds what reads files and servers with a fuzzer's bytes for a minute
#   make crash                           kills the daemon 200 times, and checks what its session survives
#   make bench                           measures the daemon against floors and peers, and prints a table

ITEMS ?=

# The folders can be set one by one, too: bindir, datadir, mandir, unitdir, zshdir. BINARY is installed instead of a build.
PREFIX ?= /usr/local
export PREFIX DESTDIR BINARY bindir datadir mandir unitdir zshdir

.PHONY: run install uninstall deb interfaces commands test test-on sanitize fuzz crash bench lint format build install-deps clean

run:
	@scripts/run.sh $(ITEMS)

install:
	@scripts/install.sh install

uninstall:
	@scripts/install.sh uninstall

deb:
	@scripts/deb.sh

test:
	@scripts/test.sh

test-on:
	@scripts/test-on.sh $(SYSTEM) $(ROOTS)

sanitize:
	@scripts/sanitize.sh

fuzz:
	@scripts/fuzz.sh

crash:
	@scripts/kill9.sh 200

bench:
	@scripts/bench.sh

lint:
	@scripts/lint.sh

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks scripts

interfaces:
	WRITE_INTERFACES=1 scripts/test.sh --filter InterfaceFilesTests

commands:
	WRITE_COMMANDS=1 scripts/test.sh --filter CommandTableTests

build:
	@scripts/build.sh

install-deps:
	@scripts/install-deps.sh build run test

clean:
	rm -rf .build .build-test .build-deb .build-sanitize .build-fuzz
