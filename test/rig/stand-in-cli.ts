import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a JavaScript program that replaces a CLI into a folder; it is first asked for its version. */
export function installStandIn(directory: string, name: string, script: string): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  const version = `if (process.argv[2] === "--version") { console.log("v1.2.3-beta (x)"); process.exit(); }`;
  writeFileSync(path, `#!${process.execPath}\n${version}\n${script}`);
  chmodSync(path, 0o755);
  return path;
}

/** A program that behaves like claude: it reads the file that its prompt names, or is refused. */
export function speaking(answer: "reads" | "is refused"): string {
  return `
const { readFileSync } = require("node:fs");
const say = (line) => console.log(JSON.stringify(line));
const prompt = readFileSync(0, "utf8");
const [, path] = /\`(\\/[^\`]+)\`/u.exec(prompt);
const isRefused = ${String(answer === "is refused")};
const word = isRefused ? "nothing" : readFileSync(path, "utf8").trim();
const printed = isRefused
  ? "Claude requested permissions to read from it, but you haven't granted it yet."
  : word;
say({ type: "system", subtype: "init", session_id: "s" });
const call = { type: "tool_use", id: "c", name: "Read", input: { file_path: path } };
const other = { type: "tool_use", id: "d", name: "Bash", input: { command: "true" } };
say({ type: "assistant", message: { content: [call, other] } });
const came = { type: "tool_result", tool_use_id: "c", is_error: isRefused, content: printed };
const good = { type: "tool_result", tool_use_id: "d", is_error: false, content: "" };
say({ type: "user", message: { content: [came, good] } });
say({ type: "assistant", message: { content: [{ type: "text", text: "It says " + word }] } });
say({ type: "result", is_error: false, session_id: "s", result: "It says " + word });
`;
}
