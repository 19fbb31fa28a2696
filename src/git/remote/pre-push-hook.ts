import { z } from "zod";
import type { Oid } from "../../base/oid.ts";
import type { Environment } from "../../base/ports/processes.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { personEnvironment } from "../command/git-environment.ts";
import { assertOids } from "../command/object-ids.ts";
import { userGit, type UserContext } from "../command/git.ts";

/** The push before which the hook is run. */
interface HookPush {
  readonly directory: string;
  /** The name of a remote, or its URL. */
  readonly remote: string;
  readonly branch: string;
  readonly at: Oid;
}

/** The variable that names the file to which git writes what it starts, one JSON object a line. */
const TRACE = "GIT_TRACE2_EVENT";

/**
 * The words after `git`, and their environment, that run the person's pre-push hook as a push of theirs would, and
 * push nothing: the hook is in a dry run, too. So it runs once, however often the push itself has to be tried, and a
 * connection that is lost while it runs costs nothing. The hook is told the branch by name where that names the commit.
 */
export async function prePushRun(
  context: UserContext,
  { directory, remote, branch, at }: HookPush,
  tracePath: string,
): Promise<{ readonly args: readonly string[]; readonly env: Environment }> {
  assertOids(at);
  const ref = `refs/heads/${branch}`;
  const git = userGit(context, directory);
  const named = (await git.ask(["rev-parse", "--verify", "--quiet", ref]))?.trim();
  const args = [
    "push",
    ...["--dry-run", "--quiet", "--verify"],
    ...["--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--end-of-options"],
    remote,
    `${named === at ? ref : at}:${ref}`,
  ];
  return { args, env: { ...personEnvironment(context.environment), [TRACE]: tracePath } };
}

/** What a trace says about the hook. */
export type SeenHook =
  /** git ran none. */
  | { readonly kind: "none" }
  | { readonly kind: "exited"; readonly exitCode: number }
  /** It began, and its end was not recorded; or the trace cannot be read. */
  | { readonly kind: "unknown" };

const Event = z.object({
  event: z.string(),
  sid: z.string(),
  child_id: z.number().optional(),
  child_class: z.string().optional(),
  hook_name: z.string().optional(),
  code: z.number().optional(),
});

/** Reads from the trace of a push how its hook ended. The hook's own git commands write into the same file. */
export function hookInTrace(trace: string): SeenHook {
  const events = trace.split("\n").flatMap((line) => {
    const event = Event.safeParse(jsonOf(line));
    return event.success ? [event.data] : [];
  });
  const [first] = events;
  if (first === undefined) return { kind: "unknown" };
  const own = events.filter(({ sid }) => sid === first.sid);
  const isHook = (one: z.infer<typeof Event>) =>
    one.event === "child_start" && one.child_class === "hook" && one.hook_name === "pre-push";
  const starts = own.filter(isHook);
  if (starts.length === 0) return { kind: "none" };
  const ids = starts.map((one) => one.child_id);
  const codes = own
    .filter(({ event, child_id: id }) => event === "child_exit" && ids.includes(id))
    .flatMap(({ code }) => code ?? []);
  if (codes.length < starts.length) return { kind: "unknown" };
  return { kind: "exited", exitCode: codes.find((code) => code !== 0) ?? 0 };
}
