#!/usr/bin/env bash
# Tests this commit on another Debian release: the package as a new user, the clients and desktops of the release, then every test.
#
# If the release has a Swift compiler that is new enough, as sid has, dpkg-buildpackage builds the source package and its packages there,
# from the archive of `make dist`, in a new root with the build dependencies alone, without a network; lintian checks them. This machine's
# toolchain builds the tests, which need Swift 6.3 (captures of exit tests), and the package elsewhere. autopkgtest tests the package in a new
# root, too.
#
#   scripts/test-on.sh SYSTEM FOLDER [TEST-OPTION…]
#
# SYSTEM is bookworm, trixie or sid. FOLDER contains a log and the roots of the system: sid-new as debootstrap makes it, sid for the tests
# (6 GB with the build), which later runs upgrade and reuse, and sid-build and sid-autopkgtest of the last run. TEST-OPTIONs are passed to the
# test program, for example --filter QueueTests.
#
#   MIRROR=URL     the Debian mirror; by default that of apt
#   DEB=PATH       the package to test; by default it is built; "none" skips the package and the clients
#   CLIENTS=none   skips the clients and desktops, which need 2 GB
#   TESTS=none     skips the tests
#
# Runs as root, needs debootstrap and autopkgtest. Mounts and processes are in private namespaces and end with the script.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -ge 2 ] || die "usage: scripts/test-on.sh SYSTEM FOLDER [TEST-OPTION…]"
system=$1 folder=$(realpath -m "$2")
shift 2
[ "$(id -u)" = 0 ] || die "test-on.sh needs root: it mounts, and changes its root directory"

if [ -z "${TEST_ON_ISOLATED:-}" ]; then
  need_swift
  for tool in debootstrap autopkgtest; do command -v "$tool" >/dev/null || die "$tool is not installed"; done
  [ -z "$(git status --porcelain)" ] || say "uncommitted changes are not tested"
  DEB=${DEB:-}
  case $DEB in '' | none) ;; *) DEB=$(realpath -e "$DEB") ;; esac
  mkdir -p "$folder"
  export DEB TEST_ON_ISOLATED=1
  exec unshare --mount --pid --ipc --fork --kill-child --mount-proc "scripts/test-on.sh" "$system" "$folder" "$@"
fi

root=$folder/$system
# The tree has the same path in this namespace and in the root, so that paths stored by SwiftPM are valid in both.
tree=/mnt/mpris-playerd
toolchain=/opt/toolchain

# inside COMMAND…: runs a command in the root, as root, with an empty environment.
inside() {
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} "$@"
}

# as_tester COMMAND…: runs a command in the tree, as a user with a runtime directory and no desktop session.
as_tester() {
  inside runuser -u tester -- env -C "$tree" HOME=/home/tester XDG_RUNTIME_DIR=/run/user/tester \
    PATH="$toolchain/bin:/usr/local/bin:/usr/bin:/bin" LD_LIBRARY_PATH="$toolchain-libraries" "$@"
}

# Makes the root of a new system, which is kept and copied, or upgrades an existing root.
prepare_root() {
  local new=$folder/$system-new
  # debootstrap removes its own folder as its last step.
  if [ ! -x "$new/usr/bin/apt-get" ] || [ -d "$new/debootstrap" ]; then
    # shellcheck disable=SC2016 # the field is apt's
    local mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' | head -n 1)}
    [ -n "$mirror" ] || die "apt knows no Debian mirror: set MIRROR"
    rm -rf --one-file-system "$new"
    debootstrap --variant=minbase "$system" "$new" "$mirror"
  fi
  if [ ! -e "$root/etc/apt/apt.conf.d/90log" ]; then
    rm -rf --one-file-system "$root"
    cp --archive "$new" "$root"
  fi
  mount_in_root
  # Prevents packages from starting services.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  # The signature is checked but not the date, so that a mirror may be a snapshot.
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90snapshot"
  echo 'Dpkg::Use-Pty "false";' >"$root/etc/apt/apt.conf.d/90log"
  inside apt-get -q -y update
  inside apt-get -q -y full-upgrade
}

# Mounts a minimal /dev, the processes of this namespace, and an empty /run, without this machine's bus and sound.
mount_in_root() {
  local device
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
}

# Puts a clone of HEAD into the root; the build of an earlier run is kept.
copy_tree() {
  local source=$PWD
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
  [ -d "$tree/.git" ] || git clone --quiet --no-hardlinks "$source" "$tree"
  git -C "$tree" fetch --quiet --force --tags "$source" HEAD
  git -C "$tree" checkout --quiet --force --detach FETCH_HEAD
  git -C "$tree" clean --quiet -d --force
}

# has_compiler: whether the release has a Swift compiler that is new enough.
has_compiler() { inside bash -c ". '$tree/scripts/common.sh' && [ -n \"\$(distributed_swift)\" ]"; }

# Builds the package, and sets DEB.
build_package() {
  if has_compiler; then
    build_source_package
  else
    make deb
    DEB=$(echo "$PWD"/.build-deb/mpris-playerd_*.deb)
  fi
}

