#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What setup does when something is in its way. Needs no network and installs nothing: each test works on a copy of
# setup/ with a XEFORGE_HOME of its own, and programs in $work/bin stand for the machine's.
# Usage: failures_test.sh SETUP-DIR
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
setup_dir=$1
unset XEFORGE_OCLOC XEFORGE_IGA_ROOT XEFORGE_LEVEL_ZERO_INCLUDE XEFORGE_SYCL_ROOT XEFORGE_DEBIAN_MIRROR XEFORGE_SYSTEM_PACKAGES

prepare() {
  mkdir -p clone bin home
  cp -r "$setup_dir" clone/setup
  export XEFORGE_HOME=$work/home XEFORGE_OS_RELEASE=$work/os-release XEFORGE_SYSTEM_PACKAGES=present PATH=$work/bin:$PATH
  printf 'ID=debian\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Debian GNU/Linux 12"\n' >os-release
}

stand_in() { # NAME BODY
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}

key() { cat "$@" | sha256sum | cut -c1-12; }

pretend_installed() {
  sycl=home/deps/sycl-$(key clone/setup/requirements.txt)
  intel=home/deps/intel-$(key clone/setup/pins.env)
  mkdir -p "$sycl" "$intel"
  touch "$sycl/.complete" "$intel/.complete"
}

expect_nothing_left() {
  local left
  left=$(find home/deps -mindepth 1 -not -name .lock)
  [[ -z $left ]] || fail "left behind: $left"
}

test_second_run_does_nothing_and_writes_the_paths() {
  prepare
  pretend_installed
  for program in apt-get pip curl wget; do stand_in $program 'echo "must not be called"; exit 1'; done
  run clone/setup/setup.sh
  expect_rc 0
  expect_says "everything is there"
  . clone/build/deps.env
  [[ $XEFORGE_SYCL_ROOT == "$work/$sycl" && $XEFORGE_OCLOC == "$work/$intel/bin/ocloc" ]] || fail "paths: $XEFORGE_SYCL_ROOT $XEFORGE_OCLOC"
  grep -qF "set(XEFORGE_IGA_ROOT [==[$work/$intel/iga]==])" clone/build/deps.cmake || fail "deps.cmake: $(<clone/build/deps.cmake)"
  # An unchanged answer must not make CMake configure again.
  touch -d '2001-01-01' clone/build/deps.cmake
  clone/setup/setup.sh --quiet
  [[ $(date -r clone/build/deps.cmake +%Y) == 2001 ]] || fail "deps.cmake was written again"
}

test_a_changed_pin_is_another_directory() {
  prepare
  pretend_installed
  echo '# another version' >>clone/setup/pins.env
  stand_in df 'echo h; echo "x x x 5 x x"'
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "offline compiler"
  [[ -f $intel/.complete ]] || fail "the installation of the old pin is gone"
}

test_unknown_distribution() {
  prepare
  unset XEFORGE_SYSTEM_PACKAGES
  printf 'ID=plan9\nPRETTY_NAME="Plan 9"\n' >os-release
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "Plan 9"
  expect_says "libyaml-cpp-dev"
  expect_says "XEFORGE_OCLOC"
  expect_nothing_left
}

test_distributions_made_from_debian_are_known() {
  prepare
  pretend_installed
  unset XEFORGE_SYSTEM_PACKAGES
  printf 'ID=linuxmint\nID_LIKE="ubuntu debian"\n' >os-release
  stand_in dpkg-query 'shift 3; for p; do printf "ii \t%s\n" "$p"; done'
  stand_in apt-get 'exit 1'
  run clone/setup/setup.sh
  expect_rc 0
}

test_missing_packages_without_root_gives_the_command() {
  prepare
  unset XEFORGE_SYSTEM_PACKAGES
  stand_in id 'echo 1000'
  stand_in apt-get 'echo "must not be called"; exit 1'
  stand_in dpkg-query 'shift 3; for p; do [[ $p == ninja-build || $p == libfmt-dev ]] || printf "ii \t%s\n" "$p"; done'
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "sudo apt-get update && sudo apt-get install -y --no-install-recommends libfmt-dev ninja-build"
  expect_nothing_left
}

test_full_disk_is_seen_before() {
  prepare
  stand_in df 'echo Filesystem; echo "tmpfs 100 90 10 90% /"'
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "1400 MiB needed, 10 MiB free"
  expect_says "XEFORGE_HOME="
  expect_nothing_left
}

test_full_disk_while_installing() {
  prepare
  export XEFORGE_SYCL_ROOT=$work XEFORGE_DEBIAN_MIRROR=http://mirror.invalid/debian
  [[ -r /usr/share/keyrings/debian-archive-keyring.gpg ]] || return 0
  stand_in apt-get '[[ $1 == update ]] && exit 0; echo "E: Write error - write (28: No space left on device)"; exit 100'
  stand_in apt-config 'exit 0'
  stand_in apt-cache 'exit 0'
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "The disk is full"
  expect_nothing_left
}

test_no_network() {
  prepare
  export XEFORGE_SYCL_ROOT=$work XEFORGE_DEBIAN_MIRROR=http://127.0.0.1:9/debian
  command -v apt-get >/dev/null || return 0
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "The network or the mirror cannot be reached"
  expect_nothing_left
}

test_no_network_for_python() {
  prepare
  # An index where nobody listens, and no other source.
  export PIP_CONFIG_FILE=/dev/null PIP_INDEX_URL=http://127.0.0.1:9/simple PIP_RETRIES=1
  unset PIP_FIND_LINKS PIP_EXTRA_INDEX_URL PIP_NO_INDEX
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "The network or the mirror cannot be reached"
  expect_nothing_left
}

