#!/usr/bin/env bash
# Tests Rygel's MPRIS plug-in, which makes the player a UPnP renderer, with a UPnP control point.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

needs rygel rygel

track One 60
track Two 60
start_player "${tracks[0]}"
mkdir -p "$XDG_CONFIG_HOME"
cat >"$XDG_CONFIG_HOME/rygel.conf" <<X
[general]
interface=lo
ipv6=false
log-level=*:4
enable-transcoding=false
[MPRIS]
enabled=true
[MediaExport]
enabled=false
[Playbin]
enabled=false
X
# The multicast route of UPnP searches.
ip route add 224.0.0.0/4 dev lo
spawn rygel rygel
rygel=$spawned
renderer=$("$python" "$here/upnp.py" find mpris-playerd) || fail "no renderer: $(tail -n 1 "$work/log/rygel")"
upnp() { "$python" "$here/upnp.py" call "$renderer" "$@" >"$work/log/answer" || fail "$1 is refused"; }
# answers ACTION PATTERN: calls an action, and checks that a line of its answer matches.
answers() {
  upnp "$1"
  grep -qE "$2" "$work/log/answer" || fail "$1 answers $(tr '\n' ' ' <"$work/log/answer")"
}
spawn events "$python" "$here/upnp.py" events "$renderer"
seen=$(await_line events '^subscribed$') || fail "no subscription to the renderer's events"
# received WHAT PATTERN: waits for a matching event of the renderer, after the events seen so far.
received() {
  seen=$(await_line events "$2" 10 "$seen") ||
    fail "no event for $1: $(tail -n 3 "$work/log/events" | tr '\n' ' ')"
}

expect "play" PlaybackStatus=Playing
answers GetTransportInfo '^CurrentTransportState=PLAYING$'

upnp Pause
expect "Pause" PlaybackStatus=Paused
received "the pause" '^TransportState=PAUSED_PLAYBACK$'
upnp Play Speed=1
expect "Play" PlaybackStatus=Playing
received "play" '^TransportState=PLAYING$'
upnp Seek Unit=REL_TIME Target=00:00:30
expect "Seek to 30 s" "Position>=30000000" "Position<=35000000"
answers GetPositionInfo '^RelTime=0?0:00:3[0-5]'
upnp SetVolume Channel=Master DesiredVolume=50
expect "SetVolume 50" "Volume>=0.4" "Volume<=0.6"
say "state, transport, seek and volume"

spawn server "$python" "$here/upnp.py" serve "$work/media"
await_line server '^http:' >/dev/null || fail "no HTTP server"
upnp SetAVTransportURI "CurrentURI=$(cat "$work/log/server")/2.flac" CurrentURIMetaData=
# No Play: OpenUri starts playback according to MPRIS, and Rygel refuses Play during playback (701).
expect "a URI of a server" xesam:title=Two PlaybackStatus=Playing
answers GetMediaInfo '^CurrentURI=http://127.0.0.1.*/2\.flac$'
LIMIT=20 expect "its length" "mpris:length>=59000000"
upnp Seek Unit=REL_TIME Target=00:00:20
expect "Seek to 20 s" "Position>=20000000" "Position<=25000000"
answers GetPositionInfo '^RelTime=0?0:00:2[0-5]'
answers GetPositionInfo '^TrackDuration=0?0:01:00'
upnp Stop
expect "Stop" PlaybackStatus=Stopped
received "the stop" '^TransportState=STOPPED$'
answers GetTransportInfo '^CurrentTransportState=STOPPED$'

player call Play
received "play by another client" '^TransportState=PLAYING$'
kill -0 "$rygel" 2>/dev/null || fail "Rygel has exited"
! grep -E 'CRITICAL|ERROR' "$work/log/rygel" >&2 || fail "Rygel logs an error"
pass "as a UPnP renderer: state, play, pause, stop, seek, volume, SetAVTransportURI by HTTP, events"