# Builds the source package and its packages as Debian does: the archive has its name in Debian, and nothing is installed but the build
# dependencies.
build_source_package() {
  local root=$folder/$system-build out name version options=()
  rm -rf --one-file-system "$root"
  prepare_root
  out=$root/root/mpris-playerd-archive
  OUT=$out scripts/dist.sh
  name=$(basename "$out"/*.tar.xz .tar.xz)
  version=${name#mpris-playerd-}
  mv "$out/$name.tar.xz" "$out/mpris-playerd_$version.orig.tar.xz"
  tar -xf "$out/mpris-playerd_$version.orig.tar.xz" -C "$out"
  chown -R root:root "$out"
  inside apt-get -q -y build-dep --no-install-recommends "${out#"$root"}/$name" >&2
  say "$system: the source package and its packages, with the compiler of $system and without a network"
  inside unshare --net env -C "${out#"$root"}/$name" dpkg-buildpackage --unsigned-source --unsigned-buildinfo --unsigned-changes >&2
  say "$system: lintian"
  inside apt-get -q -y install --no-install-recommends lintian >&2
  # AppStream warns of a missing address.
  [ -n "$(release url)" ] || options+=(--suppress-tags appstream-metadata-validation-failed)
  inside lintian --allow-root --info --display-info --pedantic --fail-on error,warning "${options[@]}" \
    "${out#"$root"}/mpris-playerd_${version}-0upstream1_$(inside dpkg --print-architecture).changes"
  DEB=$(echo "$out"/mpris-playerd_*.deb)
}

# Runs the autopkgtest in a new root, with the dependencies of the package and of the test, and without recommended packages.
run_autopkgtest() {
  local root=$folder/$system-autopkgtest
  rm -rf --one-file-system "$root"
  prepare_root
  mkdir "$root/root/tree"
  git archive HEAD debian data | tar -x -C "$root/root/tree"
  autopkgtest --no-built-binaries "$DEB" "$root/root/tree" -- chroot "$root"
}

# Binds the Swift toolchain into the root, and copies the libraries that it needs and that are missing in the root.
add_toolchain() {
  local source library path
  source=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
  [ "$source" != /usr ] || die "the Swift toolchain is part of /usr and cannot be mounted elsewhere"
  mkdir -p "$root$toolchain"
  mount --bind "$source" "$root$toolchain"
  mount -o remount,bind,ro "$root$toolchain"
  inside apt-get -q -y install --no-install-recommends g++ git >&2

  local libraries=$root$toolchain-libraries
  rm -rf "$libraries"
  mkdir "$libraries"
  # A copied library may need other libraries.
  while
    local missing=0
    for library in $(missing_libraries); do
      path=$(ldd "$source"/bin/* 2>/dev/null | sed -n "s|^\s$library => \(/[^ ]*\) .*|\1|p" | head -n 1)
      if [ -z "$path" ] || [ -e "$libraries/$library" ]; then continue; fi
      cp --dereference "$path" "$libraries/$library"
      missing=1
    done
    [ "$missing" = 1 ]
  do :; done
}

# Prints the names of the libraries that the toolchain does not find in the root.
missing_libraries() {
  inside env LD_LIBRARY_PATH="$toolchain-libraries" sh -c "ldd $toolchain/bin/* 2>/dev/null" |
    sed -n 's/^\s\(\S*\) => not found$/\1/p' | sort -u
}

add_tester() {
  inside id tester >/dev/null 2>&1 || inside useradd --create-home tester
  mkdir -p "$root/run/user"
  inside install -d -o tester -g tester -m 700 /run/user/tester
}

# Tests the daemon of the package with the clients and desktops of the release.
run_clients() {
  local clients=(playerctl playerctld mpris-proxy kdeconnect rygel dbus-broker elogind gnome-shell plasma plasma-notifications xfce xfce4-notifyd swaync dunst mako waybar)
  # Debian 12 builds Waybar without its mpris module.
  [ "$system" != bookworm ] || unset 'clients[-1]'
  inside "$tree/scripts/install-deps.sh" clients desktops
  inside dpkg-deb --extract /root/mpris-playerd.deb /opt/mpris-playerd
  add_tester
  say "$system: every client"
  # The kernel refuses user namespaces, which the scripts make, to a process that has used chroot.
  # shellcheck disable=SC2016 # the inner shell expands them
  unshare --mount bash -ec 'mount --rbind "$0" "$0"; cd "$0"; pivot_root . .; umount --lazy .; exec "$@"' "$root" \
    /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin LANG=C.UTF-8 HOME=/home/tester SKIPS=fail \
    BINARY=/opt/mpris-playerd/usr/bin/mpris-playerd runuser -u tester -- "$tree/Tests/Clients/all.sh" "${clients[@]}"
}

run_tests() {
  add_toolchain
  # The sources of other packages are fetched outside of the root, for all traits as test.sh needs them; inside nothing is fetched.
  swift package --package-path "$tree" --scratch-path "$tree/.build-test" --enable-all-traits resolve
  add_tester
  inside chown -R tester:tester "$tree"
  say "$system: every test"
  as_tester scripts/test.sh "$@"
}

{
  say "$system: the root in $root"
  prepare_root
  mount --bind "$root/mnt" /mnt
  copy_tree
  # Missing packages are installed here, as root, so that the tests do not need to install any.
  inside "$tree/scripts/install-deps.sh" build run test pipewire
  [ -n "$DEB" ] || build_package
  if [ "$DEB" != none ]; then
    run_autopkgtest
    cp "$DEB" "$root/root/mpris-playerd.deb"
    inside "$tree/scripts/test-on/package.sh" /root/mpris-playerd.deb
  fi
  if [ "$DEB" != none ] && [ "${CLIENTS:-}" != none ]; then run_clients; fi
  if [ "${TESTS:-}" != none ]; then run_tests "$@"; fi
  say "$system: passed"
} 2>&1 | tee "$folder/$system.log"
