#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The vendor's libraries as examiners of the machine: every element of every product is compared, exactly.
# Usage: providers_test.sh XEFORGE SET RUN-BINARIES. Ends with 77 and a reason where the libraries are not installed.
set -euo pipefail
here=$(dirname "$0")
xeforge=$1 set=$2 runner=$3 providers=onednn,onemkl
for provider in ${providers//,/ }; do
  [[ -x $(dirname "$xeforge")/xeforge-provider-$provider ]] && continue
  echo "skipped: $provider is not installed; 'make providers' installs it"
  exit 77
done

bench() { # DEVICE ARGUMENTS...
  local device=$1
  shift
  echo "== bench --device $device $*"
  "$xeforge" bench --strict --device "$device" --providers "$providers" "$@"
}

fails_as_it_must() { # WHAT TEXT COMMAND...: the command must fail and say TEXT
  local what=$1 text=$2 output
  shift 2
  if output=$("$@" 2>&1); then
    echo "$output"
    echo "FAIL: $what passed"
    exit 1
  fi
  grep -qF "$text" <<<"$output" || { echo "$output"; echo "FAIL: $what does not say '$text'"; exit 1; }
  echo "== $what fails as it must: $(grep -oE '[0-9]+ of [0-9]+ elements are wrong' <<<"$output" | head -1)"
}

# Both threads of a fused pair hold half of the rows: exchanged, hardly an element is right.
exchanged_pair() {
  fails_as_it_must "the exchanged pair, $1" "elements are wrong" \
    env XEFORGE_EXCHANGE_PAIRS=1 "$xeforge" bench --providers onednn --shapes "256x256x128:$1"
}

# What oneMKL gets wrong by itself (docs/clients.md), and oneDNN right: a version that has mended it has to be noticed here.
wrong_by_onemkl() { # SHAPE
  providers=onednn bench a770 --shapes "$1"
  fails_as_it_must "oneMKL's $1" "elements are wrong" "$xeforge" bench --providers onemkl --shapes "$1"
}

corrupted() { python3 "$here/corrupted_binaries.py" "$xeforge" "$runner" "$1"; }

types=bf16,f16,f32,s8
case $set in
  small) # what CI runs
    bench a770 --shapes 64x64x64,100x70x90 --types $types
    bench a770 --shapes 97x96x96,96x97x96,96x96x97 --types bf16,s8
    bench a770 --shapes 70x50x90 --types bf16,s8 --transposes nn,nt,tn,tt --factors 2:1
    bench a770 --shapes 40x50x60:bf16:b3,40x50x60:f32:b3:col
    bench b580 --shapes 64x64x64,100x70x90 --types bf16,f32
    exchanged_pair bf16
    corrupted 25
    ;;
  residues) # each residue of the tile sizes in each dimension, one dimension at a time
    bench a770 --shapes residues --types $types --csv
    ;;
  residues_b580)
    bench b580 --shapes 65-128x96x96,96x65-128x96,96x96x65-128 --types bf16,f32,s8 --csv
    ;;
  forms) # types, transposes, layouts, factors and batches with each other
    bench a770 --shapes 100x70x90 --types $types --transposes nn,nt,tn,tt --layouts row,col --factors 1:0,2:-1,3:1 --csv
    bench a770 --shapes 64x48x72 --types u8,u8s8,s8u8 --transposes nn,nt,tn,tt --layouts row,col --factors 1:0,2:1 --csv
    bench a770 --shapes 100x70x90 --types bf16,f16,f32 --factors 0.5:0.25,-1.5:2 --csv
    bench a770 --shapes 50x60x70 --types $types --transposes nn,tt --layouts row,col --batch 5 --factors 1:0,2:1 --csv
    bench b580 --shapes 100x70x90 --types $types --transposes nn,nt,tn,tt --factors 1:0,2:1 --csv
    exchanged_pair bf16
    exchanged_pair s8
    ;;
  tiny) # matrices that are smaller than what one message moves
    for device in a770 b580; do
      bench $device --shapes 1-4x1-4x1-4 --types $types --transposes nn,nt,tn,tt --csv
    done
    ;;
  large)
    bench a770 --shapes 1024x1536x512 --types $types
    bench a770 --shapes 4096x4096x4096
    # oneMKL packs for odd pitches, and then C must not lie between its two limits. 1024x1536x1 is right in bf16.
    wrong=(1023x1535x511 1025x1537x513 997x1499x509) wrong_s8=1024x1536x1
    right=$(grep '^[0-9]' "$here/../../data/shapes/tails.txt" | grep -vxF -e "$wrong_s8" -f <(printf '%s\n' "${wrong[@]}") | paste -sd,)
    bench a770 --shapes "$right" --types bf16,s8
    bench a770 --shapes $wrong_s8
    for shape in "${wrong[@]}" "${wrong[@]/%/:s8}" $wrong_s8:s8; do wrong_by_onemkl "$shape"; done
    bench a770 --shapes 511x1535x511,2047x1537x513 --types bf16,f16,s8
    bench b580 --shapes tails --types bf16,s8
    bench b580 --shapes 1024x1536x512
    ;;
  corrupted)
    corrupted 1000
    ;;
  *)
    echo "there is no set '$set': small, residues, residues_b580, forms, tiny, large, corrupted"
    exit 2
    ;;
esac
