#!/usr/bin/env node
"use strict";
require("../dist/bundle/cli-bin.cjs").run();
