#!/usr/bin/env node
import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };

const program = new Command("wisp");
program.version(packageJson.version);
await program.parseAsync();
