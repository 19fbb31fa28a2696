import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { detectBuild } from "../../settings/detect/detect-build.ts";
import { detectSetup } from "../../settings/detect/detect-setup.ts";
import { detectVerify } from "../../settings/detect/detect-verify.ts";
import { DETECTED_FROM, type RootFiles } from "../../settings/detect/root-files.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";

/**
 * Adopts the verify command of the project that a milestone brings, in a session that has none: this milestone is the
 * first one that it judges. Only commands of wisp's own table are adopted, never words of a file, and none where the
 * person's settings say something about verify, be it `false`.
 *
 * @returns the session's state, with what was adopted
 */
export async function adoptVerify(
  context: RoleContext<"builder">,
  state: SessionState,
  { m, at }: { readonly m: string; readonly at: Oid },
): Promise<SessionState> {
  const { session, journal, reader } = context;
  const { adopts = [] } = session.policy;
  if (session.verify.length > 0 || !adopts.includes("verify")) return state;
  const root = await rootFilesAt(await context.clone(), at);
  const setup = adopts.includes("setup") ? detectSetup(root) : undefined;
  const verify = detectVerify(root, setup);
  if (verify === undefined) return state;
  const build = adopts.includes("build") ? detectBuild(root) : undefined;
  const argvs = (all: readonly (readonly string[])[]) => all.map((argv) => [...argv]);
  const commands = {
    verify: argvs(verify.commands),
    setup: setup === undefined ? session.setup : argvs(setup.commands),
    build: build === undefined ? (session.build ?? []) : argvs(build.commands),
  };
  const words = verify.commands.map((argv) => argv.join(" ")).join(" && ");
  const text = `"${m}" brought ${verify.from}: \`${words}\` verifies this session from here on`;
  const time = journal.time();
  journal.append(
    { kind: "verify.adopt", time, m, at, from: verify.from, ...commands },
    { kind: "note", time, text: clip(text) },
  );
  // From here on the commands of the session are these.
  return need(await reader.read());
}

/** The root folder of a commit, as detection sees it. */
async function rootFilesAt(clone: Pick<Clone, "filesAt" | "show">, at: Oid): Promise<RootFiles> {
  const paths = need(await clone.filesAt(at)).map(({ path }) => path);
  const names = new Set(paths.map((path) => path.split("/", 1)[0] ?? path));
  const texts = new Map<string, string>();
  for (const name of DETECTED_FROM.filter((each) => paths.includes(each))) {
    const text = need(await clone.show(at, name));
    if (text !== undefined) texts.set(name, text);
  }
  return { names, read: (name) => texts.get(name) };
}
