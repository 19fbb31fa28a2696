// The floor of the watcher: `node watch-node.cjs FILE` watches a log with Node alone, and prints for each line that is
// appended the time in seconds and the line. It says when it watches.
const { fstatSync, openSync, readSync, watch } = require("node:fs");

const [path = ""] = process.argv.slice(2);
const fd = openSync(path, "r");
let at = fstatSync(fd).size;
let rest = "";

watch(path, () => {
  const nowMs = performance.timeOrigin + performance.now();
  const { size } = fstatSync(fd);
  const bytes = Buffer.alloc(Math.max(0, size - at));
  at += readSync(fd, bytes, 0, bytes.length, at);
  const lines = (rest + bytes.toString("utf8")).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) process.stdout.write(`${(nowMs / 1000).toFixed(6)} ${line}\n`);
});
process.stdout.write("ready\n");
