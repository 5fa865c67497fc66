#!/usr/bin/env bash
# Runs every test; arguments are passed to the test program, for example --filter QueueTests.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test
# Debug information takes an eighth of the compile time, and no test needs it. The options differ from those of
# `swift build`, so a separate folder prevents each from recompiling everything.
# With the trait OpenCombine, the publishers of AVFoundation are compiled and tested, too.
build=(--scratch-path .build-test -debug-info-format none --enable-all-traits)
# Whole modules take about three quarters of the processor time. A developer's next build compiles the changed files alone.
[ -z "${CI:-}" ] || build+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc "$(nproc)")
# The end-to-end tests run the daemon built here.
swift build "${build[@]}" --build-tests
# GStreamer scans its plug-ins once and stores the result; without this, the first tests would all wait for the scan.
if command -v gst-inspect-1.0 >/dev/null; then gst-inspect-1.0 --exists playbin || true; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# `swift test` forwards the output in chunks, and drops a chunk that begins or ends inside a character that is not ASCII
# (more than a quarter of the results of a run, with Swift 6.3). The test program is therefore started directly.
# Most tests wait for playback. This number of tests at a time keeps the processors busy without delaying any.
NO_COLOR=1 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TEST_WIDTH:-5} \
  .build-test/debug/mpris-playerdPackageTests.xctest --testing-library swift-testing "$@" 2>&1 | tee "$log" && exit
# Failures are repeated at the end of the output, with the lines that explain them.
awk '/^(◇|✔|✘)/ { failed = /^✘/ } failed' "$log" >&2
exit 1
