#!/usr/bin/env bash
# Tests that playerctld with two instances of the daemon selects the one that was active last, and does not abort.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

needs playerctl playerctl
needs playerctld playerctl

spawn playerctld playerctld
daemon=$spawned
await_name org.mpris.MediaPlayer2.playerctld
spawn follow playerctl --player playerctld --follow metadata --format '{{status}}|{{title}}'

# follows WHAT LINE: waits until playerctl prints the line for playerctld's player, after the lines seen so far.
seen=0
follows() {
  local line
  line=$(await_line follow "^${2}\$" 10 "$seen") || fail "$1: the last line is $(tail -n 1 "$work/log/follow")"
  seen=$line
}
ctl() { playerctl --player playerctld "$@"; }

track One 60
track Two 60
track Three 60
first=$BUS
start_player --loop playlist "${tracks[0]}" "${tracks[2]}"
follows "the first instance" "Playing\|One"
# A later change of its metadata would make it the active one again.
LIMIT=20 expect "the length of its track" "mpris:length>=59000000"
BUS=$first.instance
spawn second "$BINARY" --new-instance --no-session --audio-sink "fakesink sync=true" "${tracks[1]}"
second=$spawned
BUS=$first.instance$second
await_name "$BUS"
follows "the second instance, which came later" "Playing\|Two"
say "a new instance becomes the active one"

ctl pause
expect "a pause by playerctld reaches the second instance" PlaybackStatus=Paused
follows "the pause" "Paused\|Two"
BUS=$first expect "and not the first" PlaybackStatus=Playing

BUS=$first player call Next
follows "the first instance, whose track has changed" "Playing\|Three"
ctl position 30
BUS=$first expect "a seek by playerctld reaches the first instance" "Position>=30000000"
say "activity changes the active player"

playerctld shift >>"$work/log/shift" 2>&1 || fail "shift: $(tail -n 1 "$work/log/shift")"
follows "the second instance, by playerctld shift" "Paused\|Two"
ctl play
follows "play" "Playing\|Two"

# Versions of playerctld have aborted on TrackList signals and on errors without a text.
gdbus call --session --dest "$BUS" --object-path /org/mpris/MediaPlayer2 \
  --method org.mpris.MediaPlayer2.TrackList.AddTrack "file://${tracks[2]}" /org/mpris/MediaPlayer2/TrackList/NoTrack true \
  >/dev/null
follows "a track added and played" "Playing\|Three"
! ctl open nonsense:// 2>>"$work/log/shift" || fail "a URI that cannot be opened was accepted"
BUS=$first player call SetPosition "objectpath '/nowhere'" "int64 0"
ctl stop
expect "a stop by playerctld" PlaybackStatus=Stopped

kill "$second"
follows "the first instance, when the second has ended" "Playing\|Three"
kill -0 "$daemon" 2>/dev/null || fail "playerctld has exited"
! grep -E 'ERROR|CRITICAL' "$work/log/playerctld" || fail "playerctld logs an error"
pass "selects the last active of two instances after start, pause, track change, shift, TrackList edit and exit"
