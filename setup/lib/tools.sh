# SPDX-License-Identifier: Apache-2.0
# Tools of the checks, optional: deps/NAME-KEY is a Python environment with what requirements-NAME.txt lists. Sourced by setup.sh.

tool_place() { # NAME
  printf '%s\n' "$deps/$1-$(content_key "$here/requirements-$1.txt")"
}

# install_tool WANTED NAME MIB WHAT: sets tool_root; to nothing if the tool is neither there nor wanted.
install_tool() {
  tool_root=$(tool_place "$2")
  [[ -f $tool_root/.complete ]] && return 0
  if [[ -z $1 ]]; then
    tool_root=
    return 0
  fi
  need_space "$deps" "$3" "${4%% (*}"
  say "installing $4"
  find_python
  rm -rf "$tool_root"
  run_step "making a Python environment" "$python" -m venv "$tool_root"
  run_step "installing requirements-$2.txt" "$tool_root/bin/python" -m pip --disable-pip-version-check --no-input --no-cache-dir install \
    --no-deps --only-binary :all: --require-hashes -r "$here/requirements-$2.txt"
  : >"$tool_root/.complete"
}

install_tools() {
  install_tool "$pages" pages 400 "the browser's driver (about 50 MB to download)"
  pages_python=${tool_root:+$tool_root/bin/python}
  install_tool "$dev" tidy 400 "clang-tidy (about 60 MB to download)"
  clang_tidy=${tool_root:+$tool_root/bin/clang-tidy}
}

tools_installed() {
  [[ -z $pages || -f $(tool_place pages)/.complete ]] || return 1
  [[ -z $dev || -f $(tool_place tidy)/.complete ]]
}
