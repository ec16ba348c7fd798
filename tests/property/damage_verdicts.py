# SPDX-License-Identifier: MIT
"""Names what can be wrong with the result of a damaged input."""

LOST = "lost without a message"
FRAME_LOST = "a frame lost without a message"
JOINED = "a stack that no record has"
MOVED = "a stack that no record has, with a message"
SPREAD = "several records lost"
MISCOUNTED = "the weight that is reported is not the one that is missing"
UNSTATED = "lost with a message that states no weight"
UNKNOWN = "lost with a weight that is said to be unknown"
IGNORED = "a line that is cut off is ignored without a message"
