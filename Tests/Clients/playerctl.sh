#!/usr/bin/env bash
# Tests that playerctl opens items one after another, that the queue of the last one can be restored, and that the daemon then
# quits with status 0. Run with a release build, it finds faults that the compiler's optimizations bring.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

needs playerctl playerctl

track One 60
track Two 60
start_player "${tracks[0]}"
expect "the first track" PlaybackStatus=Playing xesam:title=One
for number in {1..20}; do
  playerctl --player playerd open "file://${tracks[number % 2]}" || fail "open $number"
  expect "open $number" PlaybackStatus=Playing "xesam:title=$([ $((number % 2)) = 0 ] && echo One || echo Two)"
done
say "twenty files opened"
for title in Two One Two; do
  "$BINARY" --quiet undo || fail "undo"
  expect "undo" "xesam:title=$title"
done
say "three queues restored"
spawn follow playerctl --player playerd --follow metadata --format '{{title}}'
start_crossfade
await_line follow '^Four$' >/dev/null || fail "playerctl --follow does not print the second track of a crossfade"
end_crossfade
once follow '^Three$' '^Four$'
say "playerctl --follow prints each track of a crossfade once"
"$BINARY" --quiet quit || fail "quit"
status=0
wait "$player" || status=$?
[ "$status" = 0 ] || fail "the daemon ended with status $status"
pass "opens files one after another, restores queues, and quits with status 0"
