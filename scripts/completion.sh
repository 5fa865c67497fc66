#!/usr/bin/env bash
# Prints the completion file of the built command: completion.sh BINARY bash|zsh|fish
#
# The generated file contains subcommands only; data/completions adds the items and options of a bare `mpris-playerd`, and
# the aliases.
set -euo pipefail
cd "$(dirname "$0")/.."

binary=$1 shell=$2
generated=$("$binary" --generate-completion-script "$shell")

# commands: prints the names of all subcommands, from the generated file for fish.
commands() { sed -n "s/.*positional \"mpris-playerd\" -eq 1' -fa '\([a-z-]*\)'.*/\1/p" | tr '\n' ' '; }

# aliases: prints the aliases of the commands, as ALIAS=COMMAND, and of their subcommands, as COMMAND:ALIAS=SUBCOMMAND.
aliases() {
  "$binary" --experimental-dump-help | python3 -c '
import json, sys

def names(command, prefix=""):
    for child in command.get("subcommands") or []:
        for alias in child.get("aliases") or []:
            print(prefix + alias + "=" + child["commandName"])
        if not prefix:
            names(child, child["commandName"] + ":")

names(json.load(sys.stdin)["command"])'
}
aliases=$(aliases | paste -sd ' ')

case $shell in
bash)
  sed "s/@aliases@/$aliases/" data/completions/items.bash
  sed -e '1{/^#!/d}' -e 's/^_mpris-playerd() {/__mpris-playerd_root() {/' <<<"$generated"
  ;;
zsh)
  # zsh reads #compdef from the first line.
  head -n 1 <<<"$generated"
  sed "s/@aliases@/${aliases//=/ }/" data/completions/items.zsh
  tail -n +2 <<<"$generated" | sed 's/^_mpris-playerd() {/__mpris-playerd_root() {/'
  ;;
fish)
  # Without those of subcommands.
  names=$(tr ' ' '\n' <<<"$aliases" | sed -n '/:/!s/=.*//p' | paste -sd ' ')
  sed -e "s/@commands@/$(commands <<<"$generated")/" -e "s/@aliases@/$aliases/" -e "s/@names@/$names/" \
    data/completions/items.fish
  printf '%s\n' "${generated/function __mpris-playerd_tokens$'\n'/function __mpris-playerd_typed_tokens$'\n'}"
  ;;
*)
  echo "completion.sh: $shell: bash, zsh or fish" >&2
  exit 64
  ;;
esac
