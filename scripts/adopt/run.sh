#!/usr/bin/env bash
# Runs the built examples on the session bus of the environment; `adopt.sh` starts it.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

folder=$(mktemp -d)
export XDG_RUNTIME_DIR=$folder PULSE_SERVER=unix:$folder/native HOME=$folder
pulseaudio -n --log-level=error --exit-idle-time=-1 --load=module-null-sink --load="module-native-protocol-unix socket=$folder/native" &
jobs=($!)
trap 'kill "${jobs[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT

# expect TEXT COMMAND…: ends the script unless the output of the command contains the text.
expect() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) || die "$*: exit status $?: $output"
  case $output in *"$text"*) printf '%s: %s\n' "$1" "$text" ;; *) die "$*: no $text in: $output" ;; esac
}

for name in one two; do
  gst-launch-1.0 -q audiotestsrc num-buffers=86 ! flacenc ! taginject tags="title=$name" ! filesink location="$folder/$name.flac"
done
expect "quarter reached" timeout 20 QuartersExample "file://$folder/one.flac" "file://$folder/two.flac"
expect "ended at" timeout 20 AVFoundationExample progress "$folder/one.flac"

HelloMPRISExample &
jobs+=($!)
gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.hello_mpris
expect "Minute 1" playerctl --player=hello_mpris metadata title
playerctl --player=hello_mpris next
expect "Minute 2" playerctl --player=hello_mpris metadata title
expect "hello_mpris" MediaKeysExample
# The first line is the owner or the present value; the player then plays.
watch() {
  timeout 10 WatchNameExample org.mpris.MediaPlayer2.hello_mpris /org/mpris/MediaPlayer2 \
    org.mpris.MediaPlayer2.Player PlaybackStatus | {
    read -r _
    playerctl --player=hello_mpris play
    grep --max-count=1 Playing
  } || true
}
expect "Playing" watch
NowPlayingExample "$folder/one.flac" "$folder/two.flac" &
jobs+=($!)
gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.nowplayingexample
playerctl --player=nowplayingexample pause
expect "Paused" playerctl --player=nowplayingexample status
say "all examples ran"
