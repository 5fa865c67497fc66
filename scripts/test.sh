#!/usr/bin/env bash
# Runs every test; arguments go to `swift test`, for example --filter QueueTests.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test
# The end-to-end tests run the daemon built here.
swift build --build-tests
swift test --skip-build "$@"
