# SPDX-License-Identifier: Apache-2.0
"""Flips bytes in binaries that a vendor's library made, and runs them: an error each time, or a run to the end (a flipped
immediate may be harmless) or without end, but never a crash of the host program.

The binaries are taken from the library while it runs (XEFORGE_DUMP_MODULES) and are gone at the end; none is kept.
Usage: corrupted_binaries.py XEFORGE RUNNER COUNT
"""
import collections
import os
import pathlib
import random
import subprocess
import sys
import tempfile

xeforge, runner, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def capture(folder):
    environment = dict(os.environ, XEFORGE_DUMP_MODULES=str(folder))
    for provider, shapes in (("onednn", "64x64x64,64x64x64:s8,64x64x64:f32"), ("onemkl", "64x64x64:f16,64x64x64:f32:tn")):
        subprocess.run([xeforge, "bench", "--strict", "--providers", provider, "--shapes", shapes], env=environment,
                       check=True, stdout=subprocess.DEVNULL, timeout=600)
    return sorted(folder.glob("*.zebin"))


def flipped(original, numbers):
    data = bytearray(original)
    for _ in range(numbers.choice((1, 1, 2, 8, 64))):
        data[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
    return bytes(data)


def main():
    with tempfile.TemporaryDirectory(prefix="xeforge-corrupted-") as name:
        folder = pathlib.Path(name)
        binaries = [path.read_bytes() for path in capture(folder)]
        assert len(binaries) >= 4, f"only {len(binaries)} binaries were captured"
        numbers = random.Random(20260701)
        files = []
        for i in range(count):
            files.append(folder / f"corrupted-{i}.bin")
            files[-1].write_bytes(flipped(binaries[i % len(binaries)], numbers))
        # A kernel that spins without progress needs no more instructions than this to be known for one.
        environment = dict(os.environ, XEFORGE_WATCHDOG="2000000")
        done = subprocess.run([xeforge, "run", "--quiet", "--", runner, *map(str, files)], env=environment,
                              capture_output=True, text=True)
        lines = [line for line in done.stdout.splitlines() if line.startswith("corrupted ")]
        ends = collections.Counter(line.split()[1] for line in lines)
        print(f"{count} corrupted binaries: " + ", ".join(f"{n} {what}" for what, n in sorted(ends.items())))
        if len(lines) != count or ends["crash"]:
            print("\n".join(line for line in lines if " crash " in line), done.stderr[-2000:], sep="\n")
            sys.exit(1)
        assert ends["refused"] and ends["fault"], "too few errors for the flips to have met anything"


main()
