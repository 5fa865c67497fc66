#!/usr/bin/env bash
# Tests the recipe for an RTP stream of PipeWire: the output is found and selected by its name, and a receiver hears the player.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for program in pipewire pipewire-pulse wireplumber; do needs "$program" "$program"; done

mkdir -p "$XDG_CONFIG_HOME/pipewire/pipewire.conf.d" "$XDG_CONFIG_HOME"/wireplumber/{main,bluetooth}.lua.d \
  "$XDG_CONFIG_HOME/wireplumber/wireplumber.conf.d"
cat >"$XDG_CONFIG_HOME/pipewire/pipewire.conf.d/rooms.conf" <<'X'
context.modules = [ {
  name = libpipewire-module-rtp-sink
  args = {
    sap.ip = "127.0.0.1"
    destination.ip = "127.0.0.1"
    destination.port = 46000
    stream.props = { media.class = "Audio/Sink" node.name = "rooms" node.description = "All rooms" }
  }
} ]
X
# No hardware is opened, by version 0.5 and by earlier ones.
printf 'wireplumber.profiles = { main = { hardware.audio = disabled, hardware.bluetooth = disabled, hardware.video-capture = disabled } }\n' \
  >"$XDG_CONFIG_HOME/wireplumber/wireplumber.conf.d/no-hardware.conf"
printf '%s.enabled = false\n' alsa_monitor v4l2_monitor libcamera_monitor >"$XDG_CONFIG_HOME/wireplumber/main.lua.d/51-no-hardware.lua"
printf 'default_access.properties["enable-flatpak-portal"] = false\n' >>"$XDG_CONFIG_HOME/wireplumber/main.lua.d/51-no-hardware.lua"
printf 'bluez_monitor.enabled = false\nif bluez_midi_monitor then bluez_midi_monitor.enabled = false end\n' \
  >"$XDG_CONFIG_HOME/wireplumber/bluetooth.lua.d/51-no-hardware.lua"

PIPEWIRE_DEBUG=3 spawn pipewire pipewire
await_line pipewire 'start main loop' >/dev/null || fail "PipeWire has not started"
spawn wireplumber wireplumber
PIPEWIRE_DEBUG=3 spawn pulse pipewire-pulse
await_line pulse 'start main loop' >/dev/null || fail "pipewire-pulse has not started"
export PULSE_SERVER=unix:$XDG_RUNTIME_DIR/pulse/native

# The receiver prints the level of the sound ten times a second.
spawn receiver gst-launch-1.0 -m udpsrc port=46000 \
  caps='application/x-rtp,media=audio,clock-rate=48000,encoding-name=L16,channels=2,payload=127' ! \
  rtpL16depay ! audioconvert ! level interval=100000000 ! fakesink
receiver=$spawned

track One 60
spawn player "$BINARY" --no-session --paused "${tracks[@]}"
await_name "$BUS"
expect "the load" xesam:title=One
"$BINARY" output rooms >/dev/null || fail "the output is not found: $("$BINARY" devices)"
player call Play
expect "play" PlaybackStatus=Playing
loud='peak=[^<]*< -1\.9'
heard=$(await_line receiver "$loud") || fail "the receiver hears nothing: $("$BINARY" status | tail -n 1)"
say "the output is $("$BINARY" output)"
player call Pause
expect "a pause" PlaybackStatus=Paused
player call Play
await_line receiver "$loud" 10 "$heard" >/dev/null || fail "the receiver hears nothing after a pause"
kill -0 "$receiver" || fail "the receiver has ended"
pass "a receiver hears the player"
