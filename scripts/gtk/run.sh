#!/usr/bin/env bash
# Runs the built player on the session bus of the environment; `gtk.sh` starts it.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

folder=$(mktemp -d)
export XDG_RUNTIME_DIR=$folder PULSE_SERVER=unix:$folder/native HOME=$folder
chmod 700 "$folder"
pulseaudio -n --log-level=error --exit-idle-time=-1 --load=module-null-sink --load="module-native-protocol-unix socket=$folder/native" &
jobs=($!)
trap 'kill "${jobs[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT
gst-launch-1.0 -q audiotestsrc num-buffers=172 ! flacenc ! filesink location="$folder/song.flac"

[ $# -gt 0 ] || set -- xvfb-run --auto-servernum
mkfifo "$folder/output"
"$@" GtkPlayer "$folder/song.flac" >"$folder/output" &
jobs+=($!)
exec 3<"$folder/output"

# await TEXT: prints the lines of the player until one contains the text.
await() {
  local line
  while IFS= read -r -t 20 line <&3; do
    printf '  %s\n' "$line"
    case $line in *"$1"*) return ;; esac
  done
  die "the player did not print: $1"
}

await "a task runs on the main actor"
await "the window is visible"
gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.gtkplayer
playerctl --player=gtkplayer pause
await "status paused"
[ "$(playerctl --player=gtkplayer metadata title)" = "A window" ] || die "the title is not shown"
playerctl --player=gtkplayer play
await "status playing"
await "the item has ended"
say "the main loop of GTK has delivered everything"
