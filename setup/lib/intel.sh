# SPDX-License-Identifier: Apache-2.0
# Intel's offline compiler, IGA and the Level Zero headers. Sourced by setup.sh.
#
# They come from a newer Debian than most machines run. Their packages are unpacked, with the C library that
# they were linked against, into a directory of their own, and nothing on the machine is touched. apt does the
# downloading with a configuration and a state of its own, so signatures are verified as always.

# Mirrors in the order to try: the user's, then those of the machine's own apt sources (apt itself lists them,
# whatever format they are written in).
debian_mirrors() {
  [[ -z ${XEFORGE_DEBIAN_MIRROR:-} ]] || { printf '%s\n' "$XEFORGE_DEBIAN_MIRROR"; return 0; }
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk '$3 == "main" && $2 !~ /-security|-updates|-backports|\// { print $1 }' | awk '!seen[$0]++'
}

# private_apt DIR MIRROR: a configuration at DIR/apt.conf for suite XF_INTEL_SUITE only. It keeps the machine's
# settings (proxy, certificates, credentials) but none of its hooks, and sees no installed package.
private_apt() {
  local dir=$1 keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [[ -r $keyring ]] || die "$keyring is missing: packages of Debian could not be verified" \
    "sudo apt-get install -y debian-archive-keyring"
  mkdir -p "$dir/lists/partial" "$downloads/apt/archives/partial"
  : >"$dir/status"
  printf 'deb [signed-by=%s arch=amd64] %s %s main\n' "$keyring" "$2" "$XF_INTEL_SUITE" >"$dir/sources.list"
  {
    apt-config dump | awk '!/Invoke/ && !/^(APT::(Update|Install|Default-Release|Architectures?|Architecture-Variants?)|DPkg|Dir::Etc::(sourcelist|sourceparts|parts|main)|Dir::State|Dir::Cache)[: ]/'
    cat <<CONF
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::sourcelist "$dir/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "$dir";
Dir::State::lists "$dir/lists";
Dir::State::status "$dir/status";
Dir::State::extended_states "$dir/extended_states";
Dir::Cache "$dir";
Dir::Cache::archives "$downloads/apt/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Dir::Log "$dir";
APT::Architecture "amd64";
APT::Architectures "amd64";
APT::Install-Recommends "false";
APT::Sandbox::User "$(id -un)";
APT::Get::List-Cleanup "false";
Acquire::Languages "none";
Acquire::Retries "2";
Debug::NoLocking "true";
CONF
  } >"$dir/apt.conf"
}

