#!/usr/bin/env node
"use strict";
const { join } = require("node:path");
require("../dist/bundle/cli-start.cjs").start(join(__dirname, "..", "dist", "bundle"), require);
