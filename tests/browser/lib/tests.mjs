/* SPDX-License-Identifier: MIT */
/* Declares tests, of which a run may take a sample. */
import {test as declare} from "node:test";

import {isExhaustive} from "../fixtures/random.mjs";

const isSample = process.argv.includes("--sample") && !isExhaustive;

/* Returns whether a sample contains a test: a sixth of all names, the same in each run. */
const isInSample = name => Array.from(name).reduce((sum, c) => sum + c.codePointAt(0), 0) % 6 === 0;

/* Declares a test as node:test does, unless this run takes a sample without it. */
export function test(name, ...rest) {
    if (!isSample || isInSample(name)) declare(name, ...rest);
}
