# SPDX-License-Identifier: Apache-2.0
# Which distribution this is, and its packages. Sourced by setup.sh.

os_release=${XEFORGE_OS_RELEASE:-/etc/os-release}

# Sets os_id, os_like, os_codename, os_name.
read_os() {
  os_id= os_like= os_codename= os_name=
  [[ -r $os_release ]] || return 0
  # Read in a subshell: the file may set any variable.
  eval "$(. "$os_release" >/dev/null 2>&1
    printf 'os_id=%q os_like=%q os_codename=%q os_name=%q' "${ID:-}" "${ID_LIKE:-}" "${VERSION_CODENAME:-}" "${PRETTY_NAME:-}")"
}

has_apt() {
  [[ " $os_id $os_like " == *" debian "* || " $os_id $os_like " == *" ubuntu "* ]] &&
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

die_unknown_distribution() {
  die "this is not a Debian or Ubuntu system (${os_name:-no $os_release}): setup does not know how to install packages here" \
    "Install the equivalents of these by hand: $(tr '\n' ' ' < <(read_list "$here/debian-packages.txt"))" \
    "then run again with XEFORGE_SYSTEM_PACKAGES=present, and for Intel's offline compiler set" \
    "XEFORGE_OCLOC (program), XEFORGE_IGA_ROOT (include/iga/, lib/libiga64.so.*) and XEFORGE_LEVEL_ZERO_INCLUDE (level_zero/ze_api.h)" \
    "or XEFORGE_DEBIAN_MIRROR (a Debian mirror; needs apt-get and dpkg) to have them unpacked privately."
}

read_list() { grep -hv -e '^#' -e '^$' "$@"; }

missing_packages() { # LIST-FILE...: prints the names that are not installed
  local wanted
  wanted=$(read_list "$@")
  # shellcheck disable=SC2086
  comm -23 <(sort -u <<<"$wanted") \
    <(dpkg-query -W -f '${db:Status-Abbrev}\t${Package}\n' $wanted 2>/dev/null | awk '$1 == "ii" || $1 == "hi" { print $2 }' | sort -u)
}

# apt_install WHY PACKAGE...
apt_install() {
  local why=$1
  shift
  if [[ $(id -u) -ne 0 ]]; then
    die "$why: packages are missing, and only root can install them" \
      "Run this once, then run setup again:" "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
  fi
  say "installing Debian packages: $*"
  export DEBIAN_FRONTEND=noninteractive
  run_whole_step "apt-get update" apt-get -o DPkg::Lock::Timeout=600 update
  run_whole_step "apt-get install" apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@"
}

install_system_packages() { # LIST-FILE...
  [[ ${XEFORGE_SYSTEM_PACKAGES:-} == present ]] && return 0
  has_apt || die_unknown_distribution
  local missing
  missing=$(missing_packages "$@")
  # shellcheck disable=SC2086
  [[ -z $missing ]] || apt_install "system packages" $missing
}
