# SPDX-License-Identifier: Apache-2.0
"""Named checks, and at the end a count of those that failed."""
import sys
import time
import traceback

failures = []
done = 0


def check(name, passes):
    """Runs `passes`, which returns whether all is right. Exceptions fail the check, not the program."""
    global done
    start = time.time()
    try:
        good = bool(passes())
        problem = "" if good else "wrong result"
    except Exception as error:  # pylint: disable=broad-except
        good, problem = False, f"{type(error).__name__}: {str(error)[:400]}"
        traceback.print_exc(limit=-2)
    done += 1
    if not good:
        failures.append(name)
    print(f"{'ok    ' if good else 'FAILED'} {name} ({time.time() - start:.1f} s) {problem}", flush=True)


def finish():
    print(f"{done - len(failures)} of {done} checks passed")
    sys.exit(1 if failures or not done else 0)
