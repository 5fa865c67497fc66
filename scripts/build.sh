#!/usr/bin/env bash
# Builds the program and its engine as for a release: optimised, with the Swift runtime linked statically where the toolchain has it.
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
# The same sources make the same programs in every folder. Debug information has the path of the folder, from which the linker computes
# the build ID.
options+=(-debug-info-format none)
options+=(-Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=." -Xcxx "-ffile-prefix-map=$PWD=.")
if [ -n "$(static_runtime)" ]; then
  options+=(--static-swift-stdlib)
  # The shared libstdc++ needs 3,300 symbol look-ups at each start, four fifths of all: two thirds of the dynamic linker's time.
  # A folder with nothing but the static one precedes the system's.
  libraries=$PWD/.build/static-libraries
  mkdir -p "$libraries"
  ln -sf "$(gcc -print-file-name=libstdc++.a)" "$libraries/libstdc++.a"
  link+=(-Xlinker "-L$libraries")
fi
# Read by Package.swift.
PROGRAMS_ONLY=1 swift build "${options[@]}" "${link[@]}" >&2
