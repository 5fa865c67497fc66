#!/usr/bin/env bash
# Tests the recipe for Snapcast: a recorded client hears starts, pauses and skips after the server's delay, and clients see and
# control the player.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

needs snapserver snapserver
needs snapclient snapclient

track One 60 "" 0.8
track Two 60 "" 0.2
export PATH=${BINARY%/*}:$PATH

cat >"$work/snapserver.conf" <<X
[server]
datadir = $work/home
[http]
enabled = false
[stream]
bind_to_address = 127.0.0.1
source = tcp://127.0.0.1:4953/?name=playerd&codec=pcm&controlscript=$(realpath "$here/../../data/snapcast/snapcast-mpris")
[logging]
sink = stdout
X
spawn snapserver snapserver --config "$work/snapserver.conf"
await_line snapserver 'TcpStream|PcmStream|listening|Add client|on_accept|Creating' >/dev/null || fail "snapserver has not started"

"$python" "$here/snapcast.py" "$BINARY" --no-session --paused \
  --audio-sink "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=2 ! tcpclientsink host=127.0.0.1 port=4953 sync=true" \
  "${tracks[@]}" >"$work/figures" 2>>"$work/log/snapcast" || fail "$(tail -n 1 "$work/log/snapcast")"
while read -r line; do say "$line"; done <"$work/figures"
pass "$(tail -n 1 "$work/figures")"
