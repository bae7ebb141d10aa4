#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what xeforge is built with and runs on: see docs/setup.md. Usage: setup/setup.sh [--dev] [--providers] [--pages] [--quiet]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(dirname "$here")
. "$here/pins.env"
. "$here/lib/common.sh"
. "$here/lib/system.sh"
. "$here/lib/sycl.sh"
. "$here/lib/intel.sh"
. "$here/lib/providers.sh"
. "$here/lib/tools.sh"

usage() {
  cat <<'TEXT'
Usage: setup/setup.sh [--dev] [--providers] [--pages] [--quiet]
Installs the pinned dependencies of xeforge. Instant when there is nothing to do; needs no network then.
  --dev     also what 'make check-all' and 'make format' need (clang, clang-tidy, clang-format)
  --providers   also the vendor's GEMM libraries that 'xeforge bench' can measure (oneDNN, oneMKL)
  --pages   also what 'make check-pages' needs (a browser and its driver, WebAssembly libraries)
  --quiet   say nothing when there was nothing to do
Environment:
  XEFORGE_HOME             where to install (default: $XDG_CACHE_HOME/xeforge or ~/.cache/xeforge)
  XEFORGE_SYSTEM_PACKAGES  'present': do not look after the distribution's packages
  XEFORGE_DEBIAN_MIRROR    a Debian mirror, where the machine's apt sources name none
  XEFORGE_SYCL_ROOT        use this SYCL runtime (include/, lib/libsycl.so)
  XEFORGE_OCLOC, XEFORGE_IGA_ROOT, XEFORGE_LEVEL_ZERO_INCLUDE   use these, all three
  XEFORGE_PROVIDERS_ROOT   use these oneDNN and oneMKL (include/, lib/)
TEXT
}

dev= providers= pages= quiet=
for argument in "$@"; do
  case $argument in
    --dev) dev=1 ;;
    --providers) providers=1 ;;
    --pages) pages=1 ;;
    --quiet) quiet=1 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; die "unknown argument: $argument" ;;
  esac
done

[[ $(uname -sm) == "Linux x86_64" ]] || die "xeforge runs on x86_64 Linux; this is $(uname -sm)"
[[ -n ${XEFORGE_HOME:-}${XDG_CACHE_HOME:-}${HOME:-} ]] || die "neither HOME nor XEFORGE_HOME is set" "XEFORGE_HOME=/some/dir make setup"
home=${XEFORGE_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/xeforge}
mkdir -p "$home" 2>/dev/null || die "cannot make the directory $home" "Choose a place of your own: XEFORGE_HOME=/some/dir make setup"
home=$(cd "$home" && pwd)
deps=$home/deps downloads=$home/downloads
sycl_key=$(content_key "$here/requirements.txt")
intel_key=$(content_key "$here/pins.env")
providers_key=$(content_key "$here/requirements-providers.txt")
read_os

package_lists=("$here/debian-packages.txt")
[[ -z $dev ]] || package_lists+=("$here/debian-packages-dev.txt")
[[ -z $pages ]] || package_lists+=("$here/debian-packages-pages.txt")

# Called with the lock held.
install_all() {
  # Temporary files of pip, too, belong where there is room for them.
  scratch=$deps/.tmp-scratch
  mkdir -p "$scratch" || die "cannot write in $deps" "Choose a place of your own: XEFORGE_HOME=/some/dir make setup"
  export TMPDIR=$scratch
  # Whatever the end is, nothing half-made stays.
  trap 'stop_step; rm -rf "$deps"/.tmp-*' EXIT
  trap 'interrupted interrupted 130' INT
  trap 'interrupted terminated 143' TERM HUP
  install_system_packages "${package_lists[@]}"
  install_sycl
  install_intel
  install_providers
  install_tools
}

interrupted() {
  printf 'setup: %s; nothing half-installed was left, and what was downloaded is kept\n' "$1" >&2
  exit "$2"
}

installed() {
  [[ -n ${XEFORGE_SYCL_ROOT:-} || -f $deps/sycl-$sycl_key/.complete ]] || return 1
  [[ -n ${XEFORGE_OCLOC:-} && -n ${XEFORGE_IGA_ROOT:-} && -n ${XEFORGE_LEVEL_ZERO_INCLUDE:-} ]] ||
    [[ -f $deps/intel-$intel_key/.complete ]] || return 1
  [[ -z $providers || -n ${XEFORGE_PROVIDERS_ROOT:-} || -f $deps/providers-$providers_key/.complete ]] || return 1
  tools_installed || return 1
  [[ ${XEFORGE_SYSTEM_PACKAGES:-} == present ]] && return 0
  has_apt || return 1
  [[ -z $(missing_packages "${package_lists[@]}") ]]
}

write_if_changed() { # FILE < content
  local content
  content=$(cat)
  [[ -f $1 && $(<"$1") == "$content" ]] && return 0
  printf '%s\n' "$content" >"$1.new" && mv "$1.new" "$1"
}

# The resolved places, for scripts (deps.env) and for CMake (deps.cmake).
write_paths() {
  mkdir -p "$repo/build"
  local name values=(XEFORGE_SYCL_ROOT "$sycl_root" XEFORGE_OCLOC "$intel_ocloc" XEFORGE_IGA_ROOT "$intel_iga"
    XEFORGE_LEVEL_ZERO_INCLUDE "$intel_ze" XEFORGE_PROVIDERS_ROOT "$providers_root" XEFORGE_PAGES_PYTHON "$pages_python"
    XEFORGE_CLANG_TIDY "$clang_tidy")
  local i env= cmake=
  for ((i = 0; i < ${#values[@]}; i += 2)); do
    env+=$(printf '%s=%q' "${values[i]}" "${values[i + 1]}")$'\n'
    cmake+="set(${values[i]} [==[${values[i + 1]}]==])"$'\n'
  done
  write_if_changed "$repo/build/deps.env" <<<"# Written by setup/setup.sh"$'\n'"$env"
  write_if_changed "$repo/build/deps.cmake" <<<"# Written by setup/setup.sh"$'\n'"$cmake"
}

if installed; then
  install_sycl
  install_intel
  install_providers
  install_tools
  write_paths
  [[ -n $quiet ]] || say "everything is there ($deps)"
  exit 0
fi
mkdir -p "$deps" "$downloads" 2>/dev/null || die "cannot write in $home" "Choose a place of your own: XEFORGE_HOME=/some/dir make setup"
take_lock
install_all
write_paths
say "done: $deps"
