import type { z } from "zod";
import { Oid } from "../../base/oid.ts";
import type { Files } from "../../base/ports/files.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { userGit, type UserContext } from "../../git/command/git.ts";
import { linesOf } from "../../git/command/raw-output.ts";

/** Commits whose intent is on record: whether they came from a remote, by id. */
type Intended = ReadonlyMap<string, { readonly isFromRemote: boolean }>;

interface UnrecordedParts {
  readonly git: UserContext;
  readonly files: Files;
  readonly home: Home;
  /** The user's repository. */
  readonly repository: string;
}

/** A branch without more than this number of new commits is looked at; of the others only the tip. */
const COMMITS_MAX = 1_000;

/**
 * Finds commits that came onto the session branch although no role said that it would publish them: roles append a
 * `push.intent` first. Reads the logs of the builder and the tester, as far as they have grown, and runs one git, only
 * when the branch has moved.
 */
export class UnrecordedCommits {
  readonly #parts: UnrecordedParts;
  readonly #logs: readonly { refresh(): { readonly ok: boolean }; readonly value: Intended }[];

  constructor(parts: UnrecordedParts) {
    const { files, home } = parts;
    this.#parts = parts;
    const passesOver = (line: string) => !line.includes(" push.intent ");
    const empty: Intended = new Map();
    const shared = { files, empty, reduce: withIntent, passesOver };
    this.#logs = [
      new LogFold({ ...shared, path: roleLog(home, "builder"), schema: BuilderRecord }),
      new LogFold({ ...shared, path: roleLog(home, "tester"), schema: TesterRecord }),
    ];
  }

  /** Such commits that are on the branch now and were not there before, oldest first. */
  async between(was: string | undefined, now: string | undefined): Promise<readonly Oid[]> {
    const tip = Oid.safeParse(now);
    const base = Oid.safeParse(was);
    if (!tip.success || !base.success || tip.data === base.data) return [];
    const intended = this.#intended();
    const { git, repository } = this.#parts;
    const most = `--max-count=${String(COMMITS_MAX)}`;
    const args = ["rev-list", "--first-parent", most, tip.data, `^${base.data}`, "--"];
    const printed = await userGit(git, repository).ask(args);
    const newest = printed === undefined ? [tip.data] : linesOf(printed);
    const found: Oid[] = [];
    let isFromRemote = false;
    for (const sha of newest) {
      const intent = intended.get(sha);
      if (intent !== undefined) ({ isFromRemote } = intent);
      // What a remote's tip brought along is not named one by one.
      else if (!isFromRemote) found.unshift(Oid.parse(sha));
    }
    return found;
  }

  #intended(): Intended {
    // A log that cannot be read now is read as far as it was.
    for (const log of this.#logs) log.refresh();
    return new Map(this.#logs.flatMap(({ value }) => [...value]));
  }
}

function withIntent(
  intended: Intended,
  record: z.infer<typeof BuilderRecord> | z.infer<typeof TesterRecord>,
): Intended {
  if (record.kind !== "push.intent") return intended;
  const isFromRemote = decodeUnit(record.unit)?.kind === "remote";
  return new Map([...intended, ...record.shas.map((sha) => [sha, { isFromRemote }] as const)]);
}
