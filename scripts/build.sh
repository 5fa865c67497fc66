#!/usr/bin/env bash
# Builds the program and its engine as for a release: optimised, with the Swift runtime linked statically where the toolchain has it.
# CPPFLAGS and CXXFLAGS are for the C++ compiler, as the package builds of distributions set them. With -g in CXXFLAGS, the programs have
# debug information.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build
# A static Swift program exports every symbol for plug-ins of its own, and has a megabyte of relocations. Nothing looks up a
# symbol of these programs, and GNU ld packs relocations (glibc 2.36, Debian 12). Together that is 1.9 of 21.3 MB, and
# 1.4 MB of the daemon's memory.
link=(-Xswiftc -use-ld=bfd -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic)
# Without this, each first use of a generic type reads its name, and searches all conformances of the program for those of its
# arguments. That is 5 ms of CPU time from the start to the first sound.
link+=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
# The linker tables are read-only after the start, and every symbol is bound by then.
link+=(-Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now)
link+=(-Xlinker -T -Xlinker "$PWD/scripts/build/layout.ld")
options=(--configuration release --disable-local-rpath --explicit-target-dependency-import-check error)
# The same sources make the same programs in every folder: scripts/reproduce.sh. Debug information would name the modules of C in the
# build folder, by a path that depends on that of the sources.
options+=(-Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=." -Xcxx "-ffile-prefix-map=$PWD=.")
options+=(-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs)
# The parser of TOML is C++. Swift needs no option for stack protectors, and has no functions of C that _FORTIFY_SOURCE replaces.
hardening='-fstack-protector-strong -fstack-clash-protection'
if [ "$(uname -m)" = x86_64 ]; then
  # Targets of indirect jumps are marked for processors that check them.
  hardening+=' -fcf-protection'
  options+=(-Xcc -fcf-protection)
fi
for flag in ${CPPFLAGS--D_FORTIFY_SOURCE=2} ${CXXFLAGS-$hardening}; do options+=(-Xcxx "$flag"); done
case " ${CXXFLAGS-} " in *' -g '*) ;; *) options+=(-debug-info-format none) ;; esac
runtime=$(static_runtime)
if [ -n "$runtime" ]; then
  options+=(--static-swift-stdlib)
  # The shared libstdc++ needs 3,300 symbol look-ups at each start, four fifths of all: two thirds of the dynamic linker's time.
  # A folder with nothing but the static one precedes the system's.
  libraries=$PWD/.build/static-libraries
  rm -rf "$libraries"
  # The compiler that links prints the name alone if there is no such file: it is a package of its own on Fedora.
  static=$("${runtime%/lib/*}/bin/clang" -print-file-name=libstdc++.a)
  if [ -e "$static" ]; then
    mkdir -p "$libraries"
    ln -s "$static" "$libraries/libstdc++.a"
    link+=(-Xlinker "-L$libraries")
  else
    say "there is no static libstdc++.a: linking the shared libstdc++"
  fi
fi
# Read by Package.swift.
PROGRAMS_ONLY=1 swift build "${options[@]}" "${link[@]}" >&2
