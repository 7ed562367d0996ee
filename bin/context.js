#!/usr/bin/env node
"use strict";
require("../dist/bundle/cli-start.cjs").start();
