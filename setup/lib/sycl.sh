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

# make_environment DIR REQUIREMENTS: an environment at DIR with exactly the wheels listed (hashes checked).
make_environment() {
  find_python
  if [[ -n $python_has_ensurepip ]]; then
    run_step "making the Python environment" "$python" -m venv "$1"
    local pip=("$1/bin/python" -m pip)
  else
    run_step "making the Python environment" "$python" -m venv --without-pip "$1"
    local pip=("$python" -m pip --python "$1/bin/python")
  fi
  run_step "installing the Python packages of ${2##*/}" \
    "${pip[@]}" --cache-dir "$downloads/pip" --disable-pip-version-check --no-input \
    install --no-deps --only-binary :all: --require-hashes -r "$2"
}

# A wheel holds no symbolic links: libx.so, libx.so.1 and libx.so.1.2 are three copies. One is enough.
link_equal_libraries() { # LIB-DIR
  local long short
  for long in "$1"/*.so.*; do
    for short in "${long%.*}" "${long%.*.*}" "${long%.*.*.*}"; do
      [[ $short == *.so* && -f $short && ! -L $short ]] && cmp -s "$long" "$short" && ln -sf "${long##*/}" "$short"
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
