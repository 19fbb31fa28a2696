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
  RepositoryLook,
} from "../../git/repository/repository-view.ts";
import { clip } from "../work/clip.ts";
import { BaselineFile, type TurnBaseline } from "./turn-baseline.ts";

/** Changes that one turn puts on record one by one; how many more there are is said in one sentence. */
const FACTS_MAX = 20;

interface MeanwhileParts {
  readonly git: GitContext;
  readonly home: Home;
  readonly session: SessionJson;
  /** Whose turns they are. */
  readonly role: Role;
}

const NOTHING_SAID: readonly (string | undefined)[] = [];

/** What came of it. */
export interface MeanwhileReport {
  readonly facts: readonly MeanwhileFact[];
  /** For people, beside the facts. */
  readonly notes: readonly string[];
}

/**
 * Looks at what a turn may change that no sandbox confines, and that is none of its business: references,
 * hooks, settings and index of the user's repository, and what people said. Who did it cannot be told, so
 * nothing is undone; a tip that nothing else keeps is kept. Each change is told once in a process, also
 * where several turns run at the same time.
 */
export class MeanwhileWatch {
  readonly #parts: MeanwhileParts;
  readonly #at: GitDirectory | undefined;
  readonly #look: RepositoryLook | undefined;
  readonly #words: LogFold<typeof HumanRecord, readonly (string | undefined)[]>;
  readonly #told = new Set<string>();
  readonly #kept: BaselineFile;
  #running = 0;

  constructor(parts: MeanwhileParts) {
    const { git, home, session, role } = parts;
    this.#parts = parts;
    this.#kept = new BaselineFile(git.files, join(session.state, role, "before-turn.json"));
    this.#at = locateGitDirectory(git.files, session.repository);
    this.#look = this.#at && new RepositoryLook(git.files, this.#at);
    this.#words = new LogFold({
      files: git.files,
      path: home.humanLog,
      schema: HumanRecord,
      empty: NOTHING_SAID,
      reduce: (words, record) => [...words, wordOf(record)],
    });
  }

  /** To be called right before a turn. Of several at the same time the look before the first is kept. */
  begin(): TurnBaseline {
    const look = { repository: this.#look?.look(), words: this.#said().length };
    if (this.#running === 0) this.#kept.write(look);
    this.#running += 1;
    return look;
  }

  /** To be called when what came of a turn is on record. */
  end(): void {
    this.#running -= 1;
    if (this.#running <= 0) this.#kept.remove();
  }

  /** The look before the turns in which the process before this one was killed; to be compared, and then ended. */
  interrupted(): TurnBaseline | undefined {
    const look = this.#kept.read();
    if (look !== undefined) this.#running += 1;
    return look;
  }

  /** What is otherwise than it was. */
  async compare(before: TurnBaseline): Promise<MeanwhileReport> {
    const now = this.#look?.look();
    const why = [before.repository, now].find((view) => typeof view === "string");
    const changes = await this.#changes(before.repository, now);
    const said = this.#said()
      .slice(before.words)
      .flatMap((word, index): readonly MeanwhileFact[] => {
        if (word === undefined || !this.#isNew(`said ${String(before.words + index)}`)) return [];
        return [{ place: "logs/human.log", how: "said", now: clip(word) }];
      });
    const rest = changes.length - FACTS_MAX;
    return {
      facts: [...said, ...changes.slice(0, FACTS_MAX)],
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
    const isLeftOut = (ref: string) => ref === own || ref.startsWith("refs/wisp/");
    const changes = repositoryChanges(before, now, isLeftOut).filter(
      ({ place, how, was, now: is }) => this.#isNew(JSON.stringify([place, how, was, is])),
    );
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

  /** The reference that keeps what the change would lose; undefined: nothing is lost, or it could not be kept. */
  async #keep({ place, was }: RepositoryChange): Promise<string | undefined> {
    const oid = Oid.safeParse(was);
    if (!oid.success || this.#at === undefined || place === "HEAD") return undefined;
    const { git, session } = this.#parts;
    const kept = await keepTip(git, {
      ...{ directory: session.repository, at: this.#at, session: session.id },
      ...{ ref: place, oid: oid.data },
    });
    return kept.ok ? kept.value : undefined;
  }

  /** What people said so far; undefined for words that decide nothing. A log that cannot be read says nothing new. */
  #said(): readonly (string | undefined)[] {
    const read = this.#words.refresh();
    return read.ok ? read.value : this.#words.value;
  }

  #isNew(key: string): boolean {
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}

/** As short as a person needs it; undefined for what steers the session and decides nothing about its work. */
function wordOf(record: HumanRecord): string | undefined {
  switch (record.kind) {
    case "pause":
    case "resume":
    case "stop":
    case "restart":
    case "budget":
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

function shown(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text);
}
