#!/usr/bin/env bash
# Runs the stress tests, and the tests that play nothing in real time, under the address and the thread sanitizer; any
# report is a failure.
#
#   scripts/sanitize.sh [address|thread]…    both by default; FILTER=REGEX runs other tests
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test

# GStreamer is not compiled with a sanitizer: reports about its own threads are suppressed.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=0:exitcode=66:suppressions=$PWD/scripts/sanitize/thread.supp
# Under a sanitizer, a test of real playback is too slow for its limits. The thread sanitizer does not see that resuming a
# continuation orders two threads, and reports tests that start processes.
declare -A suites=([address]='PlaybackTests|SimulationTests|MPRISServiceTests|DBusTests|PlayerdInterfacesTests'
  [thread]='PlaybackTests|SimulationTests')
# Memory that GStreamer keeps until the process ends is not a leak.
export ASAN_OPTIONS=detect_leaks=0:exitcode=66

# under SANITIZER: builds and tests a copy of the sources in a separate folder.
under() {
  local tree=.build-sanitize/$1 module
  mkdir -p "$tree"
  rm -rf "$tree/Sources" "$tree/Tests"
  say "$1: a copy of the sources in $tree"
  git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory "$tree"
  if [ "$1" = thread ]; then
    for module in "$tree"/Sources/* "$tree"/Tests/*; do
      if grep -rqsE 'Mutex[(<]' "$module"; then cp scripts/sanitize/Mutex.swift "$module/"; fi
    done
  fi
  swift build --package-path "$tree" --build-tests --sanitize="$1"
  (cd "$tree" && STRESS_CALLS=1250 swift test --skip-build --sanitize="$1" --filter "${FILTER:-StressTests|^(${suites[$1]})[.]}")
}

[ $# -gt 0 ] || set -- address thread
for sanitizer; do under "$sanitizer"; done
