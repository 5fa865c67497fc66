#!/usr/bin/env bash
# Builds the daemon as it is released: optimised, with the Swift runtime inside.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build
swift build --configuration release --static-swift-stdlib --product mpris-playerd >&2
