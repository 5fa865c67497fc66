#!/usr/bin/env bash
# Measures the state machine, the codec of D-Bus, the comparison of snapshots and the queue alone, with package-benchmark.
# Arguments are passed on to its command, such as --filter 'queue of 10:.*'.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build
# The benchmarks call internal functions.
exec swift package --package-path Benchmarks/Micro --scratch-path .build-micro --configuration release \
  -Xswiftc -enable-testing --allow-writing-to-package-directory benchmark --no-progress "$@"
