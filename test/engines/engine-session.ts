import { dirname } from "node:path";
import { ROLES, type Role } from "../../src/base/role.ts";
import { ModelServer, type Script } from "../rig/model-server.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { driverOf } from "./cli-drivers.ts";
import { installed, type Installed } from "./installed.ts";
import { WORDS } from "./sights.ts";

/** A session of the real `wisp` whose turns real CLIs take, each with a scripted model. */
export interface EngineSession extends AsyncDisposable {
  readonly session: ProcessSession;
  /** In the order of the CLIs. */
  readonly models: readonly ModelServer[];
}

export interface EngineSessionOptions {
  /** The first CLI takes the turns, the others are its fallbacks; each with its model. */
  readonly engines: readonly (readonly [Installed, Script])[];
  /** The roles whose turns they take, by default all; `scenario` plays the others. */
  readonly roles?: readonly Role[];
  /** Whether the CLIs after the first are no fallbacks, but only used where the settings name them. */
  readonly isNamedOnly?: boolean;
  /** Roles whose turns another CLI than the first takes. */
  readonly cast?: Partial<Readonly<Record<Role, Installed>>>;
  readonly scenario?: string;
  /** More lines of `.wisp/config.yaml`. */
  readonly config?: string;
  /** Makes each CLI an agent for ACP; absent: they are driven by their own adapters. */
  readonly acp?: { readonly words: readonly string[]; readonly mode?: string };
  /** The value of `sandbox` in the settings; by default none. */
  readonly sandbox?: string;
}

/** Creates the repository, its settings and the models, which are disposed of together. */
export async function engineSession(options: EngineSessionOptions): Promise<EngineSession> {
  const { engines, roles = ROLES, cast = {}, scenario, config = "", sandbox = "none" } = options;
  const clis = engines.map(([cli]) => cli);
  const { acp, isNamedOnly = false } = options;
  const engineOf = (cli: Installed) =>
    acp === undefined
      ? cli
      : { acp: [cli, ...acp.words], ...(acp.mode === undefined ? {} : { mode: acp.mode }) };
  const models = await Promise.all(
    engines.map(([cli, script]) => ModelServer.start(driverOf(cli).dialect, script)),
  );
  const [first = "claude"] = clis;
  const settings = {
    ...(acp === undefined && !isNamedOnly ? { engines: clis } : {}),
    roles: Object.fromEntries(
      roles.map((role) => {
        const cli = cast[role] ?? first;
        return [role, { ...settingOf(cli), engine: engineOf(cli) }];
      }),
    ),
  };
  const yaml = Object.entries(settings).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  const session = processSession({
    scenario: scenario ?? "",
    config: `${yaml.join("")}${config}`,
    sandbox,
    files: { "request.md": `# Sums\n\nDo the thing (${WORDS.request}).\n` },
  });
  const home = session.env["HOME"] ?? "";
  const variables = models.flatMap((served, at) =>
    Object.entries(driverOf(clis[at] ?? first).connect(home, served.url)),
  );
  const directories = clis.map((cli) => dirname(installed(cli)));
  Object.assign(session.env, Object.fromEntries(variables), {
    PATH: [...directories, session.env["PATH"]].join(":"),
  });
  return {
    session,
    models,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      for (const served of models) await served[Symbol.asyncDispose]();
    },
  };
}

function settingOf(cli: Installed) {
  const { model } = driverOf(cli);
  return {
    engine: cli,
    ...(model === undefined ? {} : { model }),
    // The rig finds leftover processes by this.
    env: [
      "WISP_TEST_ROOT",
      "ANTHROPIC_*",
      "OPENAI_*",
      "CODEX_*",
      "QWEN_*",
      "OPENCODE_*",
      "COPILOT_*",
      "GEMINI_*",
      "GOOGLE_*",
      "npm_config_offline",
    ],
  };
}
