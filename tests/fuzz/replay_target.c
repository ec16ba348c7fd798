/* SPDX-License-Identifier: MIT */
/* Runs the fuzz target that it is linked with over files.
 *
 *     replay_TARGET FILE-OR-FOLDER...
 */
#include "fuzz.h"

int main(int argc, char **argv)
{
    (void)argc;
    return fuzz_replay(argv + 1);
}
