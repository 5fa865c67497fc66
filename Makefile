# The entry point of all tasks; scripts/ contains the implementations.
#
#   make run                             plays the demo tracks; installs missing packages and builds first
#   make run ITEMS="a.flac 'My Music'"   plays your items; quote names that contain spaces, write $ as $$
#   make tables                          writes the tables of the documents that tests compute: D-Bus members, keys, fields, commands, transitions
#   make test                            runs every test; installs the packages that the tests need
#   make test-on SYSTEM=trixie ROOTS=…   tests the package and runs every test on bookworm, trixie or sid; runs as root
#   make install                         builds and installs under PREFIX=/usr/local, below DESTDIR if it is set
#   make uninstall                       removes exactly the installed files; needs the same PREFIX and DESTDIR
#   make deb                             builds a Debian package from the source archive
#   make reproduce                       builds the Debian package in two folders, and compares the bytes
#   make dist                            writes a source archive that builds without a network, with the Swift packages and their licences
#   make recipes                         writes the recipes of Fedora and Arch with the archive, builds their packages with Debian's tools, and
#                                        checks them; BINARY=… packages a built program
#   make arm64                           checks for arm64 what needs no Swift toolchain for it
#   make sanitize                        runs the stress tests and those without real time under two sanitizers
#   make stress                          plays short items with random commands for ten minutes, and observes descriptors, threads and memory
#                                        during 2,000 gapless changes and 2,000 skips; FOR=… seconds
#   make fuzz                            fuzzes the parsers of files and server responses for a minute
#   make media SETS=/var/tmp/media       plays public test files, which it fetches, and writes docs/MEDIA.md; needs mkvtoolnix and half an hour
#   make clients                         tests the built daemon with the MPRIS clients in Debian; installs them
#   make desktops                        tests the built daemon with GNOME Shell, Plasma, Xfce, swaync, dunst and mako; installs them
#   make kills                           ends the engine process 500 times at random events of a session
#   make simulate                        simulates players and daemons with new seeds for five minutes; SEED=… repeats a run, FOR=… seconds;
#                                        REPLAY=… replays a report of mpris-playerd; REAL=1-100 compares the model with GStreamer
#   make mutants                         puts faults into a copy of Playback and MPRISService, and reports those that no test of theirs finds;
#                                        SEED=…, COUNT=…, MODULE=Playback; ONLY="17 PlayQueue" runs those with these numbers or words
#   make adopt                           builds and runs the examples in a package outside the tree, in the Swift 5 and the Swift 6 mode
#   make screen                          records docs/images/screen.svg, the picture of the README, with the built daemon
#   make docs                            builds the documentation of the libraries as a static site in .build-docs/site
#   make release VERSION=1.2.3           sets the version and the date everywhere, commits and tags; pushes nothing
#   make bench                           compares the daemon with minimal programs and another player, and writes docs/performance.md; needs an idle
#                                        machine for 25 minutes
#   make bench-micro                     measures single functions, such as decisions and queue edits

ITEMS ?=

# The folders can also be set individually: bindir, datadir, mandir, unitdir, zshdir, fishdir, and libexecdir to lib/mpris-playerd beside
# bindir. BINARY is installed as it is, STRIP= installs with symbols.
PREFIX ?= /usr/local
export PREFIX DESTDIR BINARY bindir libexecdir datadir mandir unitdir zshdir fishdir

.PHONY: run install uninstall deb reproduce dist recipes arm64 tables test test-on clients desktops sanitize stress fuzz media kills simulate mutants bench bench-micro adopt docs screen release lint format build install-deps clean

run:
	@scripts/run.sh $(ITEMS)

install:
	@scripts/install.sh install

uninstall:
	@scripts/install.sh uninstall

deb:
	@scripts/deb.sh

reproduce:
	@scripts/reproduce.sh

dist:
	@scripts/dist.sh

arm64:
	@scripts/arm64.sh

recipes:
	@scripts/recipes.sh

test:
	@scripts/test.sh

test-on:
	@scripts/test-on.sh $(SYSTEM) $(ROOTS)

sanitize:
	@scripts/sanitize.sh

stress:
	@STRESS_SECONDS="$(or $(FOR),600)" STRESS_CHANGES=2000 scripts/test.sh --filter ShortItemTests

fuzz:
	@scripts/fuzz.sh

media: build
	@python3 scripts/media.py $(or $(SETS),/var/tmp/media) --write

clients:
	@scripts/install-deps.sh build run clients
	@scripts/build.sh
	@SKIPS=fail BINARY=$(CURDIR)/.build/release/mpris-playerd Tests/Clients/all.sh playerctl playerctld mpris-proxy kdeconnect rygel dbus-broker elogind

desktops:
	@scripts/install-deps.sh build run clients desktops
	@scripts/build.sh
	@SKIPS=fail BINARY=$(CURDIR)/.build/release/mpris-playerd Tests/Clients/all.sh gnome-shell plasma plasma-notifications xfce xfce4-notifyd swaync dunst mako

kills:
	@KILLS=500 scripts/test.sh --filter EngineKillTests

simulate:
	@scripts/simulate.sh "$(or $(FOR),300)" $(SEED)

mutants:
	@scripts/mutants.sh "$(or $(SEED),1)" "$(or $(COUNT),240)" $(MODULE)

bench:
	@scripts/bench.sh

bench-micro:
	@scripts/bench_micro.sh

adopt:
	@scripts/adopt.sh

docs:
	@scripts/docs.sh

screen:
	@scripts/install-deps.sh build run picture
	@scripts/build.sh
	@scripts/screen.py .build/release/mpris-playerd

lint:
	@scripts/lint.sh

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks scripts

tables:
	WRITE_TABLES=1 scripts/test.sh --filter 'InterfaceFilesTests/'
	WRITE_TABLES=1 scripts/test.sh --filter 'TableTests/|DocumentedFieldTests/|RecordedScreenTests/'

build:
	@scripts/build.sh

release:
	@scripts/release.sh "$$VERSION"

install-deps:
	@scripts/install-deps.sh build run test

clean:
	rm -rf .build .build-*
