#!/usr/bin/env bash
# Simulates players: simulate.sh SECONDS runs new seeds on every core until the time is over or an invariant is broken;
# simulate.sh SECONDS SEED repeats the run of one seed, and shrinks its failure. REPLAY=FILE replays a report instead.
# REAL=FIRST-LAST compares the model of the pipeline with GStreamer for the scripts of these seeds.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ -n "${REAL:-}" ]; then
  exec scripts/test.sh --filter ModelAgreementTests
fi
need_swift
# The simulation uses internal declarations of the daemon. It runs on one thread, so accesses are not checked at run time,
# and references are counted without atomic instructions. Both, and the static runtime, save a quarter of the processor time.
swift build -c release --product simulate --scratch-path .build-simulate -debug-info-format none --static-swift-stdlib \
  -Xswiftc -enable-testing -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -Xfrontend -Xswiftc -assume-single-threaded
simulate=.build-simulate/release/simulate
say "commit $(git rev-parse --short HEAD 2>/dev/null || printf 'unknown')"
if [ -n "${REPLAY:-}" ]; then
  exec "$simulate" --replay "$REPLAY"
fi
if [ -n "${2:-}" ]; then
  exec "$simulate" "$2"
fi
first=${FIRST_SEED:-$(date +%s%N)}
parts=$(nproc)
processes=()
for ((part = 0; part < parts; part++)); do
  "$simulate" --for "$1" --from $((first + part)) --of "$parts" &
  processes+=($!)
done
failed=0
for process in "${processes[@]}"; do
  wait "$process" || failed=1
done
[ "$failed" = 0 ] || die "an invariant is broken: make simulate SEED=… repeats the run"
