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

# release KEY: prints the version, the date, the maintainer or the address of the project from data/release; in an archive of `make dist`
# also the time in seconds and the suffix of the version.
release() { sed -n "s/^$1=//p" data/release; }

# is_archive: whether the tree is an archive of `make dist`.
is_archive() { [ -n "$(release time)" ]; }

# with_address FILE: prints the file with the address of the project for @url@; without an address, without the lines that contain it, and
# without screenshots, which are there.
with_address() {
  local url
  url=$(release url)
  if [ -n "$url" ]; then
    sed "s|@url@|$url|g" "$1"
  else
    sed -e '/<screenshots>/,/<\/screenshots>/d' -e '/@url@/d' "$1"
  fi
}

is_release() { git describe --exact-match --match "v$(release version)" >/dev/null 2>&1; }

# source_version: prints the version of the sources; that of a commit without a release sorts before the release.
source_version() {
  local suffix=''
  if is_archive; then
    suffix=$(release suffix)
  elif ! is_release; then
    suffix=$(git log -1 --abbrev=8 --date=format:%Y%m%d --format='~git%cd.%h' 2>/dev/null || true)
  fi
  printf '%s\n' "$(release version)$suffix"
}

# source_time: prints the time of the sources in seconds: that of the archive, of the release or of the commit.
source_time() {
  local time=''
  if is_archive; then
    time=$(release time)
  elif ! is_release; then
    time=$(git log -1 --format=%ct 2>/dev/null || true)
  fi
  printf '%s\n' "${time:-$(date --utc --date="$(release date)" +%s)}"
}

# The oldest Swift that builds the sources.
oldest_swift=6.2.3

# distributed_swift: prints the version of Debian's swiftlang if it is new enough.
distributed_swift() {
  local version
  command -v apt-cache >/dev/null || return 0
  version=$(apt-cache policy swiftlang | sed -n 's/^ *Candidate: \([0-9]\)/\1/p')
  if [ -n "$version" ] && dpkg --compare-versions "$version" ge "$oldest_swift"; then printf '%s\n' "$version"; fi
}

# need_swift: ends the script unless there is a toolchain that supports the manifest. Without one, it installs that of the
# distribution if it is new enough.
need_swift() {
  local version
  command -v swift >/dev/null || [ -z "$(distributed_swift)" ] || scripts/install-deps.sh swift
  command -v swift >/dev/null ||
    die "no Swift toolchain: install Swift $oldest_swift or newer (https://www.swift.org/install/linux/) and put swift into PATH"
  # A toolchain with a missing library prints nothing.
  version=$({ swift --version 2>/dev/null || true; } | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' | head -n 1)
  [ -n "$version" ] || die "$(command -v swift) does not run: Swift $oldest_swift or newer is needed (https://www.swift.org/install/linux/)"
  [ "$(printf '%s\n' "$oldest_swift" "$version" | sort -V | head -n 1)" = "$oldest_swift" ] ||
    die "Swift $version is too old: Swift $oldest_swift or newer is needed (https://www.swift.org/install/linux/)"
}

# static_runtime: prints the folder of the static Swift runtime; nothing if the toolchain has none.
static_runtime() {
  local folder
  folder=$(swift -print-target-info | sed -nE 's|.*"runtimeResourcePath" *: *"(.*)/swift".*|\1/swift_static|p')
  [ ! -e "$folder/linux/libswiftCore.a" ] || printf '%s\n' "$folder"
}
