import { milestoneGaveUp } from "../../src/session/state/gave-up.ts";
import type { ProjectionsFold } from "./fold-projections.ts";
import type { JudgeFold } from "../../src/session/state/fold-judge.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** The state of a session according to the role logs or the projections, in a comparable form. */
export interface SessionSays {
  readonly milestones: readonly string[];
  readonly checkpoint: string | undefined;
  readonly commitsGivenUp: readonly string[];
  /** Milestones; those whose unit gave up are marked. */
  readonly reviewed: readonly string[];
  readonly tested: readonly string[];
  readonly final: string | undefined;
  /** Ids and levels. */
  readonly findings: readonly string[];
  readonly bugs: readonly string[];
  readonly judged: readonly string[];
  readonly ending: string;
}

type Told = Pick<SessionState, "builder" | "reviewer" | "tester">;

/** What the role logs say. */
export function logsSay({ builder, reviewer, tester }: Told): SessionSays {
  const { finalN, reopens } = builder;
  const done = lastEndOf(builder);
  const reason = done?.how === "stuck" ? done.reason : "";
  const end = done === undefined ? "goes on" : `${done.how} ${done.head} ${reason}`;
  const commits = [...reviewer.gaveUp.values()].filter(({ of }) => of === "commit");
  return {
    milestones: builder.milestones.map(({ name, start, end: last }) => `${name} ${start} ${last}`),
    checkpoint: reviewer.checkpoint,
    commitsGivenUp: sorted(commits.map(({ subject }) => subject)),
    reviewed: answeredBy(reviewer),
    tested: answeredBy(tester),
    final:
      tester.finalAt === undefined
        ? undefined
        : passText(tester.finalDone, tester.finalAt, tester.finalGaveUp, tester.finalVerify),
    findings: openIn(reviewer),
    bugs: openIn(tester),
    judged: sorted([...reviewer.judged.keys(), ...tester.judged.keys()]),
    ending: endingText(end, finalN, reopens),
  };
}

function answeredBy(judge: JudgeFold): readonly string[] {
  return sorted(
    [...judge.answered].map((name) => answerText(name, milestoneGaveUp(judge, name) !== undefined)),
  );
}

function openIn({ open, items }: JudgeFold): readonly string[] {
  return sorted([...open].map((id) => `${id} ${items.get(id)?.level ?? ""}`));
}

/** What the projections say. */
export function projectionsSay(fold: ProjectionsFold): SessionSays {
  const { ended, finalN, reopens } = fold.ending;
  const reason = ended?.kind === "stuck" ? ended.reason : "";
  const end = ended === undefined ? "goes on" : `${ended.kind} ${ended.sha} ${reason}`;
  const answers = (answered: ProjectionsFold["reviewed"]) =>
    sorted([...answered].map(([name, { gaveUp }]) => answerText(name, gaveUp)));
  const open = (items: ProjectionsFold["findings"]) =>
    sorted([...items.open].map((id) => `${id} ${items.levels.get(id) ?? ""}`));
  return {
    milestones: fold.milestones.map(({ name, start, end: last }) => `${name} ${start} ${last}`),
    checkpoint: fold.commits.checkpoint,
    commitsGivenUp: sorted([...fold.commits.gaveUp]),
    reviewed: answers(fold.reviewed),
    tested: answers(fold.tested),
    final:
      fold.final && passText(fold.final.n, fold.final.at, fold.final.gaveUp, fold.final.verify),
    findings: open(fold.findings),
    bugs: open(fold.bugs),
    judged: sorted([...fold.findings.judged, ...fold.bugs.judged]),
    ending: endingText(end, finalN, reopens),
  };
}

function answerText(name: string, gaveUp: boolean): string {
  return gaveUp ? `${name} (given up)` : name;
}

function passText(n: number, at: string, gaveUp: boolean, verify = "unverified"): string {
  return `${answerText(String(n), gaveUp)} at ${at}, ${verify}`;
}

function endingText(end: string, finalN: number, reopens: number): string {
  return `${end}; final pass ${String(finalN)}; reopened ${String(reopens)} times`;
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...texts].sort();
}
