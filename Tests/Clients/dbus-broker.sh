#!/usr/bin/env bash
# Tests the daemon on dbus-broker, the message bus of Fedora and Arch: the bus activates it, clients control and observe it, and it
# returns to the bus after a crash. MESSAGE_BUS=dbus-broker runs the other clients there.
export MESSAGE_BUS=dbus-broker
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

needs playerctl playerctl

track One 60
mkdir "$work/services"
printf '[D-BUS Service]\nName=%s\nExec=%s --no-session --audio-sink "fakesink sync=true"\n' \
  "$BUS" "$BINARY" >"$work/services/$BUS.service"
export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/run/bus
start_broker() {
  spawn broker "$python" "$here/broker.py" "$work/run/bus" "$work/services"
  broker=$spawned
  ready=$(await_line broker '^unix:' 20 "${ready:-0}") || fail "dbus-broker has not started"
}
start_broker

gdbus call --session --dest "$BUS" --object-path /org/mpris/MediaPlayer2 --method org.freedesktop.DBus.Peer.Ping >/dev/null ||
  fail "the bus does not activate the daemon"
playerctl --player playerd open "file://${tracks[0]}" || fail "playerctl does not open a file"
expect "a file that playerctl has opened" PlaybackStatus=Playing xesam:title=One
say "activated, and a file opened by playerctl"

{ kill -KILL "$broker" && wait "$broker"; } 2>/dev/null || :
await_line broker 'lost the connection to the session bus' >/dev/null || fail "the daemon does not notice the end of the bus"
rm "$work/services/$BUS.service"
start_broker
await_name "$BUS"
expect "the same track after a crash of the bus" PlaybackStatus=Playing xesam:title=One
say "the daemon has returned to the bus after its crash"

spawn follow playerctl --player playerd --follow metadata --format '{{title}}'
start_crossfade
await_line follow '^Four$' >/dev/null || fail "playerctl --follow does not print the second track of a crossfade"
LIMIT=30 expect "the end of the crossfade" PlaybackStatus=Stopped
once follow '^Three$' '^Four$'
MPRIS_PLAYERD_AUDIO_SINK=fakesink "$BINARY" doctor >"$work/log/doctor" 2>&1 || fail "doctor has found an error"
"$BINARY" --quiet quit || fail "quit"
pass "activates the daemon, which survives its crash; playerctl controls and follows it, and each track is printed once"
