#!/usr/bin/env python3
"""Tests the gallery: drawing is reproducible, each palette is in it, and its pictures are small."""
import json
import subprocess
import sys

import common
from common import Case, SOURCE


class Gallery(Case):
    def draw(self, name):
        subprocess.run([sys.executable, str(SOURCE / "docs" / "gallery.py"), str(self.dir / name)],
                       check=True, timeout=600)
        folder = self.dir / name
        return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}

    def test_it_is_the_same_each_time_and_complete(self):
        first = self.draw("first")
        self.assertEqual(first, self.draw("second"))
        page = first.pop("gallery.md").decode()
        for file, picture in first.items():
            self.assertIn(f"({file})", page)
            self.assertLess(len(picture), 60000, file)
        palettes = [c["id"] for c in json.loads(self.good("plugin", "list", "--json").out)
                    if c["kind"] == "palette"]
        for palette in palettes:
            self.assertIn(f"gallery/palette-{palette}.svg", first)

    def test_the_page_that_is_checked_in_has_its_pictures(self):
        page = (SOURCE / "docs" / "gallery.md").read_text()
        there = {p.name for p in (SOURCE / "docs" / "gallery").iterdir()}
        told = {line.split("gallery/")[1].rstrip(")") for line in page.splitlines()
                if line.startswith("![")}
        self.assertEqual(there, told)


if __name__ == "__main__":
    common.main()
