# SPDX-License-Identifier: MIT
"""Writes generated inputs of golden cases."""


def write(folder, cases, suffix=""):
    """Writes a file for each case: {name: bytes, or a function that returns them}."""
    folder.mkdir(exist_ok=True)
    for name, data in cases.items():
        (folder / f"{name}{suffix}").write_bytes(data() if callable(data) else data)