test_no_mirror_is_configured() {
  prepare
  export XEFORGE_SYCL_ROOT=$work
  stand_in apt-get 'exit 0'
  stand_in apt-cache 'exit 0'
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "XEFORGE_DEBIAN_MIRROR"
  expect_nothing_left
}

test_a_changed_download_is_refused() {
  prepare
  export XEFORGE_SYCL_ROOT=$work XEFORGE_DEBIAN_MIRROR=http://mirror.invalid/debian
  stand_in apt-get '[[ $1 == update || $1 == -s ]] && exit 0; echo "E: Failed: Hash Sum mismatch"; exit 100'
  stand_in apt-config 'exit 0'
  stand_in apt-cache 'exit 0'
  [[ -r /usr/share/keyrings/debian-archive-keyring.gpg ]] || return 0
  run clone/setup/setup.sh
  expect_rc 1
  expect_says "not what is pinned"
  expect_nothing_left
}

test_an_interrupt_stops_at_once_and_leaves_nothing() {
  prepare
  export XEFORGE_SYCL_ROOT=$work XEFORGE_DEBIAN_MIRROR=http://mirror.invalid/debian
  stand_in apt-get '[[ $1 == update ]] && exit 0; touch "$0.started"; sleep 60'
  stand_in apt-config 'exit 0'
  stand_in apt-cache 'exit 0'
  [[ -r /usr/share/keyrings/debian-archive-keyring.gpg ]] || return 0
  clone/setup/setup.sh >out 2>&1 &
  local pid=$! begin=$SECONDS
  until [[ -e bin/apt-get.started ]]; do
    [[ $((SECONDS - begin)) -lt 30 ]] || fail "it never got to the download: $(<out)"
    sleep 0.05
  done
  kill -TERM "$pid"
  rc=0
  wait "$pid" || rc=$?
  output=$(<out)
  expect_rc 143
  expect_says "nothing half-installed was left"
  [[ $((SECONDS - begin)) -lt 40 ]] || fail "it waited for the step to end"
  expect_nothing_left
}

test_waits_for_another_setup_and_uses_its_work() {
  prepare
  mkdir -p home/deps
  ready=$work/ready
  ( exec 9>>home/deps/.lock; flock 9; touch "$ready"; sleep 1; pretend_installed ) &
  until [[ -e $ready ]]; do sleep 0.02; done
  run clone/setup/setup.sh
  wait
  expect_rc 0
  expect_says "another setup is at work"
  expect_silent_about "installing"
}

test_what_a_killed_run_left_is_removed() {
  prepare
  mkdir -p home/deps/.tmp-sycl/lib
  stand_in df 'echo h; echo "x x x 5 x x"'
  run clone/setup/setup.sh
  expect_rc 1
  expect_nothing_left
}

test_a_suite_that_moved_on() {
  prepare
  . clone/setup/lib/intel.sh
  stand_in apt-cache '
    case "$*" in
      "show libigc2=2.40.14-1") exit 0 ;;
      show*) exit 100 ;;
      pkgnames) printf "libigc2\nlibigdfcl3-dev\nlibigdfcl2-dev\nintel-ocloc\nintel-ocloc-legacy\n" ;;
      "policy intel-ocloc") printf "intel-ocloc:\n  Candidate: 27.1-1\n" ;;
      "policy libigdfcl3-dev") printf "libigdfcl3-dev:\n  Candidate: 3.0-1\n" ;;
    esac'
  [[ $(resolve_package libigc2=2.40.14-1) == libigc2=2.40.14-1 ]] || fail "the pin is there and was not taken"
  [[ $(resolve_package intel-ocloc=26.1-1) == intel-ocloc=27.1-1 ]] || fail "newer version"
  [[ $(resolve_package libigdfcl2-dev=2.40.14-1) == libigdfcl3-dev=3.0-1 ]] || fail "successor"
  if resolve_package libnothing=1 >/dev/null; then fail "a package that does not exist"; fi
}

test_mirrors_are_those_of_the_machine() {
  prepare
  . clone/setup/lib/intel.sh
  stand_in apt-get 'printf "%s\n" "http://a.invalid/debian bookworm main" "http://a.invalid/debian bookworm contrib" \
    "http://a.invalid/debian bookworm-updates main" "http://s.invalid/security bookworm-security main" \
    "file:/srv/mirror bookworm main" "http://a.invalid/debian trixie main"'
  run debian_mirrors
  [[ $output == $'http://a.invalid/debian\nfile:/srv/mirror' ]] || fail "$output"
  XEFORGE_DEBIAN_MIRROR=http://mine.invalid/debian
  run debian_mirrors
  [[ $output == http://mine.invalid/debian ]] || fail "$output"
}

test_equal_libraries_become_links() {
  prepare
  . clone/setup/lib/sycl.sh
  mkdir lib
  echo same | tee lib/liba.so lib/liba.so.1 lib/liba.so.1.2.3 lib/libb.so.1 >/dev/null
  echo other >lib/libb.so
  link_equal_libraries lib
  [[ -L lib/liba.so && -L lib/liba.so.1 && ! -L lib/liba.so.1.2.3 ]] || fail "$(ls -l lib)"
  [[ $(<lib/liba.so) == same && $(<lib/libb.so) == other ]] || fail "contents: $(ls -l lib)"
}

test_unknown_argument() {
  prepare
  run clone/setup/setup.sh --frobnicate
  expect_rc 1
  expect_says "--frobnicate"
  expect_says "Usage:"
}

run_tests
