# shellcheck shell=bash disable=SC2154 # bench.sh, which includes this, has the variables
# The measurements of commands and of the sound, which use the processes of the daemon.

# Compares a playbin with a D-Bus interface: files that were not opened before, and the same ones again.
measure_commands() {
  say "commands"
  local daemon
  start_daemon --no-session --audio-sink "$sink" --loop playlist "$work/new"
  daemon=$pid
  measure new "$work/probe" jump 15 "$ours"
  end "$daemon"
  start_daemon --no-session --audio-sink "$sink" --loop playlist "${three[@]}"
  daemon=$pid
  # All tags are known after the first round.
  measure known "$work/probe" jump 4 "$ours"
  measure known "$work/probe" jump 15 "$ours"
  measure opened "$work/probe" open 15 "$ours" "file://$work/new/"{120..134}.flac
  measure again "$work/probe" open 15 "$ours" "file://$work/1.flac"
  end "$daemon"
  run player.log "$work/player" "$floor.player" "$sink" "file://$work/new/"{100..140}.flac
  daemon=$pid
  until_true "$work/probe" get "$floor.player"
  measure new.floor "$work/probe" jump 15 "$floor.player"
  measure opened.floor "$work/probe" open 15 "$floor.player" "file://$work/new/"{120..134}.flac
  end "$daemon"
  row "Next → Metadata, an unknown file, ms, of playbin's" "≤ 1 ×" new.next.p50 new.floor.next.p50
  row "Next → Metadata, a known file, ms, of playbin's" "≤ 1 ×" known.next.p50 new.floor.next.p50
  row "OpenUri → Playing, an unknown file, ms, of playbin's" "≤ 1 ×" opened.open.p50 opened.floor.open.p50
  row "OpenUri → Playing, the same file, ms, of playbin's" "≤ 1 ×" again.open.p50 opened.floor.open.p50
  row "SetPosition → Seeked, a new track, ms, of playbin's" "≤ 3" new.seeked.p50 new.floor.seeked.p50
  row "SetPosition → Seeked, ms, of playbin's" "≤ 3" known.seeked.p50 new.floor.seeked.p50
}

# Measures at the monitor of the sound server; without one, nothing is heard.
measure_sound() {
  say "audible"
  if [ "$sink" != pulsesink ]; then
    missing+=("pulseaudio is not installed: nothing is recorded")
    return 0
  fi
  local -a programs=("$work/playbin" "$sink" "file://$work/1.flac" -- "$DAEMON" "${three[@]}")
  if command -v vlc >/dev/null; then
    # VLC refuses to run as root; this copy does not find out.
    sed 's/geteuid/getppid/' "$(command -v vlc)" >"$work/vlc"
    chmod +x "$work/vlc"
    programs+=(-- "$work/vlc" --intf dummy --aout pulse "${three[@]}")
  else
    missing+=("vlc is not installed: not compared")
  fi
  measure heard "$work/heard" start 15 "${programs[@]}"
  row "exec with three files → audible, ms, of playbin's" "≤ 1 ×" heard.1.start.p50 heard.0.start.p50
  if [ -n "${result[heard.2.start.p50]:-}" ]; then
    row "exec with three files → audible, ms, of VLC's" "≤ 1 ×" heard.1.start.p50 heard.2.start.p50
  fi
  local daemon
  start_daemon --no-session --loop playlist "$work/1.flac" "$work/quiet.flac"
  daemon=$pid
  measure heard "$work/heard" next 14 "$ours"
  end "$daemon"
  start_daemon --no-session "$work/halves.flac"
  daemon=$pid
  measure heard "$work/heard" seek 14 "$ours"
  end "$daemon"
  start_daemon --no-session "$work/halves.flac"
  daemon=$pid
  measure killed "$work/heard" kill 1 "$ours"
  end "$daemon"
  row "engine killed → audible again, ms" "≤ 300" killed.kill.p50
  row "engine killed, error of the position, ms" "≤ 50" killed.position.p50
  row "Next → audible, ms" "≤ 15" heard.next.p50
  row "SetPosition → audible, ms" "≤ 10" heard.seek.p50
}

# Compares the memory one minute after a long queue was cleared with that of a new daemon.
measure_storm() {
  [ -n "${STORM:-}" ] || return 0
  say "a minute after a storm"
  local daemon number
  start_daemon --quiet --no-session
  daemon=$pid
  sleep 6
  measure fresh "$work/probe" load 1 "$daemon"
  mkdir -p "$work/many"
  for ((number = 1; number <= 2000; number++)); do ln "$work/1.flac" "$work/many/$number.flac"; done
  "$DAEMON" --paused "$work/many" >/dev/null
  # Clients read the metadata of a window of tracks.
  for ((number = 0; number < 200; number++)); do "$DAEMON" next --quiet; done
  "$DAEMON" queue clear --quiet
  sleep 60
  measure storm.tracks "$work/probe" load 1 "$daemon"
  awk -v file="$work/1.flac" 'BEGIN { for (i = 0; i < 1000000; i++) print file }' >"$work/million.m3u"
  "$DAEMON" --paused "$work/million.m3u" >/dev/null
  "$DAEMON" queue clear --quiet
  sleep 60
  measure storm.million "$work/probe" load 1 "$daemon"
  end "$daemon"
  row "a minute after 2 000 tracks, PSS in MB, of a new daemon's" "≤ 1.3 ×" storm.tracks.pss fresh.pss
  row "a minute after a million tracks, PSS in MB, of a new daemon's" "≤ 1.3 ×" storm.million.pss fresh.pss
}
