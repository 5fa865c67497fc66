#!/usr/bin/env bash
# Runs every test; arguments are passed to the test program, for example --filter QueueTests.
#
#   REPEAT=1   runs up to ten failed tests once more, alone, and passes if they pass then; only .ci/run sets it
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test
# Read by Package.swift; a package that depends on this one is built without it.
export WARNINGS_AS_ERRORS=1
# Debug information takes an eighth of the compile time, and no test needs it. The options differ from those of
# `swift build`, so a separate folder prevents each from recompiling everything.
# With the trait OpenCombine, the publishers of AVFoundation are compiled and tested, too.
build=(--scratch-path .build-test -debug-info-format none --enable-all-traits --explicit-target-dependency-import-check error)
# Whole modules take about three quarters of the processor time. A developer's next build compiles the changed files alone.
[ -z "${CI:-}" ] || build+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc "$(nproc)")
# The end-to-end tests run the daemon built here.
swift build "${build[@]}" --build-tests
# GStreamer scans its plug-ins once and stores the result; without this, the first tests would all wait for the scan.
if command -v gst-inspect-1.0 >/dev/null; then gst-inspect-1.0 --exists playbin || true; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Runs tests WIDTH at a time.
#
# `swift test` forwards the output in chunks, and drops a chunk that begins or ends inside a character that is not ASCII
# (more than a quarter of the results of a run, with Swift 6.3). The test program is therefore started directly.
run_tests() {
  local width=$1
  shift
  NO_COLOR=1 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$width \
    .build-test/debug/mpris-playerdPackageTests.xctest --testing-library swift-testing "$@" 2>&1 | tee "$folder/log" && return
  # Failures are repeated at the end of the output, with the lines that explain them.
  awk '/^(◇|✔|✘)/ { failed = /^✘/ } failed' "$folder/log" >&2
  return 1
}

# Permissions and limits of users do not apply to root. After a whole run as root, such as that of a container, the tests of the engine
# process's sandbox therefore run once more as an ordinary user who has 500 other threads.
run_as_user() {
  local user=(setpriv --reuid=nobody --regid="$(id -gn nobody)" --clear-groups) ready threads status=0
  [ "$(id -u)" = 0 ] || return 0
  # A checkout in a private folder cannot be used by another user.
  if ! "${user[@]}" test -x "$PWD/.build-test/debug/mpris-playerd-engine"; then
    say "skipped the tests as an ordinary user: $PWD is not accessible to one"
    return 0
  fi
  mkdir "$folder/home"
  chmod 755 "$folder"
  chown nobody "$folder/home"
  # Root's PATH may lead to folders that only root can enter.
  exec {ready}< <("${user[@]}" /usr/bin/python3 -c 'import threading
for _ in range(500): threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()')
  threads=$!
  read -r -u "$ready" _ || die "the threads of the user nobody do not start"
  env -i PATH="$PATH" LANG=C.UTF-8 HOME="$folder/home" NO_COLOR=1 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=1 "${user[@]}" \
    .build-test/debug/mpris-playerdPackageTests.xctest --testing-library swift-testing \
    --filter '^EngineProcessTests\.(Sandbox|SandboxPath|Program)Tests/' || status=1
  kill "$threads" || true
  return "$status"
}

# Most tests wait for playback in real time. This number keeps the processors busy without delaying any test.
if run_tests "${TEST_WIDTH:-6}" --event-stream-output-path "$folder/events" --event-stream-version 0 "$@"; then
  [ $# -gt 0 ] || run_as_user
  exit
fi
[ -n "${REPEAT:-}" ] || exit 1

# A test that plays in real time fails on a machine that stops for a second. Up to ten failed tests of some thousands are therefore run once
# more, without others beside them. The last lines name them: a test that passes only then is a fault of the test or of the player.
names=$(python3 scripts/failed_tests.py "$folder/events") || exit 1
mapfile -t failed <<<"$names"
[ ${#failed[@]} -le 10 ] || exit 1
say "running ${#failed[@]} failed test(s) once more"
mapfile -t filters < <(sed -E 's/[][(){}.*+?^$|\]/\\&/g; s:.*:--filter=^&(/|$):' <<<"$names")
status=0 outcome='passed when run alone'
run_tests 1 "${filters[@]}" || status=1 outcome='did not all pass when run alone'
[ "$status" != 0 ] || [ $# -gt 0 ] || run_as_user || status=1
say "these tests failed, and $outcome:"
printf '  %s\n' "${failed[@]}" >&2
exit "$status"
