import { isAbsolute, join } from "node:path";
import { assert } from "../../base/assert.ts";
import {
  ExecutorRefused,
  PlaceGone,
  type Executor,
  type Place,
} from "../../base/ports/executor.ts";
import { fail, ok } from "../../base/result.ts";
import { DESTROY_SCRIPT } from "../far-scripts.ts";
import { executorOverArgv, type ExecutorHost } from "../over-argv.ts";

/**
 * Places on this machine, each a directory below `directory`. A session that runs at one goes through everything that
 * a distant one goes through, except a link that breaks.
 */
export function localExecutor(host: ExecutorHost, { directory }: { directory: string }): Executor {
  const name = "local";
  const isGone = ({ root }: Place) => host.files.stat(root) === undefined;
  const byCommands = executorOverArgv(name, host, {
    argvTo: (_place, argv) => argv,
    failureOf: (place) =>
      Promise.resolve(isGone(place) ? PlaceGone({ executor: name, place: place.id }) : undefined),
  });
  const refused = (detail: string) => fail(ExecutorRefused({ executor: name, detail }));
  const run = async (place: Place, script: string) =>
    host.programs.stream({
      ...{ argv: ["sh", "-c", script, "wisp", place.root], cwd: host.cwd, env: host.env },
    });
  return {
    ...{ kind: "local", name, ...byCommands },
    create({ key }) {
      assert(isAbsolute(directory), "places are below an absolute path");
      const place = { id: key, root: join(directory, key) };
      const made = host.files.makeDirectory(place.root);
      return Promise.resolve(made.ok ? ok(place) : made);
    },
    status: (place) => Promise.resolve(ok({ kind: isGone(place) ? "gone" : "up" })),
    async destroy(place) {
      const ran = await run(place, DESTROY_SCRIPT);
      if (!ran.ok) return ran;
      const { value: end } = ran;
      if (end.kind === "exited" && end.exitCode === 0) return ok(undefined);
      return refused(end.stderr.trim() === "" ? "its files could not be removed" : end.stderr);
    },
  };
}
