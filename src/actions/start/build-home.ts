import { need } from "../../base/fatal.ts";
import { homeAt, planPath, type Home } from "../../fs-protocol/home/home.ts";
import { encodeSession, type SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { CompiledRequest } from "../../session/rules/compile-request.ts";
import type { World } from "../../workspace/world.ts";
import { firstPlan } from "./first-plan.ts";

/** The content of a new home's files. */
interface NewHome {
  readonly session: SessionJson;
  readonly request: Uint8Array;
  /** For a request that is a plan. */
  readonly plan: CompiledRequest | undefined;
  /** The beginning of its PROGRESS.txt; absent: the builder begins it. */
  readonly progress?: string | undefined;
}

/** Where a home is built, and its final place. */
interface HomePlace {
  /** Absolute path under a temporary name, which nothing reads. */
  readonly draft: string;
  readonly home: Home;
}

/**
 * Builds a home under a temporary name and renames it into place: all of it is there, or nothing.
 */
export function buildHome(
  { host: { files, directories } }: Pick<World, "host">,
  contents: NewHome,
  { draft: directory, home }: HomePlace,
): Home {
  const draft = homeAt(directory);
  try {
    for (const one of [draft.directory, draft.plans, draft.logs, draft.turns, draft.locks]) {
      need(files.makeDirectory(one));
    }
    for (const [path, bytes] of filesOf(draft, contents)) need(files.create(path, bytes));
    need(directories.move(draft.directory, home.directory));
    return home;
  } catch (thrown) {
    directories.removeTree(draft.directory);
    throw thrown;
  }
}

function filesOf(
  draft: Home,
  { session, request, plan: compiled, progress }: NewHome,
): readonly (readonly [path: string, bytes: Uint8Array])[] {
  const plan = compiled && firstPlan(compiled, session.createdAt);
  const text = (words: string) => Buffer.from(words);
  return [
    [draft.sessionJson, text(encodeSession(session))],
    [draft.request, request],
    ...(progress === undefined ? [] : [[draft.progress, text(progress)] as const]),
    ...(plan === undefined ? [] : [[planPath(draft, plan.sha256), plan.bytes] as const]),
    // They exist from the start, so that `tail -f` finds them.
    [draft.milestones, text("")],
    [draft.reviews, text("")],
    [draft.bugs, text("")],
    [draft.humanLog, text(plan?.record ?? "")],
  ];
}
