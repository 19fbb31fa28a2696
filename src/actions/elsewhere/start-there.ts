import { basename, join } from "node:path";
import { z } from "zod";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { lateObject } from "../../base/late-object.ts";
import type { Executor, Place } from "../../base/ports/executor.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import { askFar, farCommand, type FarProgram } from "../../remote/far-program.ts";
import { EXECUTOR_NAME } from "../../settings/schema/executors-setting.ts";
import type { World } from "../../workspace/world.ts";
import { loginLines } from "../settings/login-lines.ts";
import type { Request } from "../start/read-request.ts";
import { NotLoggedInThere } from "./not-logged-in-there.ts";
import type { StartingHome } from "../../workspace/starting-note.ts";

/** The wisp at a place refused to start the session. */
export const StartRefusedThere = refusal(
  "start-refused-there",
  EXIT.failure,
  ({ executor, said }: { readonly executor: string; readonly said: readonly string[] }) => [
    `The session could not be started on ${shown(executor)}.`,
    "The wisp there says:",
    ...said.map((line) => ({ detail: shown(line) })),
  ],
);

/** No sandbox works at a place. */
export const NoSandboxThere = refusal(
  "no-sandbox-there",
  EXIT.usage,
  ({ executor }: { readonly executor: string }) => [
    `No sandbox works on ${shown(executor)}, so engines there could change the session's own files. Nothing was started.`,
    "Install bubblewrap there, or accept it with --no-sandbox. A container protects its host, but not the session.",
  ],
);

/** The wisp at a place. */
interface FarReach {
  readonly executor: Executor;
  readonly place: Place;
  readonly program: FarProgram;
}

/** How the wisp there is to start it. */
interface FarStartWords {
  /** The options of `wisp start` that are passed on, as words. */
  readonly passed: readonly string[];
  /** Accept a place at which no sandbox works. */
  readonly withoutSandbox: boolean;
}

interface FarStart {
  readonly words: FarStartWords;
  readonly request: Request;
  readonly starting: StartingHome;
  readonly reach: FarReach;
}

/** What is read of a start that is only shown. */
const FarPreview = lateObject(() => ({
  sandbox: z.string(),
  engines: z.record(z.string(), z.string()),
  logins: z.record(z.string(), z.enum(["yes", "no", "unknown"])).default({}),
}));

/**
 * Makes the repository at a place, checks that its engines, their logins and a sandbox are there, and creates the session, unless an
 * interrupted start has.
 */
export async function startThere(
  world: World,
  { words, request, starting, reach }: FarStart,
): Promise<void> {
  const { executor, place, program } = reach;
  await ask(reach, place.root, ["far", "take"]);
  const name = request.path.startsWith("/") ? basename(request.path) : "request.md";
  const given = join(place.root, "given", name);
  need(await executor.put(place, { from: request.bytes, to: given }));
  const { branch } = starting.note;
  const how = ["--on", "here", "--branch", branch, "--no-up", "--yes", "--json"];
  const start = ["start", given, ...how, ...words.passed];
  const listed = await ask(reach, program.repository, ["list", "--json"]);
  if (!listed.includes(JSON.stringify(branch))) {
    await checkPlace(world, { words, reach, start });
    await ask(reach, program.repository, start);
  }
  world.tell(`${starting.id} is on ${executor.name}, at ${place.root}`);
}

async function checkPlace(
  { tell }: Pick<World, "tell">,
  {
    words,
    reach,
    start,
  }: Pick<FarStart, "words" | "reach"> & { readonly start: readonly string[] },
): Promise<void> {
  const { executor, program } = reach;
  const text = await ask(reach, program.repository, [...start, "--dry-run"]);
  const preview = FarPreview.safeParse(jsonOf(text));
  if (!preview.success) {
    throw new CannotGoOn(StartRefusedThere({ executor: executor.name, said: [text] }));
  }
  const { sandbox, engines, logins } = preview.data;
  if (sandbox === "none" && !words.withoutSandbox) {
    throw new CannotGoOn(NoSandboxThere({ executor: executor.name }));
  }
  const names = [...new Set(Object.values(engines))];
  const engine = names.find((name) => logins[name] === "no");
  if (engine !== undefined) {
    const isNamed = EXECUTOR_NAME.test(executor.name);
    throw new CannotGoOn(NotLoggedInThere({ executor: executor.name, engine, isNamed }));
  }
  tell(`Engines on ${executor.name}: ${names.map(shown).join(", ")}. Sandbox: ${shown(sandbox)}.`);
  for (const line of loginLines(logins, ` on ${shown(executor.name)}`)) tell(line);
}

async function ask(
  { executor, place, program }: FarReach,
  cwd: string,
  words: readonly string[],
): Promise<string> {
  const command = farCommand(place, program, { cwd, words: [...words, "--no-input"] });
  const { end, stdout } = need(await askFar(executor, place, command));
  if (end.kind === "exited" && end.exitCode === 0) return stdout;
  const said = end.stderr.trim().split("\n");
  throw new CannotGoOn(StartRefusedThere({ executor: executor.name, said }));
}
