#!/usr/bin/env node
"use strict";
const { existsSync, readFileSync } = require("node:fs");
// Not by `require`: to find, look at and name a second module takes Node a hundredth of a start.
const path = `${__dirname}/../dist/bundle/cli-start.cjs`;
if (existsSync(path)) {
  module._compile(readFileSync(path, "utf8"), path);
  module.exports.start();
} else {
  // Where npm may run no scripts, to install again builds nothing either. This file is the last that it writes.
  const way = existsSync(`${__dirname}/../node_modules/.package-lock.json`) ? "run build" : "install";
  console.error(`context: not built yet. Run: npm ${way} --prefix '${__dirname.slice(0, -4)}'`);
  process.exitCode = 70;
}
