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
  CHECKOUT_PLACE,
  checkoutChanges,
  CheckoutReader,
} from "../../git/repository/checkout-view.ts";
import {
  type RepositoryChange,
  repositoryChanges,
  RepositoryReader,
} from "../../git/repository/repository-view.ts";
import { clip } from "../clip.ts";
import { BaselineFile, type TurnBaseline } from "./turn-baseline.ts";
import { UnrecordedCommits } from "./unrecorded-commits.ts";

/** So many changes of one turn are recorded one by one; a note gives the number of the others. */
const FACTS_MAX = 20;

interface MeanwhileParts {
  readonly git: GitContext;
  readonly home: Home;
  readonly session: SessionJson;
  /** The role whose turns and commands are watched. */
  readonly role: Role;
  /** Whether a sandbox confines its engines: then only commands are watched. */
  readonly areTurnsConfined: boolean;
}

/** What is watched. */
export type Watched = "turn" | "command";

/** How the place of a commit begins that nobody recorded (`MeanwhileFact`). */
const COMMIT_PLACE = "commit ";

const NO_MESSAGES: readonly (string | undefined)[] = [];

/** The changes during a turn. */
export interface MeanwhileReport {
  readonly facts: readonly MeanwhileFact[];
  /** Sentences for people, in addition to the facts. */
  readonly notes: readonly string[];
}

/**
 * Detects changes that an unconfined turn or command could make but should not: to refs, hooks, settings, index and work
 * tree of the user's repository, to the session branch, and to the messages of people. Who made a change cannot be known,
 * so nothing is undone; a commit that would be lost is kept under a ref. A process reports each change once, even if
 * several turns run at the same time.
 */
export class MeanwhileWatch {
  readonly #parts: MeanwhileParts;
  readonly #gitDirectory: GitDirectory | undefined;
  readonly #repository: RepositoryReader | undefined;
  readonly #checkout: CheckoutReader | undefined;
  readonly #commits: UnrecordedCommits;
  readonly #messageLog: LogFold<typeof HumanRecord, readonly (string | undefined)[]>;
  readonly #reported = new Set<string>();
  readonly #baselineFile: BaselineFile;
  #running = 0;
  /** What was found while no unit was open, in whose name it could be recorded. */
  #held: MeanwhileReport = { facts: [], notes: [] };

  constructor(parts: MeanwhileParts) {
    const { git, home, session, role } = parts;
    this.#parts = parts;
    this.#baselineFile = new BaselineFile(git.files, join(session.state, role, "before-turn.json"));
    this.#gitDirectory = locateGitDirectory(git.files, session.repository);
    this.#repository = this.#gitDirectory && new RepositoryReader(git.files, this.#gitDirectory);
    const { files } = git;
    const { repository } = session;
    this.#checkout =
      this.#gitDirectory && new CheckoutReader({ git, files, directory: repository });
    this.#commits = new UnrecordedCommits({ git, files, home, repository });
    this.#messageLog = new LogFold({
      files: git.files,
      path: home.humanLog,
      schema: HumanRecord,
      empty: NO_MESSAGES,
      reduce: (messages, record) => [...messages, messageOf(record)],
    });
  }

  /** Whether a turn or a command is watched now. */
  get isWatching(): boolean {
    return this.#running > 0;
  }

  /**
   * To be called right before a turn or an unconfined command. If several run at the same time, the baseline of the first
   * stays on disk. Returns undefined if a sandbox confines it.
   */
  async begin(what: Watched): Promise<TurnBaseline | undefined> {
    if (what === "turn" && this.#parts.areTurnsConfined) return undefined;
    this.#running += 1;
    const isFirst = this.#running === 1;
    const checkout = await this.#checkout?.read();
    const repository = this.#repository?.read();
    const baseline = { repository, checkout, words: this.#messages().length };
    if (isFirst) this.#baselineFile.write(baseline);
    return baseline;
  }

  /** Keeps a report for the next comparison, because it cannot be recorded now. */
  hold({ facts, notes }: MeanwhileReport): void {
    this.#held = { facts: [...this.#held.facts, ...facts], notes: [...this.#held.notes, ...notes] };
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

  /** Returns what has changed since the baseline, and what was held. */
  async compare(before: TurnBaseline, what: Watched): Promise<MeanwhileReport> {
    const during = what === "command" ? { during: what } : {};
    const held = this.#held;
    this.#held = { facts: [], notes: [] };
    const now = this.#repository?.read();
    const checkout =
      typeof before.checkout === "object" ? await this.#checkout?.read(before.checkout) : undefined;
    const changes = [
      ...(await this.#changes(before.repository, now)),
      ...(await this.#commitsOf(before.repository, now)),
      ...this.#filesOf(before.checkout, checkout),
    ];
    const unseen = [
      ["the repository", [before.repository, now]] as const,
      ["your checkout", [before.checkout, checkout]] as const,
    ].flatMap(([what, views]) => {
      const why = views.find((view) => typeof view === "string");
      return why === undefined ? [] : [`what a turn changes in ${what} cannot be seen: ${why}`];
    });
    const messages = this.#messages()
      .slice(before.words)
      .flatMap((message, index): readonly MeanwhileFact[] => {
        if (message === undefined || !this.#isNew(`said ${String(before.words + index)}`))
          return [];
        return [{ place: "logs/human.log", how: "said", now: clip(message) }];
      });
    const rest = changes.length - FACTS_MAX;
    return {
      facts: [
        ...held.facts,
        ...[...messages, ...changes.slice(0, FACTS_MAX)].map((fact) => ({ ...fact, ...during })),
      ],
      notes: [
        ...held.notes,
        ...(rest > 0 ? [`${String(rest)} more places of the repository changed meanwhile`] : []),
        ...unseen.filter((why) => this.#isNew(why)),
      ],
    };
  }

  /** Commits that came onto the session branch, and which no role recorded. */
  async #commitsOf(
    before: TurnBaseline["repository"],
    now: TurnBaseline["repository"],
  ): Promise<readonly MeanwhileFact[]> {
    if (typeof before !== "object" || typeof now !== "object") return [];
    const own = `refs/heads/${this.#parts.session.branch}`;
    const found = await this.#commits.between(before.refs.get(own), now.refs.get(own));
    return found
      .filter((sha) => this.#isNew(`commit ${sha}`))
      .map((sha) => ({ place: `${COMMIT_PLACE}${sha}`, how: "added", now: own }));
  }

  #filesOf(
    before: TurnBaseline["checkout"],
    now: TurnBaseline["checkout"],
  ): readonly MeanwhileFact[] {
    if (typeof before !== "object" || typeof now !== "object") return [];
    return checkoutChanges(before, now)
      .filter(({ place, how }) =>
        this.#isNew(
          JSON.stringify([place, how, now.get(place.slice(CHECKOUT_PLACE.length))?.digest]),
        ),
      )
      .map(({ place, how }) => ({ place: clip(place), how }));
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
