#!/usr/bin/env bash
# Builds the Debian package in .build-deb: calls dpkg-buildpackage in the source archive of this commit, or in a copy of this archive.
# The compiler is that of Debian, or another one in PATH. OUT overrides the folder.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build deb
out=$(realpath -m "${OUT:-.build-deb}")
name=mpris-playerd-$(source_version)
if is_archive; then
  rm -rf "$out"
  mkdir -p "$out/$name"
  tar --create --exclude='./.build*' . | tar --extract --directory "$out/$name"
else
  OUT=$out scripts/dist.sh
  tar --extract --file "$out/$name.tar.xz" --directory "$out"
fi
options=(--build=binary --unsigned-buildinfo --unsigned-changes)
# The package of another compiler is missing.
[ "$(dpkg-query --show --showformat='${db:Status-Status}' swiftlang 2>/dev/null)" = installed ] || options+=(--no-check-builddeps)
(cd "$out/$name" && dpkg-buildpackage "${options[@]}" >&2)
rm -rf "${out:?}/$name"
package=$(echo "$out"/mpris-playerd_*.deb)
say "built $package, $(stat -c %s "$package") bytes"
