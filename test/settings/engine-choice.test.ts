import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import type { Config } from "../../src/settings/schema/config-schema.ts";
import {
  chooseEngine,
  chooseEngines,
  fallbackEngines,
  type EngineOffer,
} from "../../src/settings/config/engine-choice.ts";
import { loadConfig } from "../../src/settings/config/load-config.ts";

const KNOWN = [
  { name: "replay", executable: undefined },
  { name: "claude", executable: "claude" },
  { name: "codex", executable: "codex" },
];

function offer(...executables: readonly string[]): EngineOffer {
  return { known: KNOWN, hasExecutable: (name) => executables.includes(name) };
}

function config(text: string): Config {
  const result = loadConfig(text);
  return present(result.ok ? result.value : undefined, "the settings are sound");
}

test("without settings, the first known engine that is installed takes all roles", () => {
  const claude = { kind: "known", name: "claude" };
  expect(chooseEngines(config(""), offer("codex", "claude"))).toEqual({
    ok: true,
    value: { planner: claude, builder: claude, reviewer: claude, tester: claude },
  });
  expect(chooseEngine(config(""), "builder", offer("codex"))).toEqual({
    ok: true,
    value: { kind: "known", name: "codex" },
  });
});

test("without settings and engines, fails instead of using replay", () => {
  expect(chooseEngines(config(""), offer())).toEqual({
    ok: false,
    failure: { kind: "no-engine", executables: ["claude", "codex"] },
  });
});

test("uses replay if the settings name it", () => {
  expect(chooseEngine(config("engine: replay\n"), "planner", offer("claude"))).toEqual({
    ok: true,
    value: { kind: "known", name: "replay" },
  });
});

test("a role's own engine takes precedence over the common one", () => {
  const settings = config(
    "engine: claude\nroles: { tester: { engine: { command: [./t.sh, -v] } } }",
  );
  expect(chooseEngines(settings, offer("claude", "./t.sh"))).toMatchObject({
    ok: true,
    value: {
      builder: { kind: "known", name: "claude" },
      tester: { kind: "command", argv: ["./t.sh", "-v"] },
    },
  });
});

test("no common engine is needed if every role has its own", () => {
  const roles = ["planner", "builder", "reviewer", "tester"];
  const own = roles.map((role) => `  ${role}: { engine: replay }\n`).join("");
  expect(chooseEngines(config(`roles:\n${own}`), offer())).toMatchObject({ ok: true });
  expect(chooseEngines(config("roles: { builder: { engine: replay } }"), offer())).toMatchObject({
    failure: { kind: "no-engine" },
  });
});

test("reports an unknown engine with its key, a suggestion and the known engines", () => {
  expect(chooseEngines(config("roles: { reviewer: { engine: cluade } }"), offer("claude"))).toEqual(
    {
      ok: false,
      failure: {
        kind: "unknown-engine",
        key: "roles.reviewer.engine",
        name: "cluade",
        suggestion: "claude",
        known: ["replay", "claude", "codex", "auto"],
      },
    },
  );
  expect(chooseEngines(config("engine: zzzzzz"), offer())).toMatchObject({
    failure: { kind: "unknown-engine", key: "engine", suggestion: undefined },
  });
});

test("explains how to write a command engine if `command` is given as a name", () => {
  expect(chooseEngines(config("engine: command"), offer())).toMatchObject({
    failure: { kind: "unknown-engine", suggestion: "{ command: [./agent.sh] }" },
  });
});

test("names the executable of an engine that is not installed", () => {
  expect(chooseEngines(config("engine: codex"), offer("claude"))).toEqual({
    ok: false,
    failure: { kind: "engine-missing", key: "engine", name: "codex", executable: "codex" },
  });
  expect(chooseEngines(config("engine: { command: [./nope.sh] }"), offer("claude"))).toEqual({
    ok: false,
    failure: { kind: "engine-missing", key: "engine", name: "command", executable: "./nope.sh" },
  });
});

test("auto means the first known engine that is installed, also for one role", () => {
  const settings = config("engine: codex\nroles: { tester: { engine: auto } }");
  expect(chooseEngines(settings, offer("codex", "claude"))).toMatchObject({
    ok: true,
    value: { builder: { name: "codex" }, tester: { name: "claude" } },
  });
  expect(chooseEngine(config("engine: auto"), "tester", offer())).toMatchObject({
    failure: { kind: "no-engine" },
  });
});

test("of a list of engines, uses the first that is installed, with the others as fallbacks", () => {
  const settings = config("engines: [codex, claude]");
  const codex = { kind: "known", name: "codex" } as const;
  const claude = { kind: "known", name: "claude" } as const;
  expect(chooseEngine(settings, "builder", offer("claude", "codex"))).toEqual({
    ok: true,
    value: codex,
  });
  expect(chooseEngine(settings, "builder", offer("claude"))).toEqual({ ok: true, value: claude });
  expect(fallbackEngines(settings, codex, offer("claude", "codex"))).toEqual({
    ok: true,
    value: [claude],
  });
  expect(fallbackEngines(settings, claude, offer("claude"))).toEqual({ ok: true, value: [] });
});

test("of a list of engines, reports the first as missing if none is installed, and any unknown one", () => {
  expect(chooseEngine(config("engines: [codex, claude]"), "builder", offer())).toMatchObject({
    failure: { kind: "engine-missing", key: "engines[0]", executable: "codex" },
  });
  const unknown = { failure: { kind: "unknown-engine", key: "engines[1]", suggestion: "claude" } };
  const settings = config("engines: [codex, cluade]");
  expect(chooseEngine(settings, "builder", offer("codex"))).toMatchObject(unknown);
  expect(fallbackEngines(settings, { kind: "known", name: "codex" }, offer("codex"))).toMatchObject(
    unknown,
  );
});

test("an agent that speaks ACP is configured by its command line", () => {
  const settings = config("engine: { acp: [gemini, --acp] }");
  expect(chooseEngine(settings, "builder", offer("gemini"))).toEqual({
    ok: true,
    value: { kind: "acp", argv: ["gemini", "--acp"] },
  });
  const inMode = config("engine: { acp: [codex-acp], mode: agent-full-access }");
  expect(chooseEngine(inMode, "builder", offer("codex-acp"))).toEqual({
    ok: true,
    value: { kind: "acp", argv: ["codex-acp"], mode: "agent-full-access" },
  });
  expect(chooseEngine(settings, "builder", offer())).toMatchObject({
    failure: { kind: "engine-missing", name: "acp", executable: "gemini" },
  });
  expect(chooseEngine(config("engine: acp"), "builder", offer())).toMatchObject({
    failure: { kind: "unknown-engine", suggestion: "{ acp: [gemini, --acp] }" },
  });
});
