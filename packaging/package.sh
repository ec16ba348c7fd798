#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds Debian packages, RPM packages, and a relocatable tarball with its SBOM, of the files that git knows:
# packaging/package.sh FOLDER [deb|rpm|tar]... The same source gives the same bytes: times in the packages are those of
# SOURCE_DATE_EPOCH, by default of the last commit.

set -eu
umask 022
cd "$(dirname "$0")/.."
top=$PWD

folder=${1:?"usage: package.sh FOLDER [deb|rpm|tar]..."}
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
version=$(sed -n 's/^project(brazier VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
tag=$(git tag --points-at HEAD --list "v$version")
BRAZIER_COMMIT=
[ -n "$tag" ] || BRAZIER_COMMIT=$(git rev-parse --short=12 HEAD)
export BRAZIER_COMMIT
jobs=${BRAZIER_JOBS:-$(nproc)}

# Copies the source to a folder.
copy_source() {
    rm -rf "$1"
    mkdir -p "$1"
    (cd "$top" && git ls-files -z --cached --others --exclude-standard |
        tar -c --null --files-from=- --ignore-failed-read 2>/dev/null) | tar -x -C "$1"
}

write_changelog() {
    cat <<END
brazier ($version) unstable; urgency=medium

  * Build of the source tree; /usr/share/doc/brazier lists the changes.

 -- The brazier authors <brazier@localhost>  $(date -R -d "@$SOURCE_DATE_EPOCH")
END
}

build_deb() {
    rm -f "$folder"/*.deb
    copy_source "$folder/deb/source"
    cp -r packaging/debian "$folder/deb/source/debian"
    write_changelog >"$folder/deb/source/debian/changelog"
    (cd "$folder/deb/source" &&
        DEB_BUILD_OPTIONS="parallel=$jobs ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage -b -us -uc) \
        >"$folder/deb/log" 2>&1 || {
        tail -n 40 "$folder/deb/log"
        exit 1
    }
    mv "$folder"/deb/*.deb "$folder/"
}

# Makes an archive that depends on nothing but the names and bytes of its files.
archive() { # FILE FOLDER NAME
    (cd "$2" && tar -c --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --mode=go=rX,u+rw,a-s "$3" | gzip -9n >"$1")
}

# Writes Fedora's layout of folders on any system.
build_rpm() {
    rm -f "$folder"/*.rpm
    copy_source "$folder/rpm/source/brazier-$version"
    archive "$folder/rpm/brazier-$version.tar.gz" "$folder/rpm/source" "brazier-$version"
    rpmbuild -bb --nodeps --define "_topdir $folder/rpm" --define "_sourcedir $folder/rpm" \
        --define "_lib lib64" --define "_libdir /usr/lib64" --define "_libexecdir /usr/libexec" \
        --define "_smp_mflags -j$jobs" --define "brazier_version $version" \
        packaging/rpm/brazier.spec >"$folder/rpm/log" 2>&1 || {
        tail -n 40 "$folder/rpm/log"
        exit 1
    }
    mv "$folder"/rpm/RPMS/*/*.rpm "$folder/"
}

# Lists the archives of the system that the build links: Ninja knows their absolute paths, but relative ones of the
# archives that it builds.
linked_archives() {
    grep -oE ' /[^ ]+/lib[a-z0-9-]+\.a\b' "$build/build.ninja" | sed 's|.*/||' | sort -u
}

# Links libraries from their archives, so that the program of the tarball needs only libc and, for perf-data,
# elfutils and liblzma. Its programs find their plug-ins relative to themselves. Continues the build of the
# Debian packages if there is one, whose objects are the same.
build_tar() {
    name=brazier-$version-linux-$(uname -m)
    build=$(ls -d "$folder"/deb/source/obj-* 2>/dev/null || true)
    if [ -z "$build" ]; then
        copy_source "$folder/deb/source"
        build=$folder/deb/source/obj-tar
        CFLAGS="-O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$folder/deb/source=."
        export CFLAGS LDFLAGS="-Wl,-z,relro -Wl,-z,now"
    fi
    (
        cmake -S "$folder/deb/source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBRZ_TESTS=OFF \
            -DBRZ_STATIC_DEPS=ON -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_PREFIX="/opt/$name"
        cmake --build "$build" --parallel "$jobs"
        rm -rf "$folder/tar"
        DESTDIR="$folder/tar" cmake --install "$build" --strip
    ) >"$folder/tar.log" 2>&1 || {
        tail -n 40 "$folder/tar.log"
        exit 1
    }
    cp LICENSE README.md CHANGELOG.md "$folder/tar/opt/$name/"
    # shellcheck disable=SC2046
    python3 packaging/sbom.py "$version" $(linked_archives) >"$folder/$name.spdx"
    cp "$folder/$name.spdx" "$folder/tar/opt/$name/brazier.spdx"
    find "$folder/tar" -type d -empty -delete
    archive "$folder/$name.tar.gz" "$folder/tar/opt" "$name"
}

[ $# -gt 0 ] || set -- deb tar rpm
for kind; do
    case $kind in
    deb | rpm | tar) "build_$kind" ;;
    *)
        echo "package.sh: '$kind' is not a kind of package: deb, rpm or tar" >&2
        exit 2
        ;;
    esac
done
