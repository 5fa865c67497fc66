#!/usr/bin/env bash
# Runs every test; arguments go to `swift test`, for example --filter QueueTests.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test
# The end-to-end tests run the daemon built here.
swift build --build-tests
# Most tests wait for what plays in real time. So many at once keep the processors busy and let none wait for its turn.
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TEST_WIDTH:-6} swift test --skip-build "$@"
