import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codex } from "../../../src/engines/codex/codex.ts";
import type { TurnOutcome } from "../../../src/engines/engine.ts";
import { createCliEngine } from "../../../src/engines/run/cli-engine.ts";
import { createHost } from "../../../src/host/host.ts";
import { turnRequest } from "../turn-request.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

/*
 * Observed in codex 0.169: if several start at once, one may find that another has removed the folder of its helpers.
 * It prints a warning and continues, and none of its commands can be run (`bwrap: execvp codex-linux-sandbox`).
 */
const proceeding = (why: string) =>
  `WARNING: proceeding, even though we could not create PATH aliases: ${why}`;
const LOCKED = proceeding("operation would block");
const GONE = proceeding("No such file or directory (os error 2)");

const host = createHost();
let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wisp-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** A turn of a stand-in that records each start, and prints the warning of a codex without helpers at the first ones. */
async function turnOf(misstarts: number, warning = LOCKED): Promise<TurnOutcome> {
  const path = join(directory, "codex.mjs");
  const starts = JSON.stringify(join(directory, "starts"));
  const say = (...events: readonly object[]) =>
    events.map((event) => `console.log(${JSON.stringify(JSON.stringify(event))});`).join("\n");
  const answer = (text: string) =>
    say(
      { type: "thread.started", thread_id: "t-1" },
      { type: "item.completed", item: { id: "i-1", type: "agent_message", text } },
      { type: "turn.completed", usage: { input_tokens: 7, output_tokens: 3 } },
    );
  writeFileSync(
    path,
    `#!${process.execPath}
    import { appendFileSync, readFileSync } from "node:fs";
    appendFileSync(${starts}, "x");
    if (readFileSync(${starts}, "utf8").length <= ${String(misstarts)}) {
      console.error(${JSON.stringify(warning)});
      // Long enough to be observed; then it succeeds without having done anything.
      setTimeout(() => { ${answer("I could not run anything.")} }, 3_000);
    } else { ${answer("Done.")} }`,
  );
  chmodSync(path, 0o755);
  const engine = createCliEngine({
    ...{ profile: codex, argv: [path], model: undefined, variables: [], usesSchema: false },
    ...{ env: ownEnvironment(), idleTimeoutMs: 60_000 },
    ...{ tmpDirectory: join(directory, "tmp"), processes: host.processes, clock: host.clock },
    ...{ files: host.files, directories: host.directories },
  });
  return engine.turn(turnRequest(directory));
}

function starts(): number {
  const path = join(directory, "starts");
  return existsSync(path) ? readFileSync(path, "utf8").length : 0;
}

test.each([LOCKED, GONE])(
  "restarts a codex whose helpers another one removed, and uses the result of the last start: %s",
  async (warning) => {
    expect(await turnOf(2, warning)).toMatchObject({ kind: "ended", text: "Done." });
    expect(starts()).toBe(3);
  },
);

test("stops restarting after the last try, and uses the result as it is", async () => {
  expect(await turnOf(99)).toMatchObject({ kind: "ended", text: "I could not run anything." });
  expect(starts()).toBe(5);
});

test("does not restart for a warning that would come again", async () => {
  const warning = proceeding('Refusing to create helper binaries under temporary dir "/tmp"');
  expect(await turnOf(99, warning)).toMatchObject({ text: "I could not run anything." });
  expect(starts()).toBe(1);
});
