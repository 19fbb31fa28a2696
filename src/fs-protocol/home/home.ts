import { dirname, join } from "node:path";
import type { Role } from "../../base/role.ts";

/** Where everything of a session lies (design, "Where things live"). All paths absolute. */
export interface Home {
  readonly directory: string;
  readonly sessionJson: string;
  readonly request: string;
  /** Earlier versions of the request. */
  readonly requests: string;
  readonly tasks: string;
  readonly plans: string;
  /** What others wrote into files of the home, kept before those were put back. */
  readonly edits: string;
  readonly reviews: string;
  readonly bugs: string;
  readonly progress: string;
  readonly changes: string;
  readonly stuckHint: string;
  readonly logs: string;
  readonly turns: string;
  readonly milestones: string;
  readonly reviewerCheckpoint: string;
  readonly reviewerMilestone: string;
  readonly testerMilestone: string;
  readonly testerFinal: string;
  readonly builderDone: string;
  readonly humanLog: string;
  readonly supervisorLog: string;
  /** Of revisions of this session that are complete. */
  readonly revisions: string;
  readonly quarantine: string;
  readonly locks: string;
}

/** The paths of a session's home. */
export function homeAt(directory: string): Home {
  const logs = join(directory, "logs");
  return {
    directory,
    sessionJson: join(directory, "session.json"),
    request: join(directory, "request.md"),
    requests: join(directory, "requests"),
    tasks: join(directory, "TASKS.md"),
    plans: join(directory, "plans"),
    edits: join(directory, "edits"),
    reviews: join(directory, "REVIEWS.md"),
    bugs: join(directory, "BUGS.md"),
    progress: join(directory, "PROGRESS.txt"),
    changes: join(directory, "CHANGES.md"),
    stuckHint: join(directory, ".stuck-hint.md"),
    logs,
    turns: join(logs, "turns"),
    milestones: join(logs, "milestones.log"),
    reviewerCheckpoint: join(logs, "reviewer.checkpoint"),
    reviewerMilestone: join(logs, "reviewer.milestone"),
    testerMilestone: join(logs, "tester.milestone"),
    testerFinal: join(logs, "tester.final"),
    builderDone: join(logs, "builder.done"),
    humanLog: join(logs, "human.log"),
    supervisorLog: join(logs, "supervisor.log"),
    revisions: join(logs, "revisions.log"),
    quarantine: join(logs, "quarantine.log"),
    locks: join(directory, "locks"),
  };
}

/** The journal of a role: `logs/<role>.log`. */
export function roleLog(home: Home, role: Role): string {
  return join(home.logs, `${role}.log`);
}

/** The lease of a role or of the supervisor. */
export function leasePath(home: Home, holder: Role | "supervisor"): string {
  return join(home.locks, `${holder}.lock`);
}

/** A version of the request that is not the present one, counted from 0. */
export function requestPath(home: Home, version: number): string {
  return join(home.requests, `${String(version)}.md`);
}

/** A staged plan. */
export function planPath(home: Home, sha256: string): string {
  return join(home.plans, `${sha256}.md`);
}

const REVISION = /^revision-([1-9]\d{0,5})$/u;

/** Which revision's home a folder is, by its name; undefined: it is none. */
export function revisionNumber(name: string): number | undefined {
  const digits = REVISION.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The folder of a revision, inside its parent's home. */
export function revisionName(revision: number): string {
  return `revision-${String(revision)}`;
}

/** The home of a revision. */
export function revisionHome(parent: Home, revision: number): Home {
  return homeAt(join(parent.directory, revisionName(revision)));
}

/** The home of the session that a revision mends. */
export function parentHome(revision: Home): Home {
  return homeAt(dirname(revision.directory));
}
