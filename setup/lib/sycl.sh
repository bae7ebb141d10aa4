# SPDX-License-Identifier: Apache-2.0
# The SYCL runtime in a private Python environment. Sourced by setup.sh.

# Sets python, and python_has_ensurepip. Several pythons may be around (pyenv, conda, the system's):
# the system's lasts longest, so it is asked first.
find_python() {
  local candidate found
  python=
  for candidate in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9; do
    found=$(command -v "$candidate") || continue
    "$found" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || continue
    "$found" -c 'import venv' 2>/dev/null || continue
    if "$found" -c 'import ensurepip' 2>/dev/null; then
      python=$found python_has_ensurepip=1
      return 0
    fi
    if [[ -z $python ]] && "$found" -m pip --version >/dev/null 2>&1; then
      python=$found python_has_ensurepip=
    fi
  done
  [[ -n $python ]] || die "no Python 3.9 or newer with the modules venv and ensurepip (or pip) was found" \
    "On Debian and Ubuntu: sudo apt-get install -y python3-venv"
}

# make_environment DIR REQUIREMENTS: an environment at DIR with exactly the wheels listed (hashes checked). Each wheel is
# downloaded for itself, so that an interrupted run goes on where it was.
make_environment() {
  find_python
  local pip requirement count=0 total
  if [[ -n $python_has_ensurepip ]]; then
    run_step "making the Python environment" "$python" -m venv "$1"
    pip=("$1/bin/python" -m pip)
  else
    run_step "making the Python environment" "$python" -m venv --without-pip "$1"
    pip=("$python" -m pip --python "$1/bin/python")
  fi
  pip+=(--disable-pip-version-check --no-input --no-cache-dir)
  mkdir -p "$downloads/wheels"
  total=$(read_list "$2" | wc -l)
  while read -r requirement; do
    count=$((count + 1))
    have_wheel "${requirement##*--hash=sha256:}" && continue
    say "  $count/$total ${requirement%% *}"
    printf '%s\n' "$requirement" >"$scratch/requirement.txt"
    run_step "downloading ${requirement%% *}" "${pip[@]}" download --no-deps --only-binary :all: --require-hashes \
      --dest "$downloads/wheels" --find-links "$downloads/wheels" -r "$scratch/requirement.txt"
  done < <(read_list "$2")
  run_step "installing the Python packages of ${2##*/}" "${pip[@]}" install --no-deps --require-hashes \
    --no-index --find-links "$downloads/wheels" --no-compile -r "$2"
}

have_wheel() { # SHA256
  [[ $(sha256sum "$downloads"/wheels/*.whl 2>/dev/null) == *"$1 "* ]]
}

# A wheel holds no symbolic links: libx.so, libx.so.1 and libx.so.1.2 are three copies. One is enough.
link_equal_libraries() { # LIB-DIR
  local long short
  for long in "$1"/*.so.*; do
    for short in "${long%.*}" "${long%.*.*}" "${long%.*.*.*}"; do
      [[ $short != "$long" && $short == *.so* && -f $short && ! -L $short ]] && cmp -s "$long" "$short" && ln -sf "${long##*/}" "$short"
    done
  done
  return 0
}

install_sycl() {
  [[ -z ${XEFORGE_SYCL_ROOT:-} ]] || { sycl_root=$XEFORGE_SYCL_ROOT; return 0; }
  sycl_root=$deps/sycl-$sycl_key
  [[ -f $sycl_root/.complete ]] && return 0
  need_space "$deps" "$XF_SYCL_NEED_MIB" "the SYCL runtime"
  say "installing the SYCL runtime ($(read_list "$here/requirements.txt" | sed -n '1s/ .*//p'); about 250 MB to download)"
  local tmp=$deps/.tmp-sycl
  make_environment "$tmp" "$here/requirements.txt"
  local file
  for file in lib/libsycl.so lib/libsycl-jit.so include/sycl/sycl.hpp; do
    [[ -f $tmp/$file ]] || die "the SYCL wheels do not contain $file" "Were the versions in setup/requirements.txt changed?"
  done
  link_equal_libraries "$tmp/lib"
  # Scripts name the directory they were made in.
  grep -rlIF "$tmp" "$tmp/bin" "$tmp/pyvenv.cfg" 2>/dev/null | xargs -r sed -i "s#$tmp#$sycl_root#g"
  : >"$tmp/.complete"
  publish "$tmp" "$sycl_root"
}
