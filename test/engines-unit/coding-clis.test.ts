import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { ROLES } from "../../src/base/role.ts";
import { inheritedBy } from "../../src/engines/run/cli-environment.ts";
import { codingCli, CODING_CLIS } from "../../src/engines/coding-clis.ts";
import type { CliCommand } from "../../src/engines/cli-profile.ts";
import type { TurnRequest } from "../../src/engines/engine.ts";
import { turnRequest } from "./turn-request.ts";

const NAMES = CODING_CLIS.map(({ name }) => name);
const UUID = "11111111-2222-4333-8444-555555555555";

function profileOf(name: string) {
  return present(codingCli(name), `${name} is an engine`);
}

function commandOf(
  name: string,
  fields: Partial<TurnRequest> = {},
  more: { model?: string; extraArgs?: readonly string[] } = {},
): CliCommand {
  return profileOf(name).command({
    request: turnRequest("/c", fields),
    model: more.model,
    extraArgs: more.extraArgs ?? [],
    sessionId: UUID,
    inherited: {},
    tmpDirectory: "/t",
  });
}

test.each(NAMES)("%s: does not pass the prompt as an argument, whose length is limited", (name) => {
  const prompt = "Build the API.";
  expect(commandOf(name, { prompt }).args).not.toContain(prompt);
});

test.each(NAMES)("%s: never allows everything", (name) => {
  for (const role of ["builder", "reviewer"] as const) {
    const words = commandOf(name, { role }).args.join(" ");
    expect(words).not.toMatch(/dangerous|yolo|bypass|allow-all/iu);
  }
});

test.each(NAMES)(
  "%s: puts model, resumed session and further arguments on the command line",
  (name) => {
    const resume = { session: "the-session" };
    const { args } = commandOf(name, { resume }, { model: "m-1", extraArgs: ["--x", "y"] });
    expect(args.join(" ")).toContain("--model m-1");
    expect(args.join(" ")).toContain("--x y");
    expect(args.join(" ")).toMatch(/\bthe-session\b/u);
  },
);

test.each(["claude", "copilot"])("%s: wisp chooses the id of the session", (name) => {
  const { args } = commandOf(name);
  expect(profileOf(name).takesSessionId).toBe(true);
  expect(args.join(" ")).toContain(`--session-id ${UUID}`);
});

