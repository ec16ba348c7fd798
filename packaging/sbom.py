#!/usr/bin/env python3
"""Prints an SBOM in SPDX 2.3 (tag-value): what the programs of the tarball contain.

usage: sbom.py VERSION NAMES-OF-LIBRARIES...    the libraries that are linked from archives
"""
import datetime
import os
import subprocess
import sys
import urllib.parse

# Library: (name for pkg-config or None, Debian package, licence, home page).
LIBRARIES = {
    "libyaml": ("yaml-0.1", "libyaml-dev", "MIT", "https://pyyaml.org/wiki/LibYAML"),
    "zlib": ("zlib", "zlib1g-dev", "Zlib", "https://zlib.net"),
    "zstd": ("libzstd", "libzstd-dev", "BSD-3-Clause", "https://facebook.github.io/zstd"),
    "pcre2": ("libpcre2-8", "libpcre2-dev", "BSD-3-Clause", "https://www.pcre.org"),
    "protobuf-c": ("libprotobuf-c", "libprotobuf-c-dev", "BSD-2-Clause", "https://github.com/protobuf-c/protobuf-c"),
    "expat": ("expat", "libexpat1-dev", "MIT", "https://libexpat.github.io"),
    "libiberty": (None, "libiberty-dev", "LGPL-2.0-or-later", "https://gcc.gnu.org/onlinedocs/libiberty"),
}


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


def main():
    version, names = sys.argv[1], sorted(sys.argv[2:])
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = ["SPDXVersion: SPDX-2.3", "DataLicense: CC0-1.0", "SPDXID: SPDXRef-DOCUMENT",
             f"DocumentName: brazier-{version}",
             f"DocumentNamespace: https://spdx.org/spdxdocs/brazier-{version}-{seconds}",
             "Creator: Tool: packaging/sbom.py", f"Created: {created}", ""]
    lines += describe("brazier", version, "MIT", None)
    for name in names:
        module, package, licence, home = LIBRARIES[name]
        lines += describe(name, version_of(module, package), licence, home, package)
    lines.append("Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-Package-brazier")
    lines += [f"Relationship: SPDXRef-Package-brazier STATIC_LINK SPDXRef-Package-{name}" for name in names]
    print("\n".join(lines))


main()
