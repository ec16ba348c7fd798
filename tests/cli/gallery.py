#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the gallery: each palette is in it, and its pictures are small and those that are checked in."""
import functools
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import common
from common import Case, SOURCE

DOCS = SOURCE / "docs"
PAGES = ("gallery.md", "gallery-languages.md")

sys.path.insert(0, str(DOCS))
import gallery_languages  # noqa: E402
import gallery_terminal  # noqa: E402


class Gallery(Case):
    @staticmethod
    @functools.cache
    def draw():
        """Returns the files that are drawn. Draws them once."""
        with tempfile.TemporaryDirectory(prefix="brazier-gallery-") as folder:
            drawn = pathlib.Path(folder, "drawn")
            subprocess.run([sys.executable, str(SOURCE / "docs" / "gallery.py"), str(drawn)], check=True, timeout=600)
            return {str(p.relative_to(drawn)): p.read_bytes() for p in drawn.rglob("*") if p.is_file()}

    def test_it_is_complete(self):
        first = dict(self.draw())
        page = first.pop("gallery.md").decode() + first.pop("gallery-languages.md").decode()
        readme = (SOURCE / "README.md").read_text().replace("docs/", "")
        for file, picture in first.items():
            self.assertIn(f"({file})", page + readme)
            self.assertLess(len(picture), 60000, file)
        palettes = [c["id"] for c in json.loads(self.good("plugin", "list", "--json").out)
                    if c["kind"] == "palette"]
        for palette in palettes:
            self.assertIn(f"gallery/palette-{palette}.svg", first)

    def test_the_pages_that_are_checked_in_have_their_pictures(self):
        pages = [SOURCE / "README.md", *(DOCS / name for name in PAGES)]
        there = {p.name for p in (DOCS / "gallery").iterdir() if p.is_file()}
        named = {name for page in pages
                for name in re.findall(r"\bgallery/([\w-]+\.(?:svg|png))\)", page.read_text())}
        self.assertEqual(there, named)

    def test_what_is_checked_in_is_what_the_recordings_give(self):
        """It was drawn by another run, so that drawing gives the same each time."""
        for file, drawn in self.draw().items():
            self.assertEqual(drawn.decode(), (DOCS / file).read_text(), f"{file}: run ./dev gallery")

    def test_the_recording_of_a_terminal_shows_all_of_it_without_a_script(self):
        picture = (DOCS / "gallery" / "record.svg").read_text()
        console = (gallery_languages.RECORDINGS / "ray.console").read_bytes().decode()
        for line in gallery_terminal.parse(console):
            for row in gallery_terminal.rows(line.text):
                for _, text in row:
                    self.assertIn(f">{html.escape(text, quote=False)}</text>", picture)
        for loads in ("<script", "href", "url(", "@import", "<image", "<foreignObject"):
            self.assertNotIn(loads, picture)
        self.assertIn("prefers-reduced-motion", picture)

    def test_a_line_of_a_terminal_has_states_colours_and_rows(self):
        console = "$ ls\n\r\033[Kone\r\033[Ktwo\r\033[K\033[1mthr\033[0mee\nend\n"
        command, changing, end = gallery_terminal.parse(console)
        self.assertEqual((True, "ls"), (command.is_command, command.text))
        self.assertEqual(("one", "two"), changing.states)
        self.assertEqual([[("bold", "thr"), ("", "ee")]], list(gallery_terminal.rows(changing.text)))
        self.assertEqual("end", end.text)
        wide = "x" * (gallery_terminal.COLUMNS + 1)
        self.assertEqual([[("", wide[:-1])], [("", "x")]], list(gallery_terminal.rows(wide)))

    def test_each_language_has_its_program_and_its_recording(self):
        recordings = {language.kept for language in gallery_languages.LANGUAGES}
        recordings |= {gallery_languages.RECORDINGS / language.console for language in gallery_languages.LANGUAGES
                       if language.console}
        self.assertEqual(recordings, set(gallery_languages.RECORDINGS.iterdir()))
        for recording in recordings:
            self.assertLess(recording.stat().st_size, 30000, recording)
        for language in gallery_languages.LANGUAGES:
            self.assertTrue((gallery_languages.PROGRAMS / language.source).exists(), language.source)


if __name__ == "__main__":
    common.main()
