import { z } from "zod";
import { inSentences } from "../../base/words/in-sentences.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { Command } from "../../base/ports/processes.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { askProgram } from "../../host/processes/ask-program.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import type { World } from "../../workspace/world.ts";
import type { PullRequestText } from "../../views/review/pull-request-text.ts";

interface NotOpened {
  readonly session: string;
  readonly message: string;
}

/** The branch was pushed, but `gh` did not open a pull request. */
export const PullRequestFailure = refusal(
  "pull-request",
  EXIT.failure,
  ({ session, message }: NotOpened) => [
    inSentences(`gh did not open a pull request: ${shown(message)}`),
    "The branch was pushed, and nothing was removed. Solve the problem and run the command again, or open it yourself:",
    "gh auth status",
    `wisp done ${shellWord(session)}`,
    `wisp done ${shellWord(session)} --no-pr`,
  ],
);
type PullRequestFailure = ReturnType<typeof PullRequestFailure>;

/** What became of the pull request. */
export type PullRequest =
  | { readonly kind: "opened" | "there-already" | "updated"; readonly url: string }
  /** `gh` is not installed, or the remote is not on GitHub: a person has to open it. */
  | { readonly kind: "by-hand" };

const GH_MS_MAX = 60_000;
/** gh's error for a remote that is not on GitHub. */
const ELSEWHERE = /none of the git remotes/iu;
const URL = /https?:\/\/\S+/u;

/** gh's list of pull requests. */
const Known = z.array(z.object({ url: z.string(), body: z.string().catch("") }));

function knownIn(text: string): z.infer<typeof Known> {
  try {
    return Known.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

const [BEGIN, END] = ["<!-- wisp: begin -->", "<!-- wisp: end -->"];

/** The body with wisp's part replaced; what people wrote before and after it stays. */
export function withBody(present: string, body: string): string {
  const ours = `${BEGIN}\n${body.trimEnd()}\n${END}`;
  // GitHub returns text with CRLF line endings.
  const text = present.replaceAll("\r\n", "\n");
  const [from, to] = [text.indexOf(BEGIN), text.lastIndexOf(END)];
  const isThere = from >= 0 && to > from;
  const [before, after] = isThere
    ? [text.slice(0, from), text.slice(to + END.length)]
    : [text.trim() === "" ? "" : `${text.trimEnd()}\n\n`, "\n"];
  const whole = `${before}${ours}${after}`;
  return whole === text ? present : whole;
}

/** Opens a pull request by GitHub's own CLI; if this branch already has an open one, its body is updated. */
export async function openPullRequest(
  world: World,
  session: SessionJson,
  { title, body, base }: PullRequestText & { readonly base: string | undefined },
): Promise<Result<PullRequest, PullRequestFailure>> {
  const gh = findExecutable("gh", world);
  if (gh === undefined) return ok({ kind: "by-hand" });
  const run = (words: readonly string[], stdin: string) =>
    runGh({ argv: [gh, ...words], cwd: session.repository, env: world.env }, stdin);
  const { branch } = session;
  const known = ["pr", "list", "--head", branch, "--state", "open", "--json", "url,body"];
  const listed = await run(known, "");
  if (!listed.ok) return elsewhere(session, listed.failure);
  const [there] = knownIn(listed.value);
  if (there !== undefined) return await bringUpToDate(run, session, { there, body });
  const to = base === undefined ? [] : ["--base", base];
  const words = ["pr", "create", "--head", branch, ...to, "--title", title, "--body-file", "-"];
  const opened = await run(words, withBody("", body));
  if (!opened.ok) return elsewhere(session, opened.failure);
  const url = URL.exec(opened.value)?.[0];
  return url === undefined
    ? fail(PullRequestFailure({ session: session.id, message: "it did not print an address" }))
    : ok({ kind: "opened", url });
}

/** Replaces the pull request's body if it differs. */
async function bringUpToDate(
  run: (words: readonly string[], stdin: string) => Promise<Result<string, string>>,
  session: SessionJson,
  { there, body }: { readonly there: z.infer<typeof Known>[number]; readonly body: string },
): Promise<Result<PullRequest, PullRequestFailure>> {
  const { url } = there;
  const updated = withBody(there.body, body);
  if (updated === there.body) return ok({ kind: "there-already", url });
  const edited = await run(["pr", "edit", url, "--body-file", "-"], updated);
  return edited.ok ? ok({ kind: "updated", url }) : elsewhere(session, edited.failure);
}

function elsewhere({ id }: SessionJson, message: string): Result<PullRequest, PullRequestFailure> {
  return ELSEWHERE.test(message)
    ? ok({ kind: "by-hand" })
    : fail(PullRequestFailure({ session: id, message }));
}

/** Runs gh; returns what it printed, or its error message. */
async function runGh({ argv, cwd, env }: Command, stdin: string): Promise<Result<string, string>> {
  const answer = await askProgram(argv, {
    ...{ cwd, stdin, timeoutMs: GH_MS_MAX },
    env: { ...env, GH_PROMPT_DISABLED: "1", NO_COLOR: "1" },
  });
  if (answer.kind === "exited" && answer.exitCode === 0) return ok(answer.stdout);
  const stderr = answer.kind === "exited" ? answer.stderr : "";
  const message = cleanText(stderr, { charsMax: 400, lines: "one" });
  return fail(message === "" ? "it failed without a message" : message);
}
