import { claude } from "../engines/claude/claude.ts";
import { codingCli } from "../engines/coding-clis.ts";
import { configProblemSentence, type ConfigProblem } from "../settings/config-problem.ts";
import type { EngineFailure } from "../settings/engine-choice.ts";
import type { ReviewersFailure } from "../settings/read-reviewers.ts";
import { shown, type Detail, type Words } from "./explanation.ts";
import type { SettingsFailure } from "./read-settings.ts";
import type { CassetteTrouble, NoSandbox } from "./engine-failures.ts";
import { count } from "./sentence.ts";

/** Words for settings, and for the engines that they name. */
export function explainEngine(
  failure: CassetteTrouble | EngineFailure | NoSandbox | ReviewersFailure | SettingsFailure,
): Words {
  switch (failure.kind) {
    case "config":
      return explainConfig(failure);
    case "reviewers":
      return explainReviewers(failure);
    case "no-engine":
      return explainNone(failure.executables);
    case "unknown-engine":
      return explainUnknown(failure);
    case "engine-missing":
      return [
        `The engine's executable ${shown(failure.executable)} is not to be found (${failure.key} in ` +
          ".wisp/config.yaml).",
        failure.executable.includes("/")
          ? "A path counts from the top of the repository; the file has to be executable."
          : "It has to be installed, and found on PATH.",
        ...installOf(failure.name),
      ];
    case "cassette-missing":
      return [
        `The engine replay plays a recording, and there is none at ${shown(failure.path)}.`,
        "It is for tests and the demo. For real work, name the coding CLI that you have:",
        HOW_TO_NAME_ONE,
      ];
    case "no-sandbox":
      return [
        `The sandbox of .wisp/config.yaml cannot be made: ${shown(failure.reason)}.`,
        "`sandbox: auto` does without where there is none, and says so.",
        "wisp doctor",
      ];
    case "cassette": {
      const key = failure.key === "" ? "" : `${shown(failure.key)}: `;
      return [
        `${shown(failure.path)}:${String(failure.line)}: ${key}${shown(failure.problem)}`,
        "The engine replay cannot play this recording.",
      ];
    }
  }
}

/** How a coding CLI becomes an engine. */
const HOW_TO_NAME_ONE: Detail = {
  detail: "engine: claude   # or { command: [./agent.sh] }, in .wisp/config.yaml",
};

function installOf(name: string): readonly string[] {
  const profile = codingCli(name);
  return profile === undefined ? [] : [profile.install];
}

function explainConfig({ path, problems }: SettingsFailure): Words {
  const lines = problems.map((problem) => mistakeAt(path, problem));
  return [
    `The settings have ${count(problems.length, "mistake")}.`,
    "By line and column:",
    ...lines,
  ];
}

function mistakeAt(path: string, problem: ConfigProblem): Detail {
  return { detail: `${shown(path)}:${shown(configProblemSentence(problem))}` };
}

function explainReviewers({ files }: ReviewersFailure): Words {
  const lines = files.flatMap(({ path, problems }) =>
    problems.map((problem) => mistakeAt(path, problem)),
  );
  const [one, ...others] = files;
  const what = others.length === 0 && one !== undefined ? "A reviewer" : "Reviewers";
  return [`${what} cannot be used as written.`, "By file, line and column:", ...lines];
}

function explainNone(executables: readonly string[]): Words {
  const looked = executables.length === 0 ? "" : ` (looked for: ${executables.join(", ")})`;
  return [
    `No engine is configured, and none was found${looked}.`,
    "An engine is the coding CLI that does the work. Install one, such as Claude Code: it is found by " +
      "itself (wisp engines shows what is). Or name a script of your own. To see a run without one: " +
      "wisp demo",
    claude.install,
    HOW_TO_NAME_ONE,
  ];
}

function explainUnknown({
  key,
  name,
  suggestion,
  known,
}: Extract<EngineFailure, { kind: "unknown-engine" }>): Words {
  const meant = suggestion === undefined ? "" : ` Did you mean ${shown(suggestion)}?`;
  return [
    `There is no engine '${shown(name)}' (${key} in .wisp/config.yaml).${meant}`,
    `Known by name: ${known.join(", ")}. Any other is a command line:`,
    HOW_TO_NAME_ONE,
  ];
}
