#!/usr/bin/env bash
# Checks what the compiler does not: format, scripts, layering and the house rules of docs/DESIGN.md.
# Every check runs; each finding is a line `path:line: rule`. The folder to check may be given, for trying the checks.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh lint
[ $# = 0 ] || cd "$1"

failed=0

# forbid RULE PATTERN PATH… [-- EXCEPT]: no line under the paths may match PATTERN, unless it matches EXCEPT.
forbid() {
  local rule=$1 pattern=$2 except='$^' paths=() found
  shift 2
  while [ $# -gt 0 ]; do
    if [ "$1" = -- ]; then except=$2 && break; fi
    [ ! -e "$1" ] || paths+=("$1")
    shift
  done
  [ ${#paths[@]} -gt 0 ] || return 0
  # grep answers 1 for "nothing found", which is what is hoped for; 2 and more end the script.
  found=$(grep -rnIE -e "$pattern" "${paths[@]}" || [ $? = 1 ])
  found=$(printf '%s' "$found" | grep -vE -e "$except" || [ $? = 1 ])
  [ -n "$found" ] || return 0
  printf '%s\n' "$found" | sed -E "s|^([^:]*:[0-9]*):.*|\1: $rule|" >&2
  failed=1
}

# forbid_imports FOLDER MODULE…: no file of the folder imports one of the modules, in any form of the statement.
forbid_imports() {
  local folder=$1
  shift
  local modules
  modules=$(printf '|%s' "$@")
  forbid "$folder must not import this" \
    "^ *(@[a-zA-Z_]+(\([^)]*\))? +)*((public|package|internal|fileprivate|private) +)?import +((struct|class|enum|protocol|typealias|func|let|var) +)?(${modules#|})([. ]|\$)" \
    "$folder"
}

say "format"
swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks scripts || failed=1

# checked_by TOOL PACKAGE: whether the tool is there; only a system without apt-get may lack one.
checked_by() {
  command -v "$1" >/dev/null || { say "  $2 is not installed: skipped" && return 1; }
}

say "scripts"
if checked_by shellcheck shellcheck; then
  shellcheck --external-sources scripts/*.sh scripts/*/*.sh Tests/Clients/*.sh .ci/run || failed=1
fi

say "layering"
# What decides knows the standard library alone; each C library has one owner, and the two columns never meet.
forbid "Playback imports Observation and Synchronization alone" '^ *((public|internal) +)?import ' Sources/Playback \
  -- ':(public )?import (Observation|Synchronization)$'
forbid_imports Sources/EventLoop CGst CDBus DBus GstPlayer MPRISService PlayerdInterfaces Playback
forbid_imports Sources/GstPlayer CDBus DBus MPRISService PlayerdInterfaces
forbid_imports Sources/DBus CGst GstPlayer MPRISService PlayerdInterfaces Playback
forbid_imports Sources/MPRISService CGst CDBus GstPlayer PlayerdInterfaces Playback
forbid_imports Sources/PlayerdInterfaces CGst CDBus GstPlayer Playback
forbid_imports Sources/mpris-playerd CGst CDBus CExpat CLinux
forbid_imports Sources/PlaylistFormats CGst CDBus GstPlayer DBus MPRISService PlayerdInterfaces Playback
# Folders of one target depend on each other in one direction.
python3 scripts/folders.py Playback GstPlayer EventLoop DBus MPRISService PlayerdInterfaces PlaylistFormats mpris-playerd >&2 || failed=1
# The whole of Foundation brings 40 MB of ICU into the static binary.
forbid_imports Sources Foundation

say "rules"
forbid "say on this line why it is safe" '@unchecked Sendable|nonisolated\(unsafe\)' Sources Tests -- '//|/\*|^[^:]*:[0-9]*: *//'
forbid "a test waits for an event, not for a time (a limit is marked: // watchdog)" \
  '(^|[^a-zA-Z_])(Task\.sleep|Thread\.sleep|usleep|nanosleep|sleep) *\(' Tests -- '// watchdog|func sleep|clock\.sleep\(until'
# libdispatch watches its shared pool from its first use on, and wakes the process once a second for that.
forbid "starts the shared thread pool: prefer an executor, a queue or a clock of our own" \
  '(^|[^a-zA-Z_.])Task( *\{|\()|Task\.(detached|sleep)|\.global\(|(Continuous|Suspending)Clock\(\)' \
  Sources -- '\.docc/|executorPreference|@PlayerActor|^[^:]*:[0-9]*: *//'
# Exit handlers and destructors of libraries may abort the process; a buffer would be lost without them.
forbid "ends the process: use ProcessExit" '(^|[^a-zA-Z_.])(_?exit|quick_exit|abort) *\(' \
  Sources -- 'ProcessExit\.swift|\.docc/|^[^:]*:[0-9]*: *//'
forbid "writes through a buffer: use StandardOutput" '(^|[^a-zA-Z_.])(print|puts|printf) *\(' \
  Sources -- '\.docc/|^[^:]*:[0-9]*: *//'
# Names of buses, objects and interfaces are defined once, for the daemon, the command line and doctor.
python3 scripts/names.py Sources >&2 || failed=1
# The words are split here so that this file does not find itself.
forbid "write an issue, or do it" "\\b(TO""DO|FIX""ME|XX""X)\\b" \
  Sources Tests scripts docs data/*.desktop data/*/*.in data/metainfo Makefile Package.swift README.md CONTRIBUTING.md CHANGELOG.md .ci

say "desktop files"
if checked_by desktop-file-validate desktop-file-utils; then
  desktop-file-validate data/*.desktop || failed=1
fi
if checked_by appstreamcli appstream; then
  appstreamcli validate --no-net --no-color data/metainfo/*.xml >&2 || failed=1
fi
if checked_by systemd-analyze systemd; then
  unit=$(mktemp -d)
  # Any executable will do for the one that may not have been built yet.
  sed "s|@bindir@/mpris-playerd|$(command -v true)|" data/systemd/mpris-playerd.service.in >"$unit/mpris-playerd.service"
  XDG_RUNTIME_DIR=$unit SYSTEMD_UNIT_PATH=$unit: systemd-analyze verify --user --man=no "$unit/mpris-playerd.service" || failed=1
  rm -rf "$unit"
fi
# One list of media types: what the daemon says on the bus is what "Open with" offers it for.
spoken=$(grep -oE '"(application|audio|video)/[^"]+"' Sources/mpris-playerd/Values/MediaTypes.swift | tr -d '"' | sort)
offered=$(sed -n 's/^MimeType=//p' data/mpris-playerd.desktop | tr ';' '\n' | sed '/^$/d' | sort)
if [ "$spoken" != "$offered" ]; then
  printf '%s\n' "data/mpris-playerd.desktop: MimeType differs from MediaTypes.swift:" \
    "$(diff <(printf '%s\n' "$spoken") <(printf '%s\n' "$offered"))" >&2
  failed=1
fi

say "manual and package"
if checked_by mandoc mandoc; then
  # Longer lines and pages of others that are not installed here are no fault of ours.
  sed -e "s/@DATE@/January 1, 2000/" -e 's/^@.*/Text./' data/man/mpris-playerd.1.in | mandoc -T lint -W warning >&2 || failed=1
fi
for package in .build-deb/*.deb; do
  [ -e "$package" ] || continue
  if checked_by lintian lintian; then lintian --allow-root --fail-on error "$package" >&2 || failed=1; fi
done

say "sizes"
while read -r lines path; do
  if [ "$lines" -gt 400 ]; then
    printf '%s\n' "$path:400: the file has $lines lines, the limit is 400" >&2
    failed=1
  fi
done < <(find Sources Tests scripts -type f \( -name '*.swift' -o -name '*.h' -o -name '*.sh' \) -exec wc -l {} + | grep -v ' total$')
binary=.build/release/mpris-playerd
if [ -x "$binary" ] && command -v strip >/dev/null; then
  stripped=$(mktemp)
  strip -o "$stripped" "$binary" || failed=1
  bytes=$(stat -c %s "$stripped")
  rm -f "$stripped"
  if [ "$bytes" -gt $((20 * 1024 * 1024)) ]; then
    printf '%s\n' "$binary: $bytes bytes stripped, the limit is 20 MiB" >&2
    failed=1
  fi
fi

[ "$failed" = 0 ] || die "make lint found something"
