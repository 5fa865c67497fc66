#!/usr/bin/env bash
# Tests that mpris-scrobbler submits each play exactly once to a mock of ListenBrainz: $PLAYS plays (default 50) with skips,
# pauses, seeks and repetitions. $MPRIS_SCROBBLER selects the executable (default: mpris-scrobbler).
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scrobbler=${MPRIS_SCROBBLER:-mpris-scrobbler}
command -v "$scrobbler" >/dev/null || skip "mpris-scrobbler is not in PATH or in \$MPRIS_SCROBBLER (not in Debian 12)"
needs faketime faketime

spawn listenbrainz "$python" "$here/listenbrainz.py"
await_line listenbrainz '^ready$' >/dev/null || fail "the mock of ListenBrainz has not started"
mkdir -p "$XDG_DATA_HOME/mpris-scrobbler"
cat >"$XDG_DATA_HOME/mpris-scrobbler/credentials" <<X
[listenbrainz]
enabled = true
username = user
token = anything
url = http://127.0.0.1
X

# A track of 30 s or more counts when half of it has passed on the scrobbler's clock, which runs at ten times the speed here:
# after 2 s. The scrobbler does not read the position after the start of a track. It submits a play again after a pause in
# the second half, with any player, so the pauses are in the first half.
titles=(One Two Three Four)
for title in "${titles[@]}"; do track "$title" 40; done
start_player --paused --loop playlist "${tracks[@]}"
expect "the first track" xesam:title=One
spawn scrobbler faketime -f '+0 x10' "$scrobbler"

seen=1
# received WHAT LINE: waits until the mock prints the line, after the lines seen so far.
received() {
  seen=$(await_line listenbrainz "^$2\$" 20 "$seen") ||
    fail "play ${#expected[@]}, $1: no \"$2\" after $(tail -n 3 "$work/log/listenbrainz" | tr '\n' ' ')"
}
current=0
expected=()
# started WHAT: waits until the current track is submitted as playing.
started() { received "$1" "now ${titles[current]}"; }
# listened WHAT: waits until the play is submitted.
listened() {
  expected+=("${titles[current]}")
  received "$1" "listen ${titles[current]}"
}
# advance TRACKS: the current track changes by a number of tracks.
advance() { current=$(((current + $1 + ${#titles[@]}) % ${#titles[@]})); }
near_end() { player call SetPosition "objectpath '$(player get mpris:trackid)'" "int64 39500000"; }
set_loop() {
  gdbus call --session --dest "$BUS" --object-path /org/mpris/MediaPlayer2 \
    --method org.freedesktop.DBus.Properties.Set org.mpris.MediaPlayer2.Player LoopStatus "<'$1'>" >/dev/null
}
other_than() { expect "another passage" "mpris:trackid!=$1"; }

# before ACTION: acts in the first half of a play.
before() {
  case $1 in
    pause)
      player call Pause
      expect "a pause" PlaybackStatus=Paused
      player call Play
      ;;
    seek)
      player call Seek "int64 10000000"
      player call Seek "int64 -5000000"
      ;;
    volume) player call PlayPause && player call PlayPause ;;
    *) ;;
  esac
}

# after TRANSITION: starts the next play.
after() {
  local id
  id=$(player get mpris:trackid)
  case $1 in
    end)
      near_end
      other_than "$id"
      advance 1
      ;;
    again)
      near_end
      other_than "$id"
      ;;
    next)
      player call Next
      advance 1
      ;;
    previous)
      player call Previous
      advance -1
      ;;
    skips)
      # Skips two tracks in their first half.
      player call Next
      advance 1
      started "a track to be skipped"
      player call Next
      advance 1
      started "another track to be skipped"
      player call Next
      advance 1
      ;;
    loop)
      set_loop Track
      near_end
      other_than "$id"
      set_loop Playlist
      ;;
    *) ;;
  esac
}

# play TRANSITION: waits for a play to be submitted, and starts the next play.
befores=(none pause seek volume)
play() {
  started "$1"
  before "${befores[${#expected[@]} % ${#befores[@]}]}"
  listened "$1"
  after "$1"
}

plays=${PLAYS:-50}
player call Play
afters=(end loop loop next skips previous loop)
while [ "${#expected[@]}" -lt $((plays - 4)) ]; do play "${afters[${#expected[@]} % ${#afters[@]}]}"; done
# The last four plays are of the only track in a looped queue.
"$BINARY" "${tracks[2]}" >>"$work/log/player" 2>&1
current=2
for _ in 1 2 3; do play again; done
play none
player call Stop

mapfile -t counted < <(sed -n 's/^listen //p' "$work/log/listenbrainz")
[ "${counted[*]}" = "${expected[*]}" ] || fail "${#expected[@]} plays: ${expected[*]}; counted were ${counted[*]}"
pass "${#counted[@]} listens for $plays plays with skips, pauses, seeks and repetitions, in order"
