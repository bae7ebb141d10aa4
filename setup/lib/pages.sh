# SPDX-License-Identifier: Apache-2.0
# The driver of the browser that tests the pages, optional: a Python environment of its own. Sourced by setup.sh.

install_pages() {
  pages_python=$deps/pages-$pages_key/bin/python
  [[ -f $deps/pages-$pages_key/.complete ]] && return 0
  if [[ -z $pages ]]; then
    pages_python=
    return 0
  fi
  need_space "$deps" 400 "the browser's driver"
  say "installing the browser's driver (about 50 MB to download)"
  local tmp=$deps/pages-$pages_key
  find_python
  rm -rf "$tmp"
  run_step "making a Python environment" "$python" -m venv "$tmp"
  run_step "installing requirements-pages.txt" "$tmp/bin/python" -m pip --disable-pip-version-check --no-input --no-cache-dir install \
    --no-deps --only-binary :all: --require-hashes -r "$here/requirements-pages.txt"
  : >"$tmp/.complete"
}
