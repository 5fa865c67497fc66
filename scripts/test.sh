#!/usr/bin/env bash
# Runs every test; arguments go to `swift test`, for example --filter QueueTests.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test
# Debug information takes an eighth of the time to compile, and no test reads it. With other options than `swift build` has,
# the folder is another one, so that neither makes the other compile everything again.
build=(--scratch-path .build-test -debug-info-format none)
# The end-to-end tests run the daemon built here.
swift build "${build[@]}" --build-tests
# GStreamer looks through its plug-ins once and keeps what it found; else the first tests would all wait for that.
if command -v gst-inspect-1.0 >/dev/null; then gst-inspect-1.0 --exists playbin || true; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Most tests wait for what plays in real time. So many at once keep the processors busy and let none wait for its turn.
status=0
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TEST_WIDTH:-6} swift test "${build[@]}" --skip-build "$@" 2>&1 | tee "$log" || status=$?
# What failed is said again at the end, where it is looked for.
[ "$status" = 0 ] || grep -E '^✘ ' "$log" >&2 || true
exit "$status"
