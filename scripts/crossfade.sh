#!/usr/bin/env bash
# Records crossfades between six sample rates and three formats, from files and a server, at null sinks of PulseAudio and
# PipeWire, and prints the power and the length of each overlap; crossfade.sh [CASE], a number from 0 to 17.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# In one call: PulseAudio is not installed beside the PipeWire that is there.
scripts/install-deps.sh test pipewire
CROSSFADE_MATRIX="${1:-all}" TEST_WIDTH=1 scripts/test.sh --filter CrossfadeMatrixTests
