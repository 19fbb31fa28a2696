import { attempted, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { WhyKind } from "../../base/choices.ts";
import type { Oid } from "../../base/oid.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { sentence } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { locate, NoSuchPlace, type FilePlace } from "../../actions/findings/locate.ts";
import { commitsNamed } from "../../git/repository/explained-commit.ts";
import type { Cli } from "../../terminal/cli.ts";
import { searchedWords } from "../../views/why/why-view.ts";
import { namedInSession } from "../../views/why/named-in-session.ts";
import type { KnownWithGaps } from "../../views/why/read-known-session.ts";
import { findSession } from "../../workspace/find-session.ts";
import { gitContext } from "../../workspace/world.ts";
import type { SessionSearch } from "./session-search.ts";

/** What a person asked about. */
export interface WhyQuestion {
  readonly word: string;
  readonly session: string | undefined;
  /** What the word names, if the person said so. */
  readonly as: WhyKind | undefined;
}

/** What a word names. */
export type Subject =
  | { readonly kind: "commit"; readonly sha: Oid }
  | { readonly kind: "line"; readonly place: FilePlace & { readonly line: number } }
  | { readonly kind: "finding"; readonly id: string; readonly in: KnownWithGaps }
  | { readonly kind: "milestone"; readonly name: string; readonly in: KnownWithGaps };

interface Asked {
  readonly word: string;
  readonly searched: readonly string[];
  readonly unread: readonly string[];
}

/** The word is no commit, and no record names it. */
export const NothingNamed = refusal(
  "nothing-named",
  EXIT.failure,
  ({ word, searched, unread }: Asked) => [
    `No record of ${searchedWords(searched)} names '${shown(word)}', and git knows no commit of that name.`,
    "wisp why takes a commit, path:line, the id of a finding or bug, or the name of a milestone.",
    ...unread.map((problem) => ({ detail: sentence("bad", problem).text })),
    "wisp findings",
    "wisp tasks",
  ],
);

/** The word names several things; lists the command for each. */
export const SeveralNamed = refusal(
  "several-named",
  EXIT.usage,
  ({ word, commands }: { readonly word: string; readonly commands: readonly string[] }) => [
    `'${shown(word)}' may mean one of several things.`,
    "To choose one:",
    ...commands,
  ],
);
type SubjectFailure = ReturnType<typeof NothingNamed> | ReturnType<typeof SeveralNamed>;

/** How many candidates are listed. */
const CANDIDATES_MAX = 20;

/** Decides what a word names: in git, on the session's branch, and in the newest session that names it. */
export async function subjectNamed(
  cli: Cli,
  search: SessionSearch,
  question: WhyQuestion,
): Promise<Result<Subject, SubjectFailure>> {
  const { word, as } = question;
  const named = [
    ...(await inRecords(search, word)),
    ...(await commitsNamed(gitContext(cli), search.top, word)).map(commitSubject),
  ];
  const asked = onceEach(named).filter(({ kind }) => as === undefined || kind === as);
  const line = as === undefined || as === "line" ? await lineIn(cli, question, asked) : undefined;
  const all = line === undefined ? asked : [...asked, line];
  const [only] = all;
  if (only === undefined) {
    const { searched, unread } = await search.summary();
    return fail(NothingNamed({ word, searched, unread }));
  }
  if (all.length === 1) return ok(only);
  const commands = all.slice(0, CANDIDATES_MAX).map((one) => commandFor(one, question));
  return fail(SeveralNamed({ word, commands }));
}

function commitSubject(sha: Oid): Subject {
  return { kind: "commit", sha };
}

/** What the records of the newest session say in which anything has this name. */
async function inRecords(search: SessionSearch, word: string): Promise<readonly Subject[]> {
  for await (const read of search.sessions()) {
    const { items, milestones, commits } = namedInSession(read.known, word);
    const subjects: readonly Subject[] = [
      ...items.map((id) => ({ kind: "finding", id, in: read }) as const),
      ...milestones.map((name) => ({ kind: "milestone", name, in: read }) as const),
      ...commits.map(commitSubject),
    ];
    if (subjects.length > 0) return subjects;
  }
  return [];
}

function onceEach(subjects: readonly Subject[]): readonly Subject[] {
  return [...new Map(subjects.map((one) => [`${one.kind} ${nameOf(one)}`, one])).values()];
}

function nameOf(subject: Subject): string {
  switch (subject.kind) {
    case "commit":
      return subject.sha;
    case "line":
      return `${subject.place.file}:${String(subject.place.line)}`;
    case "finding":
      return subject.id;
    case "milestone":
      return subject.name;
  }
}

function commandFor(subject: Subject, { session }: WhyQuestion): string {
  const where = session === undefined ? "" : ` --session ${shellWord(session)}`;
  return `wisp why ${shellWord(shown(nameOf(subject)))} --as ${subject.kind}${where}`;
}

/** A line on the branch of the session; that there is none matters only if nothing else has the name. */
async function lineIn(
  cli: Cli,
  { word, session, as }: WhyQuestion,
  others: readonly Subject[],
): Promise<Subject | undefined> {
  const isLine = /.:[1-9]\d{0,6}$/su.test(word);
  if (!isLine && as !== "line") return undefined;
  const found = findSession(cli.host.files, cli.cwd, session);
  if (!found.ok) return undefined;
  const place = await attempted(() => locate(cli, found.value.session, word));
  if (place.ok && place.value.line !== undefined) {
    return { kind: "line", place: { ...place.value, line: place.value.line } };
  }
  if (!place.ok && (others.length === 0 || !NoSuchPlace.is(place.failure))) need(place);
  return undefined;
}
