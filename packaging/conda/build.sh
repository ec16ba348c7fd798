#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and installs the package of conda; conda-build sets PREFIX and SP_DIR.
set -eu

cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBRZ_TESTS=OFF -DBRZ_STATIC_DEPS=OFF
cmake --build build
cmake --install build
install -m 644 lib/python/brazier.py "$SP_DIR/brazier.py"
