#!/bin/sh
# Checks a built program, as a package build does: it plays a file to the end, without a bus and a sound server.
# plays.sh PROGRAM
set -eu
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
env -i PATH="$PATH" HOME="$home" LANG=C.UTF-8 XDG_RUNTIME_DIR="$home" DBUS_SESSION_BUS_ADDRESS="unix:path=$home/none" \
  timeout 120 "$1" --no-session --audio-sink fakesink --quit-at-end "data/demo/01 Porch Light.flac"
