#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each allocation and each mapping of a run fails, alone and with all that follow it."""
import common


class Memory(common.Case):
    pass


def memory_test(name):
    def test(self):
        _, alone, onwards = self.place(name).calls_to_fail("allocation")
        tries = [("allocation", {"at": at}) for at in alone] + [("allocation", {"at": at, "onwards": 1}) for at in onwards]
        self.try_all(name, tries, word="memory")
    return test


for a_name in common.PIPELINES:
    setattr(Memory, f"test_{a_name.replace('-', '_')}", memory_test(a_name))


if __name__ == "__main__":
    common.main()
