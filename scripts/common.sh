# shellcheck shell=bash
# What the scripts share; sourced, not run. Leaves the caller in the top folder of the package.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# say TEXT…: one line of progress on stderr; stdout is the daemon's.
say() { printf '%s\n' "==> $*" >&2; }

# die TEXT…: the one line that tells why nothing more happens.
die() {
  printf '%s\n' "error: $*" >&2
  exit 1
}

# release KEY: the version, the date or the maintainer, out of data/release.
release() { sed -n "s/^$1=//p" data/release; }

# need_swift: a toolchain that understands the manifest, or the end.
need_swift() {
  local wanted=6.2 version
  command -v swift >/dev/null ||
    die "no Swift toolchain: install Swift $wanted or newer (https://www.swift.org/install/linux/) and put swift into PATH"
  # A toolchain that lacks a library of its own answers nothing.
  version=$({ swift --version 2>/dev/null || true; } | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' | head -n 1)
  [ -n "$version" ] || die "$(command -v swift) does not run: Swift $wanted or newer is needed (https://www.swift.org/install/linux/)"
  [ "$(printf '%s\n' "$wanted" "$version" | sort -V | head -n 1)" = "$wanted" ] ||
    die "Swift $version is too old: Swift $wanted or newer is needed (https://www.swift.org/install/linux/)"
}