# resolve_package NAME=VERSION: prints what to ask apt for: the pin, or the suite's present version of it, or of the
# package that took its place (libigc2 -> libigc3).
resolve_package() {
  local name=${1%%=*} version=${1#*=} policy candidate family
  if apt-cache show "$name=$version" >/dev/null 2>&1; then
    printf '%s\n' "$1"
    return 0
  fi
  family=$(sed -E 's/[0-9]+(-dev|$)/[0-9]+\1/' <<<"$name")
  name=$(apt-cache pkgnames | grep -xE "$family" | sort -V | tail -n 1)
  [[ -n $name ]] || return 1
  policy=$(apt-cache policy "$name")
  candidate=$(sed -n 's/^ *Candidate: //p' <<<"$policy")
  [[ -n $candidate && $candidate != '(none)' ]] || return 1
  printf '%s=%s\n' "$name" "$candidate"
}

write_ocloc() { # FILE: the wrapper for an unpacked prefix; finds everything from its own place
  cat >"$1" <<'WRAPPER'
#!/bin/sh
# Runs the offline compiler with the C library it was built for. The caller's library path would mix two C libraries.
root=$(dirname "$(dirname "$(readlink -f "$0")")")/root
unset LD_LIBRARY_PATH LD_PRELOAD
for program in "$root"/usr/bin/ocloc-[0-9]* "$root"/usr/bin/ocloc; do
  if [ -f "$program" ]; then
    exec "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" "$program" "$@"
  fi
done
echo "ocloc: no offline compiler in $root; run 'make setup' again" >&2
exit 127
WRAPPER
  chmod +x "$1"
}

# copy_iga FROM-LIBDIR FROM-INCLUDE TO: libiga64 alone, because a run path to its own directory would also offer the
# newer C library that lies beside it.
copy_iga() {
  local lib
  mkdir -p "$3/lib" "$3/include"
  lib=$(find "$1" -maxdepth 1 -name 'libiga64.so.[0-9]' | sort -V | tail -n 1)
  [[ -n $lib ]] || die "libiga64 is not in the compiler's packages" "Check XF_INTEL_PACKAGES in setup/pins.env."
  cp -L "$lib" "$3/lib/"
  ln -s "${lib##*/}" "$3/lib/libiga64.so"
  cp -r "$2/iga" "$3/include/"
}

# A compiler that does not compile is found here and not in the middle of somebody's build.
check_ocloc() { # OCLOC
  local dir=$scratch/check
  mkdir -p "$dir"
  printf 'kernel void probe(global int* p) { p[get_global_id(0)] = 1; }\n' >"$dir/probe.cl"
  run_step "the offline compiler's first compilation" \
    "$1" compile -file "$dir/probe.cl" -device dg2-g10 -output probe -out_dir "$dir"
  [[ -n $(find "$dir" -name 'probe*.bin') ]] || { cat "$step_log" >&2; die "the offline compiler wrote no device binary"; }
}

download_intel() { # APT-DIR
  local mirrors mirror pin resolved ok= packages=()
  mirrors=$(debian_mirrors) || true
  [[ -n $mirrors ]] || die "no Debian mirror is configured on this machine" \
    "The offline compiler comes from Debian $XF_INTEL_SUITE. Name any mirror of it: XEFORGE_DEBIAN_MIRROR=URL make setup"
  for mirror in $mirrors; do
    private_apt "$1" "$mirror"
    export APT_CONFIG=$1/apt.conf
    step_log=$scratch/step.log
    # apt-get update leaves with 0 when a mirror could not be reached; it then knows no package.
    if apt-get update >"$step_log" 2>&1 && apt-cache show "intel-ocloc" >/dev/null 2>&1; then ok=1; break; fi
  done
  [[ -n $ok ]] || {
    printf '\nfailed to fetch: Debian %s from the mirrors of this machine\n' "$XF_INTEL_SUITE" >>"$step_log" || true
    fail_step "reading Debian $XF_INTEL_SUITE" 1
  }
  for pin in $XF_INTEL_PACKAGES; do
    resolved=$(resolve_package "$pin") || die "Debian $XF_INTEL_SUITE has no ${pin%%=*}, nor a successor of it" \
      "Update XF_INTEL_PACKAGES in setup/pins.env."
    [[ $resolved == "$pin" ]] || say "note: $XF_INTEL_SUITE has moved on: $resolved instead of the pinned $pin"
    packages+=("$resolved")
  done
  printf '%s\n' "${packages[@]}" >"$1/packages"
  run_step "downloading the offline compiler" apt-get install -y -d --no-install-recommends "${packages[@]}"
  # What apt resolved, with the dependencies: exactly the archives to unpack.
  apt-get install -s --no-install-recommends "${packages[@]}" 2>/dev/null |
    sed -nE 's/^Inst ([^ ]+) \(([^ ]+) .*/\1=\2/p' >"$1/closure"
  unset APT_CONFIG
}

archive_of() { # NAME=VERSION: where apt put it (it writes a colon as %3a)
  local version=${1#*=}
  printf '%s/apt/archives/%s_%s_*.deb' "$downloads" "${1%%=*}" "${version//:/%3a}"
}

# The distribution's own compiler, if it has one that is new enough. ocloc loads libigc and libigdfcl by name, so its
# package only recommends them.
native_intel_packages() {
  local candidate generation
  has_apt || return 1
  candidate=$(apt-cache policy intel-ocloc 2>/dev/null | sed -n 's/^ *Candidate: //p')
  [[ -n $candidate && $candidate != '(none)' ]] || return 1
  dpkg --compare-versions "$candidate" ge "$XF_INTEL_NATIVE_MIN" || return 1
  generation=$(apt-cache pkgnames libigdfcl | sed -nE 's/^libigdfcl([0-9]+)-dev$/\1/p' | sort -n | tail -n 1)
  [[ -n $generation ]] || return 1
  printf '%s\n' intel-ocloc "libigc$generation" "libigdfcl$generation" "libigdfcl$generation-dev" libze-dev
}

install_intel() {
  if [[ -n ${XEFORGE_OCLOC:-} && -n ${XEFORGE_IGA_ROOT:-} && -n ${XEFORGE_LEVEL_ZERO_INCLUDE:-} ]]; then
    intel_ocloc=$XEFORGE_OCLOC intel_iga=$XEFORGE_IGA_ROOT intel_ze=$XEFORGE_LEVEL_ZERO_INCLUDE
    return 0
  fi
  local final=$deps/intel-$intel_key
  intel_ocloc=$final/bin/ocloc intel_iga=$final/iga intel_ze=$final/level-zero/include
  [[ -f $final/.complete ]] && return 0
  has_apt || [[ -n ${XEFORGE_DEBIAN_MIRROR:-} ]] || die_unknown_distribution
  need_space "$deps" "$XF_INTEL_NEED_MIB" "the offline compiler"
  local tmp=$deps/.tmp-intel native
  mkdir -p "$tmp/bin" "$tmp/level-zero/include"
  if native=$(native_intel_packages); then
    install_intel_native "$tmp" "$native"
  else
    install_intel_unpacked "$tmp"
  fi
  check_ocloc "$tmp/bin/ocloc"
  : >"$tmp/.complete"
  publish "$tmp" "$final"
}

install_intel_native() { # TMP PACKAGES
  local missing program
  printf '%s\n' "$2" >"$scratch/native.txt"
  missing=$(missing_packages "$scratch/native.txt")
  # shellcheck disable=SC2086
  [[ -z $missing ]] || apt_install "Intel's offline compiler" $missing
  program=$(command -v ocloc) || program=$(compgen -G '/usr/bin/ocloc-[0-9]*' | sort -V | tail -n 1)
  [[ -x $program ]] || die "intel-ocloc is installed but has no ocloc program"
  printf '#!/bin/sh\nunset LD_LIBRARY_PATH LD_PRELOAD\nexec %q "$@"\n' "$program" >"$1/bin/ocloc"
  chmod +x "$1/bin/ocloc"
  copy_iga /usr/lib/x86_64-linux-gnu /usr/include "$1/iga"
  cp -r /usr/include/level_zero "$1/level-zero/include/"
  # shellcheck disable=SC2086
  dpkg-query -W -f '${Package}=${Version}\n' $2 >"$1/versions.txt"
}

install_intel_unpacked() { # TMP
  say "installing Intel's offline compiler from Debian $XF_INTEL_SUITE (about 85 MB to download)"
  local apt=$deps/.tmp-apt package
  download_intel "$apt"
  mkdir -p "$1/root"
  while read -r package; do
    # shellcheck disable=SC2046
    run_step "unpacking $package" dpkg -x $(archive_of "$package") "$1/root"
  done <"$apt/closure"
  cp "$apt/closure" "$1/versions.txt"
  rm -rf "$apt" "$1/root/usr/share"
  write_ocloc "$1/bin/ocloc"
  copy_iga "$1/root/usr/lib/x86_64-linux-gnu" "$1/root/usr/include" "$1/iga"
  cp -r "$1/root/usr/include/level_zero" "$1/level-zero/include/"
}
