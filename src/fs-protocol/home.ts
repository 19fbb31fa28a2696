import { join } from "node:path";
import type { Role } from "../base/role.ts";

/** Where everything of a session lies (design, "Where things live"). All paths absolute. */
export interface Home {
  readonly directory: string;
  readonly sessionJson: string;
  readonly request: string;
  /** Earlier versions of the request. */
  readonly requests: string;
  readonly tasks: string;
  readonly plans: string;
  readonly reviews: string;
  readonly bugs: string;
  readonly progress: string;
  readonly changes: string;
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
    reviews: join(directory, "REVIEWS.md"),
    bugs: join(directory, "BUGS.md"),
    progress: join(directory, "PROGRESS.txt"),
    changes: join(directory, "CHANGES.md"),
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
