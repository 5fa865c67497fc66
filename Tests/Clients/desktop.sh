# shellcheck shell=bash
# Functions of the scripts for desktops, which source this file first.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The .desktop file and its icon, which widgets show.
export XDG_DATA_DIRS=/usr/local/share:/usr/share
mkdir -p "$XDG_DATA_HOME/applications"
cp "$here/../../data/mpris-playerd.desktop" "$XDG_DATA_HOME/applications"

# cover ALBUM RRGGBB: makes the cover of an album, of one colour.
cover() {
  mkdir -p "$work/media/$1"
  gst-launch-1.0 -q videotestsrc num-buffers=1 pattern=solid-color foreground-color=$((16#ff$2)) ! \
    video/x-raw,format=RGB,width=400,height=400 ! pngenc ! filesink location="$work/media/$1/cover.png" \
    >>"$work/log/media" 2>&1 || fail "gst-launch-1.0 could not make a cover"
}

# start_display: starts an X server without a screen.
start_display() {
  local display
  needs Xvfb xvfb
  needs xdotool xdotool
  mkfifo "$work/display"
  exec {display}<>"$work/display"
  spawn xvfb Xvfb -displayfd "$display" -screen 0 1280x800x24 -nolisten tcp
  read -r -t 20 -u "$display" DISPLAY || fail "Xvfb has not started"
  export DISPLAY=:$DISPLAY
}

# start_sway MODE: starts Sway with one output, without a screen.
start_sway() {
  needs sway sway
  # shellcheck disable=SC2016 # Sway expands it
  printf '%s\n' 'xwayland disable' "output HEADLESS-1 mode $1" 'exec echo "display $WAYLAND_DISPLAY"' >"$work/sway.conf"
  export WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman
  # Sway refuses to run as root.
  spawn sway unshare --user --map-user=1000 --map-group=1000 sway --config "$work/sway.conf"
  await_line sway '^display ' >/dev/null || fail "Sway has not started"
  WAYLAND_DISPLAY=$(sed -n 's/^display //p' "$work/log/sway")
  export WAYLAND_DISPLAY
}

# start_accessibility: starts the bus by which screen.py reads windows. Programs with GTK connect to it only when they start; those
# with Qt 5 fail to connect unless it starts later.
start_accessibility() {
  [ -x /usr/libexec/at-spi-bus-launcher ] || skip "the accessibility bus is not installed (Debian package at-spi2-core)"
  "$python" -c 'import gi; gi.require_version("Atspi", "2.0")' 2>/dev/null ||
    skip "Atspi has no introspection data (Debian package gir1.2-atspi-2.0)"
  GSETTINGS_BACKEND=memory spawn accessibility /usr/libexec/at-spi-bus-launcher --launch-immediately
  await_name org.a11y.Bus
}

# elements COMMAND…: see screen.py.
elements() { "$python" "$here/screen.py" "$@"; }

# missing WHAT PATTERN…: fails because the screen does not show matching elements.
missing() { fail "$1: no ${*:2} on the screen, but $(elements list | paste -s -d ,)"; }

# shows WHAT PATTERN…: waits until the screen shows matching elements, else fails.
shows() { elements wait "${@:2}" || missing "$@"; }

# press WHAT PATTERN [FRACTION]: clicks on an element.
press() {
  local place
  place=$(elements place "${@:2}") || missing "$1" "$2"
  # shellcheck disable=SC2086 # two coordinates
  xdotool mousemove --sync $place click 1
}

# activate WHAT PATTERN NUMBER: presses the first or a later of the matching elements, where no pointer can.
activate() { elements activate "${@:2}" || missing "$1" "$2"; }

# key NAME: presses a key of the keyboard.
key() { xdotool key "$1"; }

# press_track_keys: presses the media keys that change the track, with the first of the tracks One and Two current, and Stop.
press_track_keys() {
  key XF86AudioNext
  expect "the key Next" xesam:title=Two
  key XF86AudioPrev
  expect "the key Previous" xesam:title=One
  key XF86AudioStop
  expect "the key Stop" PlaybackStatus=Stopped
  say "the media keys control the player"
}

# show_crossfade WHERE: plays a crossfade, both tracks of which the desktop shows by `shows`.
show_crossfade() {
  start_crossfade
  shows "the first track of the crossfade" Three
  shows "the second track of the crossfade" Four
  end_crossfade
  say "$1 shows both tracks of a crossfade, and one signal announces each"
}

# screen_text: prints the text on the screen of Sway or of the X server.
screen_text() {
  if [ -n "${WAYLAND_DISPLAY:-}" ]; then
    grim "$work/screen.png"
  else
    gst-launch-1.0 -q ximagesrc num-buffers=1 use-damage=false ! videoconvert ! pngenc ! filesink location="$work/screen.png"
  fi
  OMP_THREAD_LIMIT=1 tesseract "$work/screen.png" - --psm 11 2>>"$work/log/tesseract" | xargs -d '\n'
}

# The functions by which test_notifications sees the notification, and presses its buttons. These read the screen, whose changes
# have no signal, so they poll; a script whose server shows more defines others, and `push`, which presses Pause or Next.

# bubble WHAT TEXT…: waits until the notification shows each text, else fails.
bubble() {
  local text wanted deadline=$((SECONDS + 60))
  while text=$(screen_text); do
    for wanted in "${@:2}"; do [[ $text == *"$wanted"* ]] || break; done
    [[ $text != *"$wanted"* ]] || return 0
    [ $SECONDS -lt $deadline ] || fail "$1: no $wanted on the screen, but $text"
  done
}

# no_bubble WHAT TEXT: waits until no notification shows the text, else fails.
no_bubble() {
  local text deadline=$((SECONDS + 60))
  while text=$(screen_text) && [[ $text == *"$2"* ]]; do
    [ $SECONDS -lt $deadline ] || fail "$1: the screen shows $2: $text"
  done
}

# bubble_cover RRGGBB: waits until the notification shows a cover of this colour, else fails.
bubble_cover() { elements colour "$1" 400 || fail "the notification does not show the cover"; }

# see_bubbles_as_elements: makes these functions use the accessibility tree, and `push` the pointer.
# shellcheck disable=SC2317 # the new functions are called
see_bubbles_as_elements() {
  bubble() {
    local text
    for text in "${@:2}"; do elements wait "(?s).*$text.*" || missing "$1" "$text"; done
  }
  no_bubble() { elements without "(?s).*$2.*" || fail "$1: the screen shows $2"; }
  push() {
    local place
    place=$(elements place "$1") || missing "the button $1" "$1"
    # shellcheck disable=SC2086 # two coordinates
    xdotool mousemove --sync $place click 1
  }
}

# test_notifications: tests the notifications of the daemon with a server that runs. If the script defines
# `stop_server`, it ends the server, and `start_server` starts another one.
test_notifications() {
  local title='Fish & <b>Chips</b>' album='Salt & <i>Pepper'
  tracks=()
  cover "$album" c81e46
  track "$title" 60 "$album"
  track Second 60 "$album"
  track "Long$(printf ' word%.0s' {1..40}) Tail" 60 "$album"
  MPRIS_PLAYERD_NOTIFY=true start_player --loop playlist "${tracks[@]}"
  bubble "the first track" "$title" "Artist 1" "$album"
  bubble_cover c81e46
  say "the notification shows title, artist, album and cover; markup in tags is text"

  # GNOME Shell 43 shows no buttons in a notification that replaces another one on the screen.
  push Pause
  expect "the button Pause" PlaybackStatus=Paused
  player call Play
  player call Next
  bubble "the next track" Second "Artist 2"
  no_bubble "the next track" Fish
  push Next
  expect "the button Next" xesam:trackNumber=3
  bubble "a long title" "Long word"
  no_bubble "a long title" Tail
  player call Next
  bubble "the first track again" "$title"
  no_bubble "the first track again" Long
  say "the buttons control the player; a track replaces the one before; a long title is cut"

  if declare -F stop_server >/dev/null; then
    stop_server
    player call Next
    expect "a track without a server" xesam:title=Second PlaybackStatus=Playing
    start_server
    player call Previous
    bubble "another server" "$title"
    say "playback does not need the server; its successor shows the next track"
  fi

  player call Stop
  no_bubble "a stop" Fish
  # Plasma 5.27 shows nothing of a notification that arrives while the window of the one before closes.
  sleep 1
  player call Play
  bubble "play" "$title"
  kill "$player"
  no_bubble "the end of the player" Fish
  say "a stop and the end of the player close the notification"
}
