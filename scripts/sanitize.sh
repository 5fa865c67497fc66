#!/usr/bin/env bash
# Runs the tests of many callers at once under the address and the thread sanitizer; any report fails it.
#
#   scripts/sanitize.sh [address|thread]…    both when none is named; FILTER=REGEX runs other tests
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test

# What GStreamer does among its own threads is not compiled for a sanitizer, and not what is looked at.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=0:exitcode=66:suppressions=$PWD/scripts/sanitize/thread.supp
# What GStreamer keeps to the end of the process is no leak.
export ASAN_OPTIONS=detect_leaks=0:exitcode=66

# under SANITIZER: a copy of the sources, built and run in a folder of its own.
under() {
  local tree=.build-sanitize/$1 module
  mkdir -p "$tree"
  rm -rf "$tree/Sources" "$tree/Tests"
  say "$1: a copy of the sources in $tree"
  git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory "$tree"
  if [ "$1" = thread ]; then
    for module in "$tree"/Sources/* "$tree"/Tests/*; do
      if grep -rqs 'Mutex(' "$module"; then cp scripts/sanitize/Mutex.swift "$module/"; fi
    done
  fi
  swift build --package-path "$tree" --build-tests --sanitize="$1"
  (cd "$tree" && swift test --skip-build --sanitize="$1" --filter "${FILTER:-StressTests}")
}

[ $# -gt 0 ] || set -- address thread
for sanitizer; do under "$sanitizer"; done
