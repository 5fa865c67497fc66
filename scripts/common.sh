# shellcheck shell=bash
# Functions that the scripts share; sourced, not run. Changes to the top folder of the package.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# say TEXT…: prints a line of progress on stderr; stdout belongs to the daemon.
say() { printf '%s\n' "==> $*" >&2; }

# die TEXT…: prints the reason in one line and ends the script.
die() {
  printf '%s\n' "error: $*" >&2
  exit 1
}

# release KEY: prints the version, the date or the maintainer from data/release.
release() { sed -n "s/^$1=//p" data/release; }

# need_swift: ends the script unless there is a toolchain that supports the manifest.
need_swift() {
  local wanted=6.2 version
  command -v swift >/dev/null ||
    die "no Swift toolchain: install Swift $wanted or newer (https://www.swift.org/install/linux/) and put swift into PATH"
  # A toolchain with a missing library prints nothing.
  version=$({ swift --version 2>/dev/null || true; } | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' | head -n 1)
  [ -n "$version" ] || die "$(command -v swift) does not run: Swift $wanted or newer is needed (https://www.swift.org/install/linux/)"
  [ "$(printf '%s\n' "$wanted" "$version" | sort -V | head -n 1)" = "$wanted" ] ||
    die "Swift $version is too old: Swift $wanted or newer is needed (https://www.swift.org/install/linux/)"
}
