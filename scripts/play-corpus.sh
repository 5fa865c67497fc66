#!/usr/bin/env bash
# Plays every file below FOLDER with the daemon, in three modes: alone, with one process per file; queue, with all files in
# one queue; between, with each file between two good ones. Checks that each track ends once or fails once, that the good
# ones and the last one play, that no process crashes, and that neither a display nor an element for video is used.
# play-corpus.sh [alone|queue|between]... FOLDER; without a mode, all three.
#   DAEMON=PATH       uses that executable instead of a build
#   JOBS=4            the number of daemons that run at once; 1 by default
#   LOAD_TIMEOUT=2    the load-timeout of the daemons in seconds, 10 by default: files that hang take that long
#   AUDIO_SINK=SINK   the output; by default one that takes the audio at once. "fakesink sync=true" plays in real time
set -euo pipefail
usage() {
  printf '%s\n' "usage: play-corpus.sh [alone|queue|between]... FOLDER" >&2
  exit 64
}
modes=()
while [ $# -gt 1 ]; do
  case $1 in alone | queue | between) modes+=("$1") ;; *) usage ;; esac
  shift
done
if [ $# != 1 ] || [ ! -d "$1" ]; then usage; fi
folder=$(cd "$1" && pwd)
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ -z "${DAEMON:-}" ]; then
  need_swift
  for program in mpris-playerd mpris-playerd-engine; do swift build --product "$program" >&2; done
  DAEMON=$(swift build --show-bin-path)/mpris-playerd
fi
export DAEMON

work=$(mktemp -d "${TMPDIR:-/tmp}/play-corpus.XXXXXX")
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8
python3 scripts/play_corpus.py "$work" "$folder" "${modes[@]:-all}"
