import { z } from "zod";
import { perRole, type PerRole, type Role } from "../../base/role.ts";
import { Commands, Notify } from "./argv.ts";
import { AttemptsSetting } from "./attempts-setting.ts";
import { budgetLimits } from "./budget-setting.ts";
import { CommandsSetting } from "./commands-setting.ts";
import { Verify } from "./verify-setting.ts";
import { Duration } from "./duration.ts";
import { EngineConfig, Word } from "./engine-setting.ts";
import { EXECUTOR_NAME } from "./executors-setting.ts";
import { McpSettings } from "./mcp-setting.ts";
import { PlanSetting } from "./plan-setting.ts";
import { ReviewSetting } from "./review-setting.ts";
import { RevisionsSetting } from "./revisions-setting.ts";
import { SandboxConfig } from "./sandbox-setting.ts";
import { StuckSetting } from "./stuck-setting.ts";
import { variableNames } from "./variable-names.ts";

/**
 * `.wisp/config.yaml`: every key, with its default and its purpose. All keys are optional; unknown
 * ones are errors. `error` texts complete the sentence "expected …".
 */

const NAME = "the name of an engine";
const EXECUTOR = "a name of `executors` in your own settings, ~/.config/wisp/config.yaml";
const MAPPING = "a mapping of keys to values";
const SWITCH = "true or false";

/** Where the longest turn of a role is not the usual one. */
const TURN_LIMITS: Partial<PerRole<string>> = { builder: "1h", reviewer: "20m" };

function roleSettings(role: Role, timeout: string) {
  return z
    .strictObject(
      {
        engine: EngineConfig.optional().describe(
          `Engine of the ${role}, instead of the general one.`,
        ),
        model: Word.optional().describe(
          `Model of the ${role}, as its engine names it. Left out: the engine's own choice.`,
        ),
        args: z
          .array(Word, { error: "a list of arguments such as [--effort, high]" })
          .max(100, { error: "at most 100 arguments" })
          .default([])
          .describe("Further arguments of the engine, after those of wisp."),
        env: variableNames(
          "Variables that the engine may see besides its own keys; * at the end matches any rest.",
        ),
        timeout: Duration.prefault(timeout).describe(`Longest turn of the ${role}.`),
        idleTimeout: Duration.prefault("15m").describe(
          `Longest silence of the engine of the ${role} after its first output.`,
        ),
        startTimeout: Duration.optional().describe(
          `Longest time from the start of the engine of the ${role} to its first output. Left out: 2m, or idleTimeout if that is longer.`,
        ),
        schema: z
          .boolean({ error: "true or false" })
          .default(true)
          .describe(
            "Whether claude and codex must end a turn with JSON that conforms to a schema.",
          ),
      },
      { error: MAPPING },
    )
    .prefault({})
    .describe(`The ${role}.`);
}

function count(description: string) {
  const error = "a whole number from 1 to 100";
  return z.int({ error }).min(1, { error }).max(100, { error }).default(3).describe(description);
}

function drain(role: string, limit: string) {
  return Duration.prefault(limit).describe(`How long the builder waits for the ${role}.`);
}

function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `one of ${words.join(", ")}` });
}

const PATTERN = "a glob inside the repository, such as test/**";
const Glob = z
  .string({ error: PATTERN })
  .regex(/^(?![/!])(?!(?:.*\/)?\.\.(?:\/|$))[^\0\\]{1,300}$/u, { error: PATTERN });

/** Where the tester may commit, as globs with `/`, relative to the root. */
const DEFAULT_TEST_PATHS = [
  "test/**",
  "tests/**",
  "spec/**",
  "**/*.test.*",
  "**/*.spec.*",
  "**/__tests__/**",
  "**/*_test.*",
  "**/test_*.py",
] as const;

