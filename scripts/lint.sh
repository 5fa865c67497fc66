#!/usr/bin/env bash
# Checks what the compiler does not check: format, scripts, layering and the rules of docs/ARCHITECTURE.md. Every check runs,
# and each finding is a line `path:line: rule`. An argument selects another folder, to test the checks.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh lint
[ $# = 0 ] || cd "$1"

failed=0

# forbid RULE PATTERN PATH… [-- EXCEPT]: reports the lines under the paths that match PATTERN and not EXCEPT.
forbid() {
  local rule=$1 pattern=$2 except='$^' paths=() found
  shift 2
  while [ $# -gt 0 ]; do
    if [ "$1" = -- ]; then except=$2 && break; fi
    [ ! -e "$1" ] || paths+=("$1")
    shift
  done
  [ ${#paths[@]} -gt 0 ] || return 0
  # grep exits with 1 if nothing is found, which is the good case; 2 and higher end the script.
  found=$(grep -rnIE -e "$pattern" "${paths[@]}" || [ $? = 1 ])
  found=$(printf '%s' "$found" | grep -vE -e "$except" || [ $? = 1 ])
  [ -n "$found" ] || return 0
  printf '%s\n' "$found" | sed -E "s|^([^:]*:[0-9]*):.*|\1: $rule|" >&2
  failed=1
}

# forbid_imports FOLDER MODULE…: reports imports of these modules in the folder, in any form of the statement.
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

# checked_by TOOL PACKAGE: whether the tool is installed; it may be missing only on a system without apt-get.
checked_by() {
  command -v "$1" >/dev/null || { say "  $2 is not installed: skipped" && return 1; }
}

say "scripts"
if checked_by shellcheck shellcheck; then
  shellcheck --external-sources scripts/*.sh scripts/*/*.sh Tests/Clients/*.sh .ci/run || failed=1
fi

say "layering"
# A target imports only its dependencies, so each C library has one owner, and the columns never import each other.
python3 scripts/imports.py >&2 || failed=1
# only FOLDER MODULES [EXCEPT]: reports the other imports in a folder, without the lines that match EXCEPT.
only() { forbid "$1 imports ${2//|/, } alone" '^ *((public|package|internal) +)?import ' "$1" -- ":((public|package) )?import ($2)\$${3:+|$3}"; }
only Sources/Playback 'Observation|Synchronization'
only Sources/TextCoding Glibc
only Sources/Joining 'Playback|Glibc'
only Sources/CoreMedia 'Foundation|Synchronization'
only Tests/Simulation 'Playback|Synchronization' '^Tests/Simulation/(Service|Storage)/|/ReportFile\.swift:[0-9]*:import FoundationEssentials$'
# Foundation would add 40 MB of ICU to the static binary. Apple's interfaces, for programs that use it anyway, require it.
for folder in Sources/* Tests/Simulation; do
  case $folder in
  Sources/AVFAudio | Sources/AVFoundation | Sources/AVKit | Sources/CoreMedia | Sources/MediaPlayer) ;;
  *) forbid_imports "$folder" Foundation ;;
  esac
done
for library in EventLoop DBus EngineProcess EngineSandbox MPRISService GstPlayer TextCoding; do
  forbid_imports "Sources/$library" FoundationEssentials
done
# No type of C is part of an API.
for library in Playback EventLoop DBus MPRISService GstPlayer; do
  forbid "a C module is not part of the API" '^ *(@_exported +import|public +import) +(C[A-Z][a-zA-Z]*|Glibc)( |$)' "Sources/$library"
done

say "rules"
forbid "say on this line why it is safe" '@unchecked Sendable|nonisolated\(unsafe\)' Sources Tests -- '//|/\*|^[^:]*:[0-9]*: *//'
forbid "a closure is wrapped once more at each access: put it into a structure" 'Mutex<[^[>]*->' Sources Tests
forbid "a build without optimization may copy the value after the access has ended: write get" '(^|[^a-zA-Z_])_read *\{' Sources Tests
forbid "a test waits for an event, not for a time (a limit is marked: // watchdog)" \
  '(^|[^a-zA-Z_])(Task\.sleep|Thread\.sleep|usleep|nanosleep|sleep) *\(' Tests -- '(//|#) watchdog|func sleep|clock\.sleep\(until'
# libdispatch monitors its shared pool after its first use, and wakes the process once a second for that.
forbid "starts the shared thread pool: prefer an executor, a queue or a clock of our own" \
  '(^|[^a-zA-Z_.])Task( *\{|\()|Task\.(detached|sleep)|\.global\(|(Continuous|Suspending)Clock\(\)' \
  Sources -- '\.docc/|executorPreference|@Player\.StateActor|@MainActor|^[^:]*:[0-9]*: *//'
# Exit handlers and destructors of libraries may abort the process, and buffered output would be lost.
forbid "ends the process: use ProcessExit" '(^|[^a-zA-Z_.])(_?exit|quick_exit|abort) *\(' \
  Sources -- 'ProcessExit\.swift|\.docc/|^[^:]*:[0-9]*: *//'
forbid "writes through a buffer: use StandardOutput" '(^|[^a-zA-Z_.])(print|puts|printf) *\(' \
  Sources -- '\.docc/|^[^:]*:[0-9]*: *//'
# The names of buses, objects and interfaces are written once, for the daemon, the command line and doctor.
name='/?org[./](mpris|playerd|freedesktop)[A-Za-z0-9_./]*'
for text in $(grep -rhE --include='*.swift' "^[^/]*\"[^\"]*$name" Sources | grep -oE "(^|[^A-Za-z0-9_./])$name" | grep -oE "$name" |
  sed 's|[./]*$||' | sort | uniq -d); do
  printf '%s\n' "Sources: $text is written more than once: use its declaration" >&2
  failed=1
done
words=$(grep -v '^#' scripts/words.txt | paste -sd '|')
# Both cases of the first letter, as at the start of a sentence.
capitals=$(grep -v '^#' scripts/words.txt | sed 's/./\u&/' | paste -sd '|')
forbid "not a plain word: see scripts/words.txt" "\\b($words|$capitals)\\b" \
  Sources Tests docs scripts data README.md CONTRIBUTING.md -- '^scripts/words\.txt:'
# Texts on the line of their call; the properties of MPRIS have capital letters.
forbid "an error or log line starts with a small letter, and has no full stop" \
  '(log\.[a-z]+|reject|warn|unusable|unexpected|failed|[A-Za-z]*(Error|[Ff]ailure)|invalid[A-Za-z]*|notSupported|accessDenied|limitsExceeded)\((\.[a-zA-Z]+, )?"([A-Z][a-z]+[ ,:]|[^"]*[.!]"[,)])' \
  Sources -- '"(Metadata|Open|Position|Rate|Volume) '
# The words are split so that this file does not match.
forbid "write an issue, or do it" "\\b(TO""DO|FIX""ME|XX""X)\\b" \
  Sources Tests scripts docs data/*.desktop data/*/*.in data/metainfo Makefile Package.swift README.md CONTRIBUTING.md CHANGELOG.md .ci
# The word is split so that this file does not match.
forbid "write @url@ or leave it out: the address of the project is in data/release" '\bOWN''ER\b' \
  Sources Tests Examples docs scripts data debian .github Makefile Package.swift README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md

# Only data that the program changes stays writable after its start.
for program in .build/release/mpris-playerd .build/release/mpris-playerd-engine; do
  [ -e "$program" ] || continue
  readelf -dW "$program" | grep -qE 'FLAGS.*(BIND_NOW|NOW)' || {
    say "  $program: symbols are bound late: link with -z now" && failed=1
  }
  writable=0 protected=0
  while read -r type _ _ _ size _ flags _; do
    case $type:$flags in
    LOAD:*W*) writable=$((writable + size)) ;;
    GNU_RELRO:*) protected=$((protected + size)) ;;
    esac
  done < <(readelf -lW "$program")
  [ "$protected" -gt 0 ] || { say "  $program: link with -z relro" && failed=1; }
  [ $((writable - protected)) -le 524288 ] || {
    say "  $program: $((writable - protected)) bytes stay writable: see scripts/build/layout.ld" && failed=1
  }
done

say "public API"
tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || true)
if [ -z "$tag" ]; then
  say "  there is no release tag to compare with: skipped"
else
  # Each line of the file is an intended change in the words of the finding; `make release` removes the file.
  intended=()
  [ ! -e scripts/api-changes.txt ] || intended=(--breakage-allowlist-path "$PWD/scripts/api-changes.txt")
  # The manifest declares the libraries alone with API_ONLY. A folder of links keeps the Package.resolved of the project.
  mkdir -p .build-api/package
  ln -sfn ../../Package.swift ../../Sources ../../Tests ../../.git .build-api/package/
  API_ONLY=1 swift package --package-path .build-api/package --scratch-path .build-api -debug-info-format none \
    diagnose-api-breaking-changes "$tag" --baseline-dir .build-api/baselines "${intended[@]}" >&2 || failed=1
fi

say "desktop files"
if checked_by desktop-file-validate desktop-file-utils; then
  desktop-file-validate data/*.desktop || failed=1
fi
if checked_by appstreamcli appstream; then
  filled=$(mktemp -d)
  for source in data/metainfo/*.xml.in; do
    [ ! -e "$source" ] || with_address "$source" >"$filled/$(basename "$source" .in)"
  done
  appstreamcli validate --no-net --no-color "$filled"/*.xml >&2 || failed=1
  rm -rf "$filled"
fi
if checked_by systemd-analyze systemd; then
  unit=$(mktemp -d)
  # Stands for the daemon, which may not be built yet.
  sed "s|@bindir@/mpris-playerd|$(command -v true)|" data/systemd/mpris-playerd.service.in >"$unit/mpris-playerd.service"
  XDG_RUNTIME_DIR=$unit SYSTEMD_UNIT_PATH=$unit: systemd-analyze verify --user --man=no "$unit/mpris-playerd.service" || failed=1
  # The exposure, from 0 to 100, that systemd computes; 66 without the limits of the service. It counts pidfd_getfd, with which the
  # player makes the connections of its processes, as all of debugging: 63 without it.
  XDG_RUNTIME_DIR=$unit systemd-analyze security --user --offline=true --no-pager --threshold=64 "$unit/mpris-playerd.service" \
    >"$unit/security" 2>&1 || { tail -n 1 "$unit/security" >&2 && failed=1; }
  rm -rf "$unit"
fi
# The media types published on the bus must be those of the desktop file.
spoken=$(grep -oE '"(application|audio|video)/[^"]+"' Sources/PlayerdConfiguration/MediaTypes.swift | tr -d '"' | sort)
offered=$(sed -n 's/^MimeType=//p' data/mpris-playerd.desktop | tr ';' '\n' | sed '/^$/d' | sort)
if [ "$spoken" != "$offered" ]; then
  printf '%s\n' "data/mpris-playerd.desktop: MimeType differs from MediaTypes.swift:" \
    "$(diff <(printf '%s\n' "$spoken") <(printf '%s\n' "$offered"))" >&2
  failed=1
fi

say "manual and package"
if checked_by mandoc mandoc; then
  # Long lines, and references to manual pages that are not installed, are accepted.
  sed -e "s/@DATE@/January 1, 2000/" -e 's/^@.*/Text./' data/man/mpris-playerd.1.in | mandoc -T lint -W warning >&2 || failed=1
fi
for package in .build-deb/*.deb; do
  [ -e "$package" ] || continue
  if checked_by lintian lintian; then lintian --allow-root --fail-on error "$package" >&2 || failed=1; fi
done

say "sizes"
for binary in .build/release/mpris-playerd .build/release/mpris-playerd-engine; do
  if [ -x "$binary" ] && command -v strip >/dev/null; then
    stripped=$(mktemp)
    strip -o "$stripped" "$binary" || failed=1
    bytes=$(stat -c %s "$stripped")
    rm -f "$stripped"
    if [ "$bytes" -gt $((24 * 1024 * 1024)) ]; then
      printf '%s\n' "$binary: $bytes bytes stripped, the limit is 24 MiB" >&2
      failed=1
    fi
  fi
done

[ "$failed" = 0 ] || die "make lint has findings"
