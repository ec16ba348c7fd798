import assert from "node:assert/strict";
import {test} from "node:test";

import {assertNear, click, frame, frames, open, press, rows, state, text} from "./lib/viewer.mjs";

const folded = `
main;parse;read 10
main;parse;lex;next 30
main;parse 20
main;run;step;add 25
main;run;step;jump 15
idle 20
`;

test("before anything is done, every frame stands where its weight says", async t => {
    const page = await open(t, folded);
    assert.deepEqual(await rows(page), [
        "all 120", "idle 20 | main 100", "parse 60 | run 40", "lex 30 | read 10 | step 40",
        "next 30 | add 25 | jump 15",
    ]);
    const all = await frame(page, "all"), width = all.right - all.left;
    assertNear(all.left, 10, "left edge");
    assertNear(all.right, 1210, "right edge");
    const parse = await frame(page, "parse");
    assertNear(parse.left, all.left + width * 20 / 120, "what is left of a frame");
    assertNear(parse.right - parse.left, width * 60 / 120, "its width");
    assertNear(all.top - parse.bottom, 17, "rows between");
});
