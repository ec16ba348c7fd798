# SPDX-License-Identifier: MIT
"""Finds the places of JSON documents that damage concerns: keys, settings of the document, and elements of lists.

The scanner reads what brazier reads: also comments, and documents that are damaged.
"""
import bisect
import collections
import json
import re

# `path`: the keys and indices of the value; `is_key`: the token is the key of that member.
Token = collections.namedtuple("Token", "start end path is_key")

TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|//[^\n]*|/\*.*?\*/|[^\s{}\[\]:,"]+', re.S)


def tokens_of(data):
    """Returns the tokens of a document."""
    path, keys, found = [], [], []  # `keys`: whether each open value is an object that awaits a key
    for match in TOKEN.finditer(data):
        text = match[0]
        if text[:1] == b"/":
            continue
        is_key = bool(keys) and keys[-1] is True and text[:1] == b'"'
        if is_key:
            path[-1] = text[1:-1].decode(errors="replace")
        found.append(Token(match.start(), match.end(), tuple(path), is_key))
        if text in b"{[":
            path.append(None if text == b"{" else 0)
            keys.append(True if text == b"{" else None)
        elif text in b"}]" and path:
            path.pop()
            keys.pop()
        elif text == b"," and path:
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
            keys[-1] = True if keys[-1] is not None else None
        elif text == b":" and keys and keys[-1] is not None:
            keys[-1] = False
    return found


class Document:
    """The places of the values of a JSON document."""

    def __init__(self, data):
        self.tokens = tokens_of(data)
        self.starts = [token.start for token in self.tokens]

    def token_at(self, at):
        """Returns the token at a byte, or the one in front of it."""
        return self.tokens[max(bisect.bisect_right(self.starts, at) - 1, 0)]

    def path_at(self, at):
        """Returns the keys that lead to a byte, with [] for elements of lists, as a text."""
        return "".join("[]" if isinstance(key, int) else f".{key}" for key in self.token_at(at).path)

    def is_in_key(self, at):
        return self.token_at(at).is_key


def is_valid(data):
    """Returns whether a text is a JSON document, with nothing after it."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
