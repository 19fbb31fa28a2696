// @ts-check
// The limit of reading a log: `node count-lines.mjs <file>…` cuts files into lines, and does nothing with them.
import { closeSync, openSync, readSync } from "node:fs";

const NEWLINE = 0x0a;
const buffer = Buffer.alloc(256 * 1024);
let lines = 0;
let characters = 0;

for (const path of process.argv.slice(2)) {
  const fd = openSync(path, "r");
  for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer)) {
    let from = 0;
    for (let at = buffer.indexOf(NEWLINE); at >= 0 && at < length;) {
      characters += buffer.toString("utf8", from, at).length;
      lines += 1;
      from = at + 1;
      at = buffer.indexOf(NEWLINE, from);
    }
  }
  closeSync(fd);
}
process.stdout.write(`${lines} lines, ${characters} characters\n`);
