#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints an SBOM in SPDX 2.3 (tag-value): what the programs of the tarball contain.

usage: sbom.py VERSION ARCHIVES...    the archives of the system's libraries that are linked, such as libz.a
"""
import csv
import datetime
import os
import pathlib
import subprocess
import sys
import urllib.parse

# Describes each library, by the name of its archive. CMake refuses to configure with a library that the table lacks.
TABLE = pathlib.Path(__file__).parent / "libraries.csv"


def output(*command):
    try:
        found = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def package_version(package):
    """Returns the version of a Debian package, which may be there for several architectures, or ""."""
    return (output("dpkg-query", "-W", "-f", "${Version}\n", package).splitlines() or [""])[0]


def version_of(module, package):
    version = output("pkg-config", "--modversion", module) if module else ""
    return version or package_version(package) or "NOASSERTION"


def describe(name, version, licence, home, source=None):
    lines = [f"PackageName: {name}", f"SPDXID: SPDXRef-Package-{name}", f"PackageVersion: {version}",
             "PackageDownloadLocation: NOASSERTION", "FilesAnalyzed: false",
             f"PackageLicenseConcluded: {licence}", f"PackageLicenseDeclared: {licence}",
             "PackageCopyrightText: NOASSERTION"]
    if home:
        lines.append(f"PackageHomePage: {home}")
    built = package_version(source) if source else ""
    if built:
        lines.append(f"ExternalRef: PACKAGE-MANAGER purl pkg:deb/debian/{source}@{urllib.parse.quote(built)}")
    return lines + [""]


def find_libraries(archives):
    """Returns the rows of the table for these archives, in the order of the libraries' names."""
    with TABLE.open(newline="") as table:
        rows = {row["archive"]: row for row in csv.DictReader(table)}
    unknown = [archive for archive in archives if archive not in rows]
    if unknown:
        sys.exit(f"sbom.py: add these archives to {TABLE}: {' '.join(unknown)}")
    return sorted((rows[archive] for archive in archives), key=lambda row: row["name"])


def main():
    version, libraries = sys.argv[1], find_libraries(sys.argv[2:])
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = ["SPDXVersion: SPDX-2.3", "DataLicense: CC0-1.0", "SPDXID: SPDXRef-DOCUMENT",
             f"DocumentName: brazier-{version}",
             f"DocumentNamespace: https://spdx.org/spdxdocs/brazier-{version}-{seconds}",
             "Creator: Tool: packaging/sbom.py", f"Created: {created}", ""]
    lines += describe("brazier", version, "MIT", None)
    for row in libraries:
        lines += describe(row["name"], version_of(row["module"], row["package"]), row["licence"], row["home"],
                          row["package"])
    lines.append("Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-Package-brazier")
    lines += [f"Relationship: SPDXRef-Package-brazier STATIC_LINK SPDXRef-Package-{row['name']}"
              for row in libraries]
    print("\n".join(lines))


main()
