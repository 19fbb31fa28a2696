import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { mirroredFiles, placeIn } from "../process/far-files.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import {
  processSession,
  type ProcessSession,
  type ProcessSessionOptions,
} from "../rig/process-session.ts";

/** Each of the milestones waits in its turn until it may go on. */
const WAITS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say goodbye\n"),
  async build(t) {
    const { appendFileSync, existsSync, mkdirSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    mkdirSync("GATES", { recursive: true });
    t.put("draft-" + t.milestone + ".txt", "not committed\n");
    appendFileSync("GATES/begun-" + t.milestone, "begun\n");
    while (!existsSync("GATES/go-" + t.milestone)) await setTimeout(20);
    t.put(t.milestone + ".txt", "built\n");
    t.commit("Build " + t.milestone);
    t.tick();
  },
`;

/** The text of a module whose builder waits at gates in a directory. */
export function waitingScenario(gates: string): string {
  return `export default {\n${gatedBody(gates)}\n};\n`;
}

function gatedBody(gates: string): string {
  return WAITS.replaceAll("GATES", gates);
}

/** How a session whose turns wait at gates is started. */
export interface GatedWishes {
  /** The executor as the settings of a person describe it: one line of YAML. Absent: none is described. */
  readonly executor?: string;
  /** The directory of the gates, as the engine there names it. */
  readonly gates: string;
  /** A path at the place as this machine names it. Absent: both name it alike. */
  readonly here?: (path: string, placeId: string) => string;
  readonly options?: Omit<ProcessSessionOptions, "scenario">;
  /** What is done in the repository before the session starts. */
  readonly prepare?: (rig: ProcessSession) => void;
  /** More purposes of the scenario, each followed by a comma. */
  readonly more?: string;
  /** Where it is started: an executor, or `here`. Absent: `box`, the one that is described. */
  readonly on?: string;
  /** More variables of what is started here. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A session whose turns wait at gates. */
export interface GatedSession extends AsyncDisposable {
  readonly rig: ProcessSession;
  /** The mirror here. */
  readonly home: string;
  /** The root of its place, as this machine names it. */
  readonly root: () => string;
  readonly far: () => string;
  readonly gate: (milestone: string) => {
    /** Waits until its turn has begun so many times. */
    readonly begun: (times?: number) => Promise<void>;
    readonly open: () => void;
  };
  /** Waits until the session, which is elsewhere, is complete here too, and checks that nothing is missing or doubled. */
  readonly isWhole: () => Promise<void>;
  /** The same of a session that is here. */
  readonly isWholeHere: () => Promise<void>;
}

/** Starts a session on an executor that is called `box`, or here. */
export async function startGated(wishes: GatedWishes): Promise<GatedSession> {
  const { executor, gates, here = (path: string) => path, on = "box", options, env } = wishes;
  const { more = "" } = wishes;
  const rig = processSession({ ...options, scenario: gatedBody(gates) + more });
  // The home stays the one of the rig, which finds by it what it started.
  Object.assign(rig.env, env, { HOME: rig.env["HOME"] });
  const settings = join(String(rig.env["HOME"]), ".config/wisp");
  mkdirSync(settings, { recursive: true });
  if (executor !== undefined) {
    writeFileSync(join(settings, "config.yaml"), `executors:\n  box: ${executor}\n`);
  }
  wishes.prepare?.(rig);
  rig.write("words.md", "# Words\n\nSay words.\n");
  const where = on === "here" ? [] : ["--on", on];
  const started = await rig.wisp("start", "words.md", ...where, "--yes", "--detach");
  expect(started, started.stderr).toMatchObject({ code: 0 });
  const home = rig.home("words");
  const isMirror = () =>
    existsSync(join(home, "place.json")) &&
    readFileSync(join(home, "place.json"), "utf8").includes('"mirrors"');
  const at = (path: string) => (isMirror() ? here(path, placeIn(home).id) : path);
  const root = () => at(placeIn(home).root);
  const far = () => join(root(), "repository/.wisp/sessions/words");
  const signs = () => (isMirror() ? signsIn(far()) : "") + signsIn(home);
  const gate = (milestone: string) => ({
    begun: (times = 1) =>
      eventually(
        () => {
          const notes = at(join(gates, `begun-${milestone}`));
          const text = existsSync(notes) ? readFileSync(notes, "utf8") : "";
          expect(text).toBe("begun\n".repeat(times));
        },
        { signs },
      ),
    open: () => {
      mkdirSync(at(gates), { recursive: true });
      writeFileSync(at(join(gates, `go-${milestone}`)), "");
    },
  });
  const session = { rig, home, root, far };
  return {
    ...{ ...session, gate },
    ...{ isWhole: () => expectWhole(session), isWholeHere: () => expectWholeHere(session) },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

async function expectWhole({
  rig,
  home,
  root,
  far,
}: Pick<GatedSession, "rig" | "home" | "root" | "far">): Promise<void> {
  const signs = () => signsIn(far()) + signsIn(home);
  await eventually(
    () => expect(readFileSync(join(far(), "logs/builder.done"), "utf8")).toContain("complete|"),
    { signs },
  );
  await eventually(() => expect(mirroredFiles(home)).toEqual(mirroredFiles(far())), { signs });
  const repository = join(root(), "repository");
  const head = execFileSync("git", ["-c", "safe.directory=*", "rev-parse", "wisp/words"], {
    cwd: repository,
  }).toString();
  await eventually(() => expect(rig.git("rev-parse", "wisp/words")).toBe(head.trim()), { signs });
  await expectBuilt({ rig });
}

async function expectWholeHere({ rig, home }: Pick<GatedSession, "rig" | "home">): Promise<void> {
  const done = () => readFileSync(join(home, "logs/builder.done"), "utf8");
  await eventually(() => expect(done()).toContain("complete|"), { signs: () => signsIn(home) });
  await expectBuilt({ rig });
}

async function expectBuilt({ rig }: Pick<GatedSession, "rig">): Promise<void> {
  expect(rig.git("ls-tree", "--name-only", "wisp/words")).toContain("Two.txt");
  const subjects = rig.git("log", "--format=%s", "wisp/words").split("\n");
  expect(subjects.filter((subject) => subject.startsWith("Build"))).toEqual([
    "Build Two",
    "Build One",
  ]);
  expect((await rig.wisp("status", "words")).stdout).toContain("complete");
}
