import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProcessSession } from "../rig/process-session.ts";
import { needsWork, on, oneTask, put, replaySession } from "../rig/replay-session.ts";

const CANARIES = {
  ...{ DATABASE_URL: "postgres://u:CANARY-url@x/y", SENTRY_DSN: "CANARY-dsn" },
  ...{ SLACK_WEBHOOK_URL: "CANARY-hook", ANTHROPIC_CUSTOM_HEADERS: "CANARY-headers" },
  ...{ NPM_TOKEN: "CANARY-token", MYAPP_ONE: "CANARY-mine" },
};

/** Prints the names of the canaries that it sees, and exits with the given code. */
const LOOKS = String.raw`const [what, code] = process.argv.slice(2);
const seen = Object.keys(process.env).filter((name) => process.env[name].includes("CANARY"));
console.log("seen by " + what + ": " + seen.sort().join(" "));
process.exitCode = Number(code ?? 0);
`;

/** The canaries that each kind of command saw, over all its runs, as printed. */
function seen(session: ProcessSession): Readonly<Record<string, readonly string[]>> {
  const turns = join(session.home(), "logs/turns");
  const printed = readdirSync(turns)
    .filter((name) => name.endsWith(".out"))
    .map((name) => readFileSync(join(turns, name), "utf8"))
    .join("\n");
  const found = new Map<string, Set<string>>();
  for (const [, what = "", names = ""] of printed.matchAll(/^seen by (\w+):(.*)$/gm)) {
    found.set(what, (found.get(what) ?? new Set()).add(names.trim()));
  }
  return Object.fromEntries([...found].map(([what, names]) => [what, [...names]]));
}

async function played(config: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const command = "node looks.mjs bug 1";
  await using session = replaySession({
    files: { "looks.mjs": LOOKS },
    turns: [
      ...oneTask("Say hello", put("hello.txt", "hello\n")),
      on(
        { purpose: "test" },
        { print: needsWork({ category: "Bug", file: "hello.txt", brief: "It is short", command }) },
      ),
    ],
    config: `setup: [node, looks.mjs, setup]\nverify: [node, looks.mjs, verify]\nattempts: { fix: 1 }\n${config}`,
  });
  Object.assign(session.env, CANARIES);
  await session.wisp("start", "request.md");
  return seen(session);
}

test("setup, verify and bugs' commands see no variable of the person's environment that contains a secret", async () => {
  // A role's `env` applies to its engine only.
  expect(await played("roles: { builder: { env: [NPM_TOKEN] } }\n")).toEqual({
    setup: [""],
    verify: [""],
    bug: [""],
  });
});

test("setup, verify and bugs' commands all see the variables that `commands.env` names", async () => {
  const named = ["MYAPP_ONE NPM_TOKEN"];
  expect(await played("commands: { env: [NPM_TOKEN, MYAPP_*] }\n")).toEqual({
    setup: named,
    verify: named,
    bug: named,
  });
});
