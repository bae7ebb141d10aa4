# SPDX-License-Identifier: Apache-2.0
"""Unpacks what wheels would install below an environment's prefix: unpack_wheels.py DIR REGEX WHEEL..."""
import os
import re
import shutil
import sys
import zipfile


def main():
    into, wanted = sys.argv[1], re.compile(sys.argv[2])
    for wheel in sys.argv[3:]:
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                found = re.match(r"[^/]+\.data/data/(.+[^/])$", member.filename)
                if not found or not wanted.search(found[1]):
                    continue
                path = os.path.join(into, *[part for part in found[1].split("/") if part not in ("", "..")])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with archive.open(member) as source, open(path, "wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)


main()
