import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** Does everything, with one file and one commit per turn; each prompt is saved. */
const WORKS = String.raw`
  plan(t) {
    keep(t);
    t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n");
  },
  build(t) {
    keep(t);
    t.put(encodeURIComponent(t.milestone) + ".txt", t.milestone + "\n");
    t.commit("Build " + t.milestone.slice(0, 20));
    t.tick();
  },
  "review-commit": looked,
  "review-milestone": looked,
  test: looked,
  "final-test": looked,
};

function looked(t) {
  keep(t);
  t.passed();
}

function keep(t) {
  const name = [t.purpose, t.unit].join(" ").replace(/[^a-z0-9]+/gi, "-");
  t.put(process.env.HOME + "/../prompts/" + name, t.prompt);
  const [request = ""] = /\/\S+\/request\.md/.exec(t.prompt) ?? [];
  t.put(process.env.HOME + "/../requests/" + name, t.has(request) ? t.read(request) : "");
}

const nothing = {
`;

/** Text of the request that no prompt may contain. */
export const FILLER = "This sentence stands for all that a long request explains.";

/** A session whose agents do everything, with one file and one commit per turn. */
export function worksIn(config = ""): ProcessSession {
  const session = processSession({ scenario: WORKS, config });
  for (const folder of ["prompts", "requests"]) mkdirSync(join(session.root, folder));
  return session;
}

/** The request of each turn, as the agent read it at the path that the prompt names. */
export function requestsReadIn(session: ProcessSession): readonly string[] {
  return keptIn(session, "requests");
}

/** The prompts that the engines received, as the agent saved them in each turn. */
export function promptsOf(session: ProcessSession): readonly string[] {
  return keptIn(session, "prompts");
}

function keptIn(session: ProcessSession, folder: string): readonly string[] {
  const directory = join(session.root, folder);
  return readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
}

/** The session ended complete, with these milestones, and nothing in its home is wrong. */
export async function expectComplete(
  session: ProcessSession,
  names: readonly string[],
): Promise<void> {
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(history.builder.fold.milestones.map(({ name }) => name)).toEqual(names);
}

const Listed = z.array(
  z.object({
    category: z.string().optional(),
    description: z.string(),
    steps: z.array(z.string()),
    passes: z.boolean(),
    milestone: z.string(),
  }),
);

/** What `wisp tasks --json` prints. */
export async function listed(
  session: ProcessSession,
  name?: string,
): Promise<z.infer<typeof Listed>> {
  const words = name === undefined ? [] : [name];
  const { code, stdout } = await session.wisp("tasks", ...words, "--json");
  expect(code).toBe(0);
  return Listed.parse(JSON.parse(stdout));
}
