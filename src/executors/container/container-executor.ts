import { assert } from "../../base/assert.ts";
import {
  PLACE_VARIABLE,
  type Executor,
  type FarCommand,
  type Place,
} from "../../base/ports/executor.ts";
import { executorOverArgv, type ExecutorHost } from "../over-argv.ts";
import { CALL_VARIABLE, CUT_OFF_SCRIPT, endingCutOff } from "./cut-off.ts";
import { Containers, type ContainerOptions } from "./containers.ts";

/**
 * Places that are containers of podman or docker. Each is one container that does nothing but wait for commands, and a
 * volume of the same name, so that the files outlive the container: a restart of the machine, or an upgrade.
 */
export function containerExecutor(host: ExecutorHost, options: ContainerOptions): Executor {
  const containers = new Containers(host, options);
  const { engine } = containers;
  const programs = endingCutOff(host.programs, async (mark) => {
    const [place = "", variable = ""] = mark.slice(CALL_VARIABLE.length + 1).split("/");
    assert(variable !== "", "the mark of a call names its place");
    // If it fails, the place is down, and so is the command.
    await engine.tell(engine.argv("exec", place, "sh", "-c", CUT_OFF_SCRIPT, "wisp", mark));
  });
  const byCommands = executorOverArgv(
    options.name,
    { ...host, programs },
    {
      argvTo: ({ id }, argv) => {
        const mark = `${CALL_VARIABLE}=${id}/${crypto.randomUUID()}`;
        return engine.argv("exec", "--interactive", "--env", mark, id, ...argv);
      },
      failureOf: (place, end) => containers.failureOf(place, end),
    },
  );
  return {
    ...{ kind: "container", name: options.name, ...byCommands },
    create: (wishes) => containers.create(wishes),
    status: (place) => containers.status(place),
    revive: (place, wishes) => containers.revive(place, wishes),
    terminalArgv: (place, command) => engine.argv("exec", ...terminalWords(place, command)),
    destroy: (place) => containers.destroy(place),
  };
}

/** The arguments of `exec` for a command with a terminal. */
function terminalWords({ id, root }: Place, { argv, cwd, env }: FarCommand): readonly string[] {
  const variables = Object.entries({ ...env, [PLACE_VARIABLE]: root });
  return [
    ...["--interactive", "--tty", "--workdir", cwd ?? root],
    ...variables.flatMap(([variable, value]) => ["--env", `${variable}=${value}`]),
    ...[id, ...argv],
  ];
}
