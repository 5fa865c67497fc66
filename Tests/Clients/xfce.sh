#!/usr/bin/env bash
# Tests the menu of the PulseAudio plugin of Xfce's panel, by OCR, and its media keys, on an X server without a screen.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

needs xfce4-panel xfce4-panel
[ -n "$(find /usr/lib* -name libpulseaudio-plugin.so -print -quit)" ] ||
  skip "the PulseAudio plugin is not installed (Debian package xfce4-pulseaudio-plugin)"
xfconfd=$(find /usr/lib* -name xfconfd -type f -print -quit)
[ -n "$xfconfd" ] || skip "xfconfd is not installed (Debian package xfconf)"
needs tesseract tesseract-ocr

track One 60
track Two 60
mkdir -p "$XDG_CONFIG_HOME/xfce4/xfconf/xfce-perchannel-xml"
cat >"$XDG_CONFIG_HOME/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml" <<'X'
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="pulseaudio"/></property>
</channel>
X
export XDG_CURRENT_DESKTOP=XFCE OMP_THREAD_LIMIT=1
start_display
spawn xfconf "$xfconfd"
await_name org.xfce.Xfconf
G_MESSAGES_DEBUG=all spawn panel xfce4-panel --disable-wm-check
panel=$spawned
await_line panel 'Grabbing multimedia control keys' 30 >/dev/null || fail "the plugin has not started"
start_player --loop playlist "${tracks[@]}"

# open_menu: opens the menu, again if it is open, because it is not always drawn anew. Sets X, Y, WIDTH and HEIGHT to its place.
open_menu() {
  local window deadline=$((SECONDS + 10))
  xdotool key Escape
  while [ $SECONDS -lt $deadline ]; do
    # Without the pointer, the button shows no tooltip over the menu.
    xdotool mousemove --sync 16 16 click 1 mousemove --sync 600 400 sleep 0.2
    for window in $(xdotool search --onlyvisible --class wrapper-2.0); do
      eval "$(xdotool getwindowgeometry --shell "$window")"
      # The icon has a window, too.
      [ "$WIDTH" -lt 100 ] || return 0
    done
  done
  fail "the menu does not open"
}

# words: reads the menu, and prints the lower edge of each word, and the word.
words() {
  gst-launch-1.0 -q ximagesrc num-buffers=1 startx="$X" starty="$Y" endx=$((X + WIDTH - 1)) endy=$((Y + HEIGHT - 1)) ! \
    videoconvert ! videoscale ! video/x-raw,width=$((3 * WIDTH)),height=$((3 * HEIGHT)) ! pngenc ! filesink location="$work/menu.png"
  tesseract "$work/menu.png" - --psm 11 tsv 2>/dev/null | awk -F '\t' '$12 ~ /[[:alnum:]]/ { print int(($8 + $10) / 3), $12 }'
}

# shows WHAT WORDS: opens the menu until it shows these words together, else fails; sets $row to the lower edge of the first one.
shows() {
  local found text deadline=$((SECONDS + 15))
  while open_menu && found=$(words); do
    text=$(cut -d ' ' -f 2 <<<"$found" | xargs)
    row=$(awk -v word="${2%% *}" '$2 == word { print $1; exit }' <<<"$found")
    case " $text " in *" $2 "*) return 0 ;; esac
    [ $SECONDS -lt $deadline ] || fail "$1: no $2 in the menu, but $text"
  done
}

# press BUTTON: clicks on a button, which is beside title and artist, and a fixed distance away from the right edge.
previous=94 play=59 next=24
press() { xdotool mousemove --sync $((X + WIDTH - $1)) $((Y + row)) sleep 0.2 click 1 mousemove --sync 600 400; }

# button: the pixels of the button for play and pause.
button() {
  gst-launch-1.0 -q ximagesrc num-buffers=1 startx=$((X + WIDTH - play - 8)) endx=$((X + WIDTH - play + 8)) \
    starty=$((Y + row - 8)) endy=$((Y + row + 8)) ! videoconvert ! video/x-raw,format=GRAY8 ! fdsink | cksum
}

shows "the first track" "One Artist 1"
say "the menu shows title and artist"
pause=$(button)
press $play
expect "a click on pause" PlaybackStatus=Paused
shows "a pause" One
[ "$(button)" != "$pause" ] || fail "the menu shows the same button while the player is paused"
press $play
expect "a click on play" PlaybackStatus=Playing
shows "play" One
[ "$(button)" = "$pause" ] || fail "the menu shows another button than before the pause"
press $next
expect "a click on next" xesam:title=Two
shows "the next track" "Two Artist 2"
press $previous
expect "a click on previous" xesam:title=One
xdotool key Escape
say "the buttons control the player"

for status in Paused Playing; do
  key XF86AudioPlay
  expect "the key Play" PlaybackStatus=$status
done
press_track_keys

show_crossfade "the menu"

kill -0 "$panel" || fail "xfce4-panel has exited"
pass "the menu shows title and artist; buttons and media keys control the player"
