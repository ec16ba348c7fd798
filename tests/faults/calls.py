#!/usr/bin/env python3
"""Each system call of a run fails, alone and with all of its kind that follow; reads and writes that
are short or interrupted change nothing."""
import errno

import common

ERRORS = {"read": errno.EIO, "pread": errno.EIO, "write": errno.ENOSPC, "fsync": errno.EIO,
          "close": errno.EIO, "rename": errno.EXDEV, "open": errno.EMFILE, "stat": errno.EIO,
          "fchmod": errno.EPERM, "flock": errno.ENOLCK, "lseek": errno.ESPIPE,
          "opendir": errno.EMFILE, "readdir": errno.EIO, "poll": errno.EINVAL,
          "fork": errno.EAGAIN, "pipe": errno.EMFILE, "pthread_create": errno.EAGAIN}

# A run that writes a file makes each of these calls.
USUAL = ("read", "write", "fsync", "close", "rename", "open", "stat", "flock")


class Calls(common.Case):
    def fail_each(self, name):
        place = self.place(name)
        tries = []
        for call, error in ERRORS.items():
            total, calls = place.calls_to_fail("calls", call=call, how=error)
            if call in USUAL and place.pipeline.outputs:
                self.assertGreater(total, 0, call)
            tries += [("calls", {"call": call, "how": error, "at": at, **more})
                      for more in ({}, {"onwards": 1}) for at in calls]
        self.try_all(name, tries)


class Odd(common.Case):
    def be_odd(self, name):
        place = self.place(name)
        expected = place.expect()
        for odd in ({"short": 1}, {"interrupt": 1}, {"short": 1, "interrupt": 1}):
            self.assertEqual((0, ""), place.run("calls", **odd), odd)
            self.assertEqual(expected, (place.outputs(), place.printed), odd)
            self.assertEqual([], place.left_over(), odd)


for a_name in common.PIPELINES:
    method = f"test_{a_name.replace('-', '_')}"
    setattr(Calls, method, lambda self, name=a_name: self.fail_each(name))
    setattr(Odd, method, lambda self, name=a_name: self.be_odd(name))


if __name__ == "__main__":
    common.main()
