#!/usr/bin/env bash
# Runs built tests as an ordinary user who has 500 other threads; as root, to whom permissions and limits of users do not apply.
# Arguments are passed to the test program; without any, the tests of the engine process's sandbox run.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -gt 0 ] || set -- --filter '^EngineProcessTests\.(Sandbox|SandboxPath|Program)Tests/'
user=(setpriv --reuid=nobody --regid="$(id -gn nobody)" --clear-groups)
# A checkout in a private folder cannot be used by another user.
if ! "${user[@]}" test -x "$PWD/.build-test/debug/mpris-playerd-engine"; then
  say "skipped the tests as an ordinary user: $PWD is not accessible to one"
  exit 0
fi
home=$(mktemp -d)
chown nobody "$home"
# Root's PATH may lead to folders that only root can enter.
exec {ready}< <("${user[@]}" /usr/bin/python3 -c 'import threading
for _ in range(500): threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()')
threads=$!
trap 'kill "$threads" || true; rm -rf "$home"' EXIT
read -r -u "$ready" _ || die "the threads of the user nobody do not start"
env -i PATH="$PATH" LANG=C.UTF-8 HOME="$home" NO_COLOR=1 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=1 "${user[@]}" \
  .build-test/debug/mpris-playerdPackageTests.xctest --testing-library swift-testing "$@"
