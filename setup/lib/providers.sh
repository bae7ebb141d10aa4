# SPDX-License-Identifier: Apache-2.0
# The vendor's GEMM libraries, optional: headers and libraries out of their wheels. Sourced by setup.sh.

# Of the CPU library only what the SYCL library needs behind it: the whole is three times as big.
providers_wanted='^(include/|lib/libdnnl\.so\.3$|lib/libmkl_(sycl_blas|core|intel_ilp64|sequential|def|avx2|avx512)\.so\.)'

install_providers() {
  [[ -z ${XEFORGE_PROVIDERS_ROOT:-} ]] || { providers_root=$XEFORGE_PROVIDERS_ROOT; return 0; }
  providers_root=$deps/providers-$providers_key
  [[ -f $providers_root/.complete ]] && return 0
  if [[ -z $providers ]]; then
    providers_root=
    return 0
  fi
  need_space "$deps" 1000 "oneDNN and oneMKL" # the libraries and, for a while, their wheels
  say "installing oneDNN and oneMKL (about 340 MB to download)"
  local tmp=$deps/.tmp-providers
  find_python
  mkdir -p "$tmp" "$downloads/wheels"
  local pip=("$python" -m pip) list=$here/requirements-providers.txt
  "$python" -m pip --version >/dev/null 2>&1 || {
    run_step "making a Python environment" "$python" -m venv "$scratch/pip"
    pip=("$scratch/pip/bin/python" -m pip)
  }
  run_step "downloading the wheels of ${list##*/}" "${pip[@]}" --disable-pip-version-check --no-input --no-cache-dir download --no-deps \
    --only-binary :all: --require-hashes --dest "$downloads/wheels" --find-links "$downloads/wheels" -r "$list"
  local wheels=() requirement name
  while read -r requirement; do
    name=${requirement%% *}
    wheels+=("$downloads/wheels/$(tr - _ <<<"${name%%==*}")-${name##*==}"-*.whl)
  done < <(read_list "$list")
  run_step "unpacking the wheels" "$python" "$here/lib/unpack_wheels.py" "$tmp" "$providers_wanted" "${wheels[@]}"
  local file
  for file in lib/libdnnl.so.3 include/oneapi/dnnl/dnnl_sycl.hpp lib/libmkl_sycl_blas.so.6 lib/libmkl_core.so.3 include/oneapi/mkl/blas.hpp; do
    [[ -f $tmp/$file ]] || die "the wheels do not contain $file" "Were the versions in setup/requirements-providers.txt changed?"
  done
  : >"$tmp/.complete"
  publish "$tmp" "$providers_root"
}
