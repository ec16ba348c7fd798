/* SPDX-License-Identifier: MIT */
/* Checks the JSON Schema of configurations with an independent validator, as editors would use
 * it. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {fileURLToPath} from "node:url";
import Ajv from "ajv";
import {parse} from "yaml";

const source = path => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const schema = JSON.parse(execFileSync(process.env.BRAZIER,
                                       ["config", "schema", "--no-config", "--no-plugins"]));
const check = new Ajv({strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false,
                       allErrors: true}).compile(schema);

function problems(yaml) {
    return check(parse(yaml)) ? [] : check.errors.map(e => `${e.instancePath}: ${e.message}`);
}

const good = {
    "config/brazier.yaml": source("config/brazier.yaml"),
    "config/starter.yaml": source("config/starter.yaml"),
};
for (const [i, [, text]] of [...source("docs/config.md").matchAll(/^```yaml\n(.*?)^```$/gms)].entries())
    good[`docs/config.md, block ${i + 1}`] = text;

for (const [name, text] of Object.entries(good))
    test(`the schema accepts ${name}`, () => assert.deepEqual(problems(text), []));

const bad = {
    "an unknown key": "pipelnes: {}",
    "another version": "version: 2",
    "an unknown key of a pipeline": "pipelines: {cpu: {colapse: perf}}",
    "an unknown key of an output": "pipelines: {cpu: {outputs: [{use: svg, too: x}]}}",
    "an unknown option": "pipelines: {cpu: {outputs: [{use: svg, options: {titel: x}}]}}",
    "an unknown option of a format": "pipelines: {cpu: {collapse: {use: perf, options: {kernl: true}}}}",
    "an unknown option for all uses": "options: {svg: {titel: x}}",
    "a number that is none": "options: {svg: {width: wide}}",
    "a number out of its range": "options: {svg: {minwidth: 101}}",
    "a word that is not one of several": "options: {hot: {numbers: sevens}}",
    "an unknown transform": "pipelines: {cpu: {transform: [revers]}}",
    "a transform without its argument": "pipelines: {cpu: {transform: [drop]}}",
    "an argument of the wrong sort": "pipelines: {cpu: {transform: [{rename: x}]}}",
    "outputs that are no list": "pipelines: {cpu: {outputs: svg}}",
};
for (const [name, text] of Object.entries(bad))
    test(`the schema refuses ${name}`, () => assert.notDeepEqual(problems(text), []));

test("the program rejects what the schema rejects", () => {
    for (const [name, text] of Object.entries(bad)) {
        assert.throws(() => execFileSync(process.env.BRAZIER,
                                         ["--config", "/dev/stdin", "config", "check"],
                                         {input: text, stdio: ["pipe", "ignore", "ignore"]}), name);
    }
});
