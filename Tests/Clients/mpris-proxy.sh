#!/usr/bin/env bash
# Tests BlueZ's mpris-proxy, which connects players to headsets and car stereos, against a mock of bluetoothd.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

needs mpris-proxy bluez

DBUS_SYSTEM_BUS_ADDRESS=$(start_bus system)
export DBUS_SYSTEM_BUS_ADDRESS
spawn bluez "$python" "$here/bluez.py"
gdbus wait --system --timeout 20 org.bluez || fail "the mock of bluetoothd has not started"
spawn proxy mpris-proxy
proxy=$spawned

headset() { gdbus call --system --dest org.bluez --object-path /headset --method "headset.Buttons.$1" "${@:2}" >/dev/null; }
# received WHAT PATTERN: waits until the headset receives a matching value, after the values seen so far.
seen=0
received() { seen=$(await_line bluez "$2" 10 "$seen") || fail "the headset does not receive $1: $(tail -n 3 "$work/log/bluez")"; }

track One 60
track Two 60
# Without the system bus, the player does not register itself.
DBUS_SYSTEM_BUS_ADDRESS=unix:path=$work/none start_player --loop playlist "${tracks[@]}"
received "the player" '^registered$'
grep -q "^registered xesam:title 'One'" "$work/log/bluez" || received "the title" "^changed xesam:title 'One'"
expect "play" PlaybackStatus=Playing

headset Press Pause
expect "Pause on the headset" PlaybackStatus=Paused
received "the pause" "^changed PlaybackStatus 'Paused'"
headset Press Play
expect "Play on the headset" PlaybackStatus=Playing
received "play" "^changed PlaybackStatus 'Playing'"
headset Press Next
expect "Next on the headset" xesam:title=Two
received "the next track" "^changed xesam:title 'Two'"
player call Seek "int64 20000000"
received "a seek" "^seeked 2[0-9]{7}$"
headset Press Previous
expect "Previous on the headset" xesam:title=One
received "the previous track" "^changed xesam:title 'One'"
headset Set LoopStatus "<'Track'>"
expect "repeat on the headset" LoopStatus=Track
received "repeat" "^changed LoopStatus 'Track'"
player call SetPosition "objectpath '$(player get mpris:trackid)'" "int64 59500000"
received "the repetition" "^changed xesam:title 'One'"
expect "the start of the repetition" "Position<=10000000"
headset Set Shuffle "<true>"
expect "shuffle on the headset" Shuffle=True
headset Press Stop
expect "Stop on the headset" PlaybackStatus=Stopped
received "the stop" "^changed PlaybackStatus 'Stopped'"

kill "$player"
received "the end of the player" '^unregistered$'
kill -0 "$proxy" 2>/dev/null || fail "mpris-proxy has exited"
! grep -E '^(wrong type|refused)' "$work/log/bluez" >&2 || fail "bluetoothd would reject a value or a call"
pass "buttons control the player; track, state, position and a repetition reach the headset with the types of bluetoothd"