export const Config = z.strictObject(
  {
    engine: EngineConfig.optional(),
    engines: z
      .array(z.string({ error: NAME }).min(1, { error: NAME }), {
        error: "a list of names of engines such as [claude, codex]",
      })
      .min(1, { error: "a list of names of engines such as [claude, codex]" })
      .max(10, { error: "at most 10 engines" })
      .optional()
      .describe(
        "Engines in order of preference: when one is at its limit, the next is used. " +
          "Those that are not installed are skipped.",
      ),
    roles: z
      .strictObject(
        perRole((role) => roleSettings(role, TURN_LIMITS[role] ?? "30m")),
        { error: MAPPING },
      )
      .prefault({})
      .describe("Settings of each role."),
    verify: Verify.optional().describe(
      "Decides whether a commit is good: exit code 0. Left out: detected. " +
        "[npm, test] · [[npm, run, build], [npm, test]] · false for none · " +
        "{ run: [npm, test], knownRed: [names of tests that fail before any work] }.",
    ),
    verifyTimeout: Duration.prefault("10m").describe("Longest run of all verify commands."),
    setup: Commands.optional().describe(
      "Prepares a fresh clone for building and testing. Left out: detected from lock files. " +
        "[npm, ci] · [[npm, ci], [npm, run, generate]] · false for none.",
    ),
    build: Commands.optional().describe(
      "Builds what the tests need but is not committed; run at each commit that is verified. " +
        "Left out: detected. [npm, run, build] · false for none.",
    ),
    setupInputs: z
      .array(Glob, { error: "a list of globs such as [db/schema.sql]" })
      .max(100, { error: "at most 100 globs" })
      .default([])
      .describe(
        "Globs of files that setup depends on, besides manifests, lock files, settings of package managers and patches.",
      ),
    setupTimeout: Duration.prefault("10m").describe("Longest run of all setup commands."),
    commands: CommandsSetting,
    drain: z
      .strictObject(
        {
          reviewer: drain("reviewer", "2m"),
          tester: drain("tester", "10m"),
          planner: drain("planner", "5m"),
        },
        { error: MAPPING },
      )
      .prefault({})
      .describe("The drain window after each milestone."),
    plan: PlanSetting,
    replan: oneOf(["changed", "always", "never"])
      .default("changed")
      .describe("When the planner revises the plan: if there is a reason, always, or never."),
    attempts: AttemptsSetting,
    stuck: StuckSetting,
    fixRounds: count("Fix rounds after one milestone, and at the end."),
    review: ReviewSetting,
    budget: z
      .strictObject(
        {
          ...budgetLimits("the whole session"),
          milestone: z
            .strictObject(budgetLimits("each milestone"), { error: MAPPING })
            .prefault({})
            .describe("The same for each milestone."),
        },
        { error: MAPPING },
      )
      .prefault({})
      .describe("What may be used before no further turn starts. Left out: no limit."),
    executor: z
      .string({ error: EXECUTOR })
      .regex(EXECUTOR_NAME, { error: EXECUTOR })
      .optional()
      .describe(
        "Where sessions run, by a name in your own settings, ~/.config/wisp/config.yaml. Left out: here.",
      ),
    namespaces: z
      .boolean({ error: SWITCH })
      .default(true)
      .describe(
        "Turns run in a pid namespace of their own, if the system supports it, so that nothing they start " +
          "outlives them. `sudo` may not work there.",
      ),
    revisions: RevisionsSetting,
    trust: z
      .never({
        error: "it in your own settings, ~/.config/wisp/config.yaml, not in a repository's",
      })
      .optional()
      .describe("Not allowed here: your own settings decide whether a repository is trusted."),
    filters: z
      .never({
        error: "it in your own settings, ~/.config/wisp/config.yaml, not in a repository's",
      })
      .optional()
      .describe("Not allowed here: your own settings name what may be published unfiltered."),
    sandbox: SandboxConfig,
    mcp: McpSettings,
    notify: Notify.optional().describe(
      "Notifies you of questions and of the end; the text is its last argument, and WISP_NOTIFY_TEXT. " +
        "Left out: notify-send on a desktop. false: no notifications.",
    ),
    publish: z
      .strictObject(
        {
          remote: z
            .string({ error: "the name of a git remote" })
            .regex(/^[A-Za-z0-9_][\w./-]{0,99}$/, { error: "the name of a git remote" })
            .optional()
            .describe("Remote that the session's branch is pushed to. Left out: none."),
          at: oneOf(["boundary", "done"])
            .default("done")
            .describe("Push after every milestone, or when a person ships the session."),
        },
        { error: MAPPING },
      )
      .prefault({})
      .describe("Pushes of the branch to a remote."),
    report: z
      .strictObject(
        {
          publish: z
            .boolean({ error: SWITCH })
            .default(false)
            .describe("`wisp done` puts the session's report into the pull request."),
        },
        { error: MAPPING },
      )
      .prefault({})
      .describe("What happened in the session: milestones, findings and cost."),
    tests: z
      .strictObject(
        {
          paths: z
            .array(Glob, { error: "a list of globs such as [test/**]" })
            .max(100, { error: "at most 100 globs" })
            .default([...DEFAULT_TEST_PATHS])
            .describe("Globs of the files that the tester may commit."),
        },
        { error: MAPPING },
      )
      .prefault({})
      .describe("The tester's commits."),
  },
  { error: MAPPING },
);
/** Settings with their defaults; durations in milliseconds. */
export type Config = z.infer<typeof Config>;
