#!/usr/bin/env bash
# Tests KDE Connect, which lets a paired phone control the players of the computer, against a mock of a phone.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

kdeconnectd=$(find /usr/bin /usr/lib* -name kdeconnectd -type f -perm /111 -print -quit 2>/dev/null)
[ -n "$kdeconnectd" ] || skip "kdeconnectd is not installed (Debian package kdeconnect)"
needs openssl openssl

track One 60
track Two 60
cp "$here/../../data/demo/cover.png" "$work/media/cover.png"
start_player --loop playlist "${tracks[@]}"

QT_QPA_PLATFORM=offscreen QT_LOGGING_RULES='kdeconnect.*=true' spawn kdeconnectd "$kdeconnectd"
computer=$spawned
await_name org.kde.kdeconnect
await_line kdeconnectd 'Broadcasting identity' >/dev/null || fail "kdeconnectd has not started its network"
# Version 25 refuses shorter names.
device=00000000_0000_0000_0000_000000000001
openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/O=KDE/OU=KDE Connect/CN=$device" \
  -keyout "$work/phone.key" -out "$work/phone.pem" 2>>"$work/log/openssl"
mkfifo "$work/requests"
spawn phone "$python" "$here/phone.py" "$device" "$work/phone.pem" "$work/phone.key" "$work/requests"

seen=0
# received WHAT PATTERN: waits until the phone receives a matching value, after the values seen so far.
received() {
  seen=$(await_line phone "$2" 10 "$seen") ||
    fail "the phone does not receive $1: $(tail -n 3 "$work/log/phone" | tr '\n' ' ')"
}
request() { printf '%s\n' "$1" >"$work/requests"; }
act() { request "{\"player\": \"mpris-playerd\", $1}"; }

received "the connection" '^connection=open$'
await_line kdeconnectd 'phone|Phone' >/dev/null || fail "kdeconnectd does not log the connection"
pair() {
  gdbus call --session --dest org.kde.kdeconnect --object-path "/modules/kdeconnect/devices/$device" \
    --method "org.kde.kdeconnect.device.$1" >>"$work/log/pair" 2>&1
}
# The first name is that of version 25, the second that of version 22.
pair requestPairing || pair requestPair || fail "kdeconnectd refuses to pair"
received "the pairing" '^pair=True$'

request '{"requestPlayerList": true}'
received "the player" "^playerList=.*mpris-playerd"
act '"requestNowPlaying": true, "requestVolume": true'
received "the title" '^title=One$'
expect "play" PlaybackStatus=Playing
say "the phone is paired and shows the track"

act '"action": "Pause"'
expect "Pause" PlaybackStatus=Paused
received "the pause" '^isPlaying=False$'
act '"action": "PlayPause"'
expect "PlayPause" PlaybackStatus=Playing
received "play" '^isPlaying=True$'
act '"action": "Next"'
expect "Next" xesam:title=Two
received "the next track" '^title=Two$'
act '"Seek": 20000000'
expect "Seek" "Position>=20000000"
received "a seek" '^pos=2[0-9]{4}$'
act '"SetPosition": 40000'
expect "SetPosition" "Position>=40000000" "Position<=45000000"
act '"setVolume": 50'
expect "the volume" "Volume>=0.49" "Volume<=0.51"
received "the volume" '^volume=(49|50|51)$'
act '"setLoopStatus": "Track"'
expect "repeat" LoopStatus=Track
received "repeat" '^loopStatus=Track$'
act '"SetPosition": 59500'
expect "the repetition" "Position<=10000000"
received "the repetition" '^title=Two$'
act '"setShuffle": true'
expect "shuffle" Shuffle=True
received "shuffle" '^shuffle=True$'
act '"action": "NoSuchMethod"'
act '"action": "Stop"'
expect "Stop" PlaybackStatus=Stopped
received "the stop" '^isPlaying=False$'
cover=$(player get mpris:artUrl)
act "\"albumArtUrl\": \"$cover\""
received "the cover" "^payload=$(stat -c %s "$here/../../data/demo/cover.png")\$"

start_crossfade
received "the first track of the crossfade" '^title=Three$'
received "the second track of the crossfade" '^title=Four$'
end_crossfade
received "the end of the crossfade" '^isPlaying=False$'
once phone '^title=Three$' '^title=Four$'
say "the phone receives each track of a crossfade once"

kill "$player"
received "the end of the player" '^playerList=\[\]$'
kill -0 "$computer" 2>/dev/null || fail "kdeconnectd has exited"
pass "a paired phone shows track, state, position and cover, and controls transport, seek, volume, repeat and shuffle"
