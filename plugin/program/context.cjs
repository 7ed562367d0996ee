"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");

// The plugin is whole with `bundle` beside this file; in a checkout the build stands beside the plugin.
const own = join(__dirname, "bundle");
const folder = existsSync(own) ? own : join(__dirname, "..", "..", "dist", "bundle");
require(join(folder, "cli-start.cjs")).start(folder, require);
