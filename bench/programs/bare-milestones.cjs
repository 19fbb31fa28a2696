// What a milestone costs a bare program of Node that does nothing but what wisp's processes have the system do for one:
// `node bare-milestones.cjs FOLDER ROUNDS PROGRAMS SYNCS OPENS LOOKS` starts as many programs that end at once, one after
// the other, appends as many lines, each synced, and opens and looks up files as often. It writes its own CPU of each
// round in milliseconds, without that of the programs.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { join } = require("node:path");

const [folder = ".", ...counts] = process.argv.slice(2);
const [rounds = 1, programs = 0, syncs = 0, opens = 0, looks = 0] = counts.map(Number);
const LINE = `${"x".repeat(149)}\n`;
const path = join(folder, "log");

function run() {
  return new Promise((resolve, reject) => {
    const child = spawn("true", { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", resolve);
  });
}

async function round() {
  const before = process.cpuUsage();
  for (let at = 0; at < programs; at++) await run();
  const log = fs.openSync(path, "a");
  for (let at = 0; at < syncs; at++) {
    fs.writeSync(log, LINE);
    fs.fsyncSync(log);
  }
  fs.closeSync(log);
  const bytes = Buffer.alloc(LINE.length);
  for (let at = 0; at < opens; at++) {
    const file = fs.openSync(path, "r");
    fs.fstatSync(file);
    fs.readSync(file, bytes, 0, bytes.length, 0);
    fs.closeSync(file);
  }
  for (let at = 0; at < looks; at++) fs.lstatSync(path);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function main() {
  const times = [];
  for (let at = 0; at < rounds; at++) times.push(await round());
  process.stdout.write(JSON.stringify(times));
}

void main();
