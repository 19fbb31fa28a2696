import { join } from "node:path";
import { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import type { MeanwhileFact } from "../../fs-protocol/records/meanwhile-record.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { locateGitDirectory, type GitDirectory } from "../../git/command/git-directory.ts";
import type { GitContext } from "../../git/command/git-environment.ts";
import { keepTip } from "../../git/repository/kept-refs.ts";
import {
  type RepositoryChange,
  repositoryChanges,
  RepositoryReader,
} from "../../git/repository/repository-view.ts";
import { clip } from "../clip.ts";
import { BaselineFile, type TurnBaseline } from "./turn-baseline.ts";

/** So many changes of one turn are recorded one by one; a note gives the number of the others. */
const FACTS_MAX = 20;

interface MeanwhileParts {
  readonly git: GitContext;
  readonly home: Home;
  readonly session: SessionJson;
  /** The role whose turns are watched. */
  readonly role: Role;
}

const NO_MESSAGES: readonly (string | undefined)[] = [];

/** The changes during a turn. */
export interface MeanwhileReport {
  readonly facts: readonly MeanwhileFact[];
  /** Sentences for people, in addition to the facts. */
  readonly notes: readonly string[];
}

/**
 * Detects changes that an unconfined turn could make but should not: to refs, hooks, settings and index of the user's
 * repository, and to the messages of people. Who made a change cannot be known, so nothing is undone; a commit that
 * would be lost is kept under a ref. A process reports each change once, even if several turns run at the same time.
 */
export class MeanwhileWatch {
  readonly #parts: MeanwhileParts;
  readonly #gitDirectory: GitDirectory | undefined;
  readonly #repository: RepositoryReader | undefined;
  readonly #messageLog: LogFold<typeof HumanRecord, readonly (string | undefined)[]>;
  readonly #reported = new Set<string>();
  readonly #baselineFile: BaselineFile;
  #running = 0;

  constructor(parts: MeanwhileParts) {
    const { git, home, session, role } = parts;
    this.#parts = parts;
    this.#baselineFile = new BaselineFile(git.files, join(session.state, role, "before-turn.json"));
    this.#gitDirectory = locateGitDirectory(git.files, session.repository);
    this.#repository = this.#gitDirectory && new RepositoryReader(git.files, this.#gitDirectory);
    this.#messageLog = new LogFold({
      files: git.files,
      path: home.humanLog,
      schema: HumanRecord,
      empty: NO_MESSAGES,
      reduce: (messages, record) => [...messages, messageOf(record)],
    });
  }

  /** To be called right before a turn. If several run at the same time, the baseline of the first stays on disk. */
  begin(): TurnBaseline {
    const baseline = { repository: this.#repository?.read(), words: this.#messages().length };
    if (this.#running === 0) this.#baselineFile.write(baseline);
    this.#running += 1;
    return baseline;
  }

  /** To be called after the changes during a turn were recorded. */
  end(): void {
    this.#running -= 1;
    if (this.#running <= 0) this.#baselineFile.remove();
  }

  /** The baseline of the turns during which the previous process was killed; to be compared and then ended. */
  interrupted(): TurnBaseline | undefined {
    const baseline = this.#baselineFile.read();
    if (baseline !== undefined) this.#running += 1;
    return baseline;
  }

  /** Returns what has changed since the baseline. */
  async compare(before: TurnBaseline): Promise<MeanwhileReport> {
    const now = this.#repository?.read();
    const why = [before.repository, now].find((view) => typeof view === "string");
    const changes = await this.#changes(before.repository, now);
    const messages = this.#messages()
      .slice(before.words)
      .flatMap((message, index): readonly MeanwhileFact[] => {
        if (message === undefined || !this.#isNew(`said ${String(before.words + index)}`))
          return [];
        return [{ place: "logs/human.log", how: "said", now: clip(message) }];
      });
    const rest = changes.length - FACTS_MAX;
    return {
      facts: [...messages, ...changes.slice(0, FACTS_MAX)],
      notes: [
        ...(rest > 0 ? [`${String(rest)} more places of the repository changed meanwhile`] : []),
        ...(why !== undefined && this.#isNew(why)
          ? [`what a turn changes in the repository cannot be seen: ${why}`]
          : []),
      ],
    };
  }

  async #changes(
    before: TurnBaseline["repository"],
    now: TurnBaseline["repository"],
  ): Promise<readonly MeanwhileFact[]> {
    if (typeof before !== "object" || typeof now !== "object") return [];
    const own = `refs/heads/${this.#parts.session.branch}`;
    const isIgnored = (ref: string) => ref === own || ref.startsWith("refs/wisp/");
    const changes = repositoryChanges(before, now, isIgnored).filter(
      ({ place, how, was, now: is }) => this.#isNew(JSON.stringify([place, how, was, is])),
    );
    // Only the first ones are recorded: a hook must not hide behind branches.
    changes.sort((one, other) => Number(isRef(one.place)) - Number(isRef(other.place)));
    const facts: MeanwhileFact[] = [];
    for (const change of changes) {
      facts.push({
        ...change,
        was: shown(change.was),
        now: shown(change.now),
        rescue: await this.#keep(change),
      });
    }
    return facts;
  }

  /** The ref that keeps a commit which the change would lose; undefined if none is lost or it could not be kept. */
  async #keep({ place, was }: RepositoryChange): Promise<string | undefined> {
    const oid = Oid.safeParse(was);
    if (!oid.success || this.#gitDirectory === undefined || place === "HEAD") return undefined;
    const { git, session } = this.#parts;
    const kept = await keepTip(git, {
      ...{ directory: session.repository, at: this.#gitDirectory, session: session.id },
      ...{ ref: place, oid: oid.data },
    });
    return kept.ok ? kept.value : undefined;
  }

  /** The messages of people so far (`messageOf`). If the log cannot be read, only those that were read before. */
  #messages(): readonly (string | undefined)[] {
    const read = this.#messageLog.refresh();
    return read.ok ? read.value : this.#messageLog.value;
  }

  #isNew(key: string): boolean {
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    return true;
  }
}

/** A short text for people; undefined for records that steer the session and decide nothing about its work. */
function messageOf(record: HumanRecord): string | undefined {
  switch (record.kind) {
    case "pause":
    case "resume":
    case "stop":
    case "restart":
    case "budget":
    case "budget.give":
    case "budget.grant":
    case "moved":
      return undefined;
    case "answer":
      return `answer ${record.question}: ${record.text}`;
    case "add":
      return `add ${record.finding.brief}`;
    case "dismiss":
      return `dismiss ${record.id}`;
    default:
      return record.kind;
  }
}

function isRef(place: string): boolean {
  return place === "HEAD" || place.startsWith("refs/");
}

function shown(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text);
}
