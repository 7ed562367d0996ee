#!/usr/bin/env node
"use strict";
// Not by `require`: to find, look at and name a second module takes Node a hundredth of a start.
const path = `${__dirname}/../dist/bundle/cli-start.cjs`;
module._compile(require("node:fs").readFileSync(path, "utf8"), path);
module.exports.start();
