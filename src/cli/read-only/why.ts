import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import { ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { present } from "../../base/assert.ts";
import { explainedCommit, lineChangedIn } from "../../git/repository/explained-commit.ts";
import { sessionHub } from "../../workspace/session/session-hub.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { showView } from "../../terminal/show-view.ts";
import { commitStory, isMadeIn } from "../../views/why/commit-story.ts";
import { whyRows, type ExplainedLine, type WhyView } from "../../views/why/why-view.ts";
import { itemStory } from "../../views/why/item-story.ts";
import { milestoneStory } from "../../views/why/milestone-story.ts";
import { commitsNamedIn } from "../../views/why/named-in-session.ts";
import type { KnownWithGaps } from "../../views/why/read-known-session.ts";
import { allSessions, findSession } from "../../workspace/find-session.ts";
import { workTreeAround } from "../../workspace/sessions.ts";
import { gitContext } from "../../workspace/world.ts";
import { SessionSearch } from "./session-search.ts";
import { subjectNamed, type WhyQuestion, type Subject } from "./why-subject.ts";

interface WhyOptions extends WhyQuestion {
  readonly json: boolean;
}

/** `wisp why`: explains a commit, a line, a finding or a milestone, from the records alone. */
export async function why(cli: Cli, { json, ...question }: WhyOptions): Promise<Outcome> {
  const search = searchFor(cli, question.session);
  const subject = need(await subjectNamed(cli, search, question));
  const view = await explain(cli, { search, subject, question });
  showView(cli.terminal, { json, view, rows: () => whyRows(view) });
  return ok(EXIT.ok);
}

/** The session that is named, or all that can be named from here, newest first. */
function searchFor(cli: Cli, session: string | undefined): SessionSearch {
  const { files } = cli.host;
  if (session !== undefined) {
    const found = need(findSession(files, cli.cwd, session));
    const top = workTreeAround(files, cli.cwd) ?? found.session.repository;
    return new SessionSearch(cli, { top, found: [found], damaged: [] });
  }
  const { sessions, damaged } = need(allSessions(files, cli.cwd));
  const top = present(workTreeAround(files, cli.cwd), "sessions are searched in a repository");
  const found = [...sessions].sort(
    (one, other) => Date.parse(other.session.createdAt) - Date.parse(one.session.createdAt),
  );
  const words = damaged.map((one) => `${shown(one.session)} could not be read: ${one.problem}.`);
  return new SessionSearch(cli, { top, found, damaged: words });
}

interface Explaining {
  readonly search: SessionSearch;
  readonly subject: Subject;
  readonly question: WhyQuestion;
}

async function explain(cli: Cli, { search, subject, question }: Explaining): Promise<WhyView> {
  switch (subject.kind) {
    case "commit":
      return {
        kind: "commit",
        line: null,
        ...(await tellCommit(cli, search, question, subject.sha)),
      };
    case "line": {
      const { line, sha } = await lineOf(cli, question, subject);
      return { kind: "line", line, ...(await tellCommit(cli, search, question, sha)) };
    }
    case "finding": {
      const { known } = subject.in;
      const story = present(itemStory(known, subject.id), "an item that a session names is in it");
      return { ...sourceOf(question, subject.in), kind: "finding", story };
    }
    case "milestone": {
      const story = milestoneStory(subject.in.known, subject.name);
      return { ...sourceOf(question, subject.in), kind: "milestone", story };
    }
  }
}

function sourceOf({ word }: WhyQuestion, { known, unread }: KnownWithGaps) {
  const { id, branch } = known;
  return {
    schema: "wisp.why/1",
    asked: word,
    session: id,
    branch,
    searched: [id],
    unread,
  } as const;
}

/** The session that made the commit tells it or, if none did, the newest whose branch or records have it. */
async function tellCommit(cli: Cli, search: SessionSearch, question: WhyQuestion, sha: Oid) {
  const git = (await explainedCommit(gitContext(cli), search.top, sha)) ?? null;
  const read =
    (await search.first(({ known }) => isMadeIn(known, sha))) ??
    (await search.first(({ known }) => known.places?.has(sha) === true)) ??
    (await search.first(({ known }) => commitsNamedIn(known).has(sha)));
  if (read === undefined) {
    const told = {
      schema: "wisp.why/1",
      asked: question.word,
      session: null,
      branch: null,
    } as const;
    return { ...told, ...(await search.summary()), sha, git, story: null };
  }
  const story = commitStory(read.known, sha, git?.files);
  return { ...sourceOf(question, read), sha, git, story };
}

/** The line as the session's branch has it, and the commit that last changed it. */
async function lineOf(
  cli: Cli,
  { session }: WhyQuestion,
  { place }: Extract<Subject, { readonly kind: "line" }>,
): Promise<{ readonly line: ExplainedLine; readonly sha: Oid }> {
  const found = need(findSession(cli.host.files, cli.cwd, session));
  const { repository, branch } = found.session;
  const context = gitContext(cli);
  const at = present(await sessionHub(cli, found).head(branch), "the line is on the branch");
  const { file, line, anchor = "" } = place;
  const sha = need(await lineChangedIn(context, repository, { at, file, line }));
  return { line: { file, line, text: anchor, branch }, sha };
}
