#!/usr/bin/env bash
# Checks for arm64, on another processor, what does not need a Swift toolchain for it: the C modules of the kernel's interfaces compile, the
# numbers in Swift's code are those of arm64, and GNU ld accepts the options of scripts/build.sh. SystemCallFilterTests tests the filter.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

scripts/install-deps.sh arm64
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say "the C modules, with $(aarch64-linux-gnu-gcc --version | head -n 1)"
aarch64-linux-gnu-gcc -std=gnu11 -Wall -Wextra -Werror -Wno-unused-function -O2 -ISources/CLinux -c scripts/arm64/calls.c -o "$folder/calls.o"
say "the linker, $(aarch64-linux-gnu-ld.bfd --version | head -n 1)"
# Versions before 2.43 pack relocations on other processors only, and say so.
mapfile -t options < <(sed -n 's/^link+*=(\(.*\))$/\1/p' scripts/build.sh | grep -oE -- '-Xlinker [^ ]+' | sed -E "s|^-Xlinker \"?||; s|\"\$||; s|\\\$PWD|$PWD|")
[ ${#options[@]} -gt 8 ] || die "scripts/build.sh has no options of the linker"
aarch64-linux-gnu-gcc -pie -fuse-ld=bfd "${options[@]/#/-Wl,}" "$folder/calls.o" -o "$folder/calls"
aarch64-linux-gnu-readelf -dW "$folder/calls" | grep -q BIND_NOW || die "the program is not linked as scripts/build.sh says"
say "passed"