test.each(["claude", "codex", "copilot", "gemini"])(
  "%s: allows writing a plan outside the clone; one inside needs no rule",
  (name) => {
    const outside = commandOf(name, { tasksFile: "/s/drafts/plan.md" }).args.join(" ");
    expect(outside).toMatch(/\/s\/drafts(?:["\s]|$)/u);
    const inside = commandOf(name, { tasksFile: "/c/TASKS.md" }).args.join(" ");
    expect(inside).toBe(commandOf(name).args.join(" "));
  },
);

test.each(["claude", "copilot", "gemini", "opencode"])("%s: allows a reviewer no edits", (name) => {
  const commandFor = (role: "builder" | "reviewer") => JSON.stringify(commandOf(name, { role }));
  expect(commandFor("reviewer")).not.toBe(commandFor("builder"));
  expect(commandFor("reviewer")).not.toMatch(/acceptEdits|"write"|\\"edit\\":\\"allow/u);
});

const FOLDER = "/s/turns/t-1";
const PLAN = "/s/drafts/plan.md";

// Codex allows reading everything.
test.each(["claude", "copilot", "gemini", "opencode"])(
  "%s: allows every role to read the turn's folder, outside the clone, and no folder beside it",
  (name) => {
    for (const role of ROLES) {
      const [named, none] = [{ role, folder: FOLDER }, { role }].map((fields) =>
        JSON.stringify(commandOf(name, fields)),
      );
      expect(named).toMatch(/\/s\/turns\/t-1(?:\/\*\*?)?\)?\\?"/u);
      expect(named).not.toMatch(/\/s\/turns(?!\/t-1)|"\/s"/u);
      expect(none).not.toContain("/s");
    }
  },
);

test.each(NAMES)("%s: needs no rule for a folder inside the clone", (name) => {
  expect(commandOf(name, { folder: "/c/turn" })).toEqual(commandOf(name));
});

test("claude can read but not write the turn's folder, even if its name contains a bracket", () => {
  const { args } = commandOf("claude", { folder: "/s/[a] (b)" });
  expect(args).not.toContain("--add-dir");
  const settings: unknown = JSON.parse(args[args.indexOf("--settings") + 1] ?? "");
  expect(settings).toEqual({
    permissions: { allow: [String.raw`Read(//s/\[a\] (b)/**)`], deny: [] },
  });
});

test("claude's rules also cover the path with links resolved", () => {
  const { args } = profileOf("claude").command({
    ...{ request: turnRequest("/c", { folder: "/link/t" }), model: undefined, extraArgs: [] },
    ...{ sessionId: UUID, inherited: {}, tmpDirectory: "/t", realFolder: "/real/t" },
  });
  expect(args.join(" ")).toContain('["Read(//link/t/**)","Read(//real/t/**)"]');
});

test.each([
  ["builder", { "*": "allow", "../s/turns/t-1/*": "deny" }, ["/s/drafts/*"]],
  ["reviewer", "deny", []],
] as const)(
  "opencode as %s: outside the clone, it may use only what its turn names",
  (role, edit, writable) => {
    const { env } = commandOf("opencode", { role, folder: FOLDER, tasksFile: PLAN });
    const rules: unknown = JSON.parse(env["OPENCODE_PERMISSION"] ?? "");
    const allowed = [`${FOLDER}/*`, "/t/*", ...writable].map(
      (pattern) => [pattern, "allow"] as const,
    );
    expect(rules).toEqual({
      edit,
      bash: "allow",
      webfetch: "deny",
      external_directory: { "*": "deny", ...Object.fromEntries(allowed) },
    });
    // The last matching rule applies.
    expect(env["OPENCODE_PERMISSION"]).toContain('"external_directory":{"*":"deny",');
  },
);

test("gemini: no rule allows everything; a reviewer has no tool that edits, others cannot edit the turn's folder", () => {
  const rulesOf = (fields: Partial<TurnRequest>) =>
    Object.entries(commandOf("gemini", fields).files ?? {}).find(([name]) =>
      name.endsWith(".toml"),
    )?.[1] ?? "";
  const folder = "/s/a+b";
  expect(rulesOf({ role: "reviewer", folder })).toMatch(/"write_file", "replace".*\n.*"deny"/u);
  const pattern = /argsPattern = (?<json>".*")/u.exec(rulesOf({ folder }))?.groups?.["json"];
  const denied = new RegExp(String(JSON.parse(pattern ?? '""')), "u");
  expect(JSON.stringify({ content: "", file_path: `${folder}/request.md` })).toMatch(denied);
  expect(JSON.stringify({ content: "", file_path: "/s/aab/request.md" })).not.toMatch(denied);
  expect(rulesOf({ folder })).not.toContain("allow");
});

test("gemini gets no directory whose name contains a comma, because it would not start", () => {
  expect(commandOf("gemini", { folder: "/s/a,b" }).args).not.toContain("--include-directories");
});

test.each(NAMES)("%s: asks a person at the terminal for every permission", (name) => {
  const args = profileOf(name).interactive("Look at this.", { model: "m-1", resume: "s-1" });
  expect(args).toContain("Look at this.");
  expect(args.join(" ")).toMatch(/m-1/u);
  expect(args.join(" ")).toMatch(/s-1/u);
  expect(args.join(" ")).not.toMatch(/--print\b|-p\b|exec|json|allow|permission|yolo|dangerous/u);
});

test.each(NAMES)(
  "%s: starts a person's conversation with the chosen id, if it accepts one",
  (name) => {
    const begun = profileOf(name).interactive("Look.", { begin: UUID });
    expect(begun.includes(UUID)).toBe(profileOf(name).takesSessionId);
    expect(profileOf(name).interactive("Look.", { begin: UUID, resume: "s-1" })).not.toContain(
      UUID,
    );
  },
);

test("codex may write to .git, so that it can commit", () => {
  expect(commandOf("codex").args).toContain('sandbox_workspace_write.writable_roots=["/c/.git"]');
});

test("copilot is kept offline only with the person's own provider", () => {
  expect(commandOf("copilot").env).not.toHaveProperty("COPILOT_OFFLINE");
  const { env } = profileOf("copilot").command({
    ...{ request: turnRequest("/c"), model: undefined, extraArgs: [], sessionId: UUID },
    ...{ inherited: { COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:1" }, tmpDirectory: "/t" },
  });
  expect(env).toMatchObject({ COPILOT_OFFLINE: "true" });
});

test.each([
  ["2.1.197", "run"],
  ["2.0.9", "run"],
  ["2.1.198", "unknown"],
  ["2.1.328", "unknown"],
  ["2.1.329", "session"],
  ["2.2.0", "session"],
  ["nonsense", "unknown"],
  [undefined, "unknown"],
])("claude %s reports cost by %s", (version, basis) => {
  expect(profileOf("claude").costBasis(version)).toBe(basis);
});

test("an engine sees its own keys, but no other engine's and no unnamed variables", () => {
  const ours = {
    PATH: "/bin",
    LC_ALL: "C",
    ANTHROPIC_API_KEY: "a",
    OPENAI_API_KEY: "o",
    AWS_SECRET_ACCESS_KEY: "s",
    DATABASE_URL: "d",
    MYAPP_ONE: "1",
    WISP_HOME: "/x",
  };
  expect(inheritedBy([...profileOf("claude").variables, "MYAPP_*"], ours)).toEqual({
    PATH: "/bin",
    LC_ALL: "C",
    ANTHROPIC_API_KEY: "a",
    MYAPP_ONE: "1",
  });
  expect(inheritedBy(profileOf("codex").variables, ours)).toEqual({
    PATH: "/bin",
    LC_ALL: "C",
    OPENAI_API_KEY: "o",
  });
});

test("opencode: options of its log come once, as the user gives them: with two it does not start", () => {
  const logOf = (...extraArgs: readonly string[]) => {
    const { args } = commandOf("opencode", {}, { extraArgs });
    return args.filter((word) => /^--(?:print-logs|log-level)|^(?:INFO|DEBUG)$/u.test(word));
  };
  expect(logOf()).toEqual(["--print-logs", "--log-level", "INFO"]);
  expect(logOf("--log-level", "DEBUG")).toEqual(["--print-logs", "--log-level", "DEBUG"]);
  expect(logOf("--print-logs", "--log-level=DEBUG")).toEqual(["--print-logs", "--log-level=DEBUG"]);
});
