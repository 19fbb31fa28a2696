import { join } from "node:path";
import type { Refusal } from "../base/failure.ts";
import type { Executor, PlaceWishes } from "../base/ports/executor.ts";
import { ok, type Result } from "../base/result.ts";
import type { ExecutorSetting } from "../settings/schema/executors-setting.ts";
import { readUserSettings } from "../workspace/settings/user-settings.ts";
import { stateRoot } from "../workspace/state-directory.ts";
import type { World } from "../workspace/world.ts";
import { chooseExecutor } from "./executor-choice.ts";
import { executorHost } from "./executor-host.ts";

/** An executor, and what a person wants of every place there. */
export interface OpenedExecutor {
  readonly executor: Executor;
  readonly wishes: Omit<PlaceWishes, "key">;
  /** Names of variables of this machine that wisp has there too; a trailing `*` matches any rest. */
  readonly env: readonly string[];
}

type Opened = Promise<Result<OpenedExecutor, Refusal>>;

/** The executor that a person names after `--on`, or a session's `place.json`. Reaches nothing yet. */
export async function openExecutor(world: World, name: string): Opened {
  const settings = readUserSettings(world.host.files, world.env);
  if (!settings.ok) return settings;
  const chosen = chooseExecutor(name, settings.value.executors);
  if (!chosen.ok) return chosen;
  if (chosen.value.kind === "local") {
    const { localExecutor } = await import("../executors/local/local-executor.ts");
    const directory = join(stateRoot(world.env), "places");
    const executor = localExecutor(executorHost(world), { directory });
    return ok({ executor, wishes: {}, env: [] });
  }
  return openNamed(world, name, chosen.value);
}

async function openNamed(world: World, name: string, setting: ExecutorSetting): Opened {
  const opened = await executorOf(world, name, setting);
  if (!opened.ok) return opened;
  const { cpus, memory: memoryBytes, time: timeMs, labels, env } = setting;
  const more =
    setting.kind === "command" ? { image: setting.image, queue: setting.queue } : undefined;
  const wishes = { cpus, memoryBytes, timeMs, labels, ...more };
  return ok({ executor: opened.value, wishes, env });
}

/** Each kind is loaded only when it is used. */
async function executorOf(
  world: World,
  name: string,
  setting: ExecutorSetting,
): Promise<Result<Executor, Refusal>> {
  const host = executorHost(world);
  switch (setting.kind) {
    case "ssh": {
      const { sshExecutor } = await import("../executors/ssh/ssh-executor.ts");
      const { host: destination, root, arguments: more, forwardAgent } = setting;
      const options = { name, destination, root, arguments: more, forwardAgent };
      return ok(sshExecutor(host, { ...options, control: controlDirectory(world) }));
    }
    case "container": {
      const { findContainerProgram } = await import("../executors/container/engine.ts");
      const { containerExecutor } = await import("../executors/container/container-executor.ts");
      const { program: wanted, image, arguments: more } = setting;
      const program = wanted === undefined ? await findContainerProgram(host, name) : ok(wanted);
      if (!program.ok) return program;
      return ok(containerExecutor(host, { name, program: program.value, image, arguments: more }));
    }
    case "slurm": {
      const { slurmExecutor } = await import("../executors/slurm/slurm-executor.ts");
      const { partition, root, arguments: more } = setting;
      const { clock } = world.host;
      return ok(slurmExecutor({ ...host, clock }, { name, partition, root, arguments: more }));
    }
    case "sprites": {
      const { spritesExecutor } = await import("../executors/sprites/sprites-executor.ts");
      const { nodeWeb } = await import("../host/web/node-web.ts");
      const token = world.env["SPRITE_TOKEN"] ?? world.env["SPRITES_TOKEN"] ?? "";
      return ok(spritesExecutor({ ...host, web: nodeWeb }, { name, token, baseUrl: setting.url }));
    }
    case "command": {
      const { commandExecutor } = await import("../executors/command/command-executor.ts");
      const { create, exec, destroy, put, get, status, terminal } = setting;
      const commands = { create, exec, destroy, put, get, status, terminal };
      return ok(commandExecutor(host, { name, ...commands }));
    }
  }
}

/** Sockets allow few characters in their paths. */
function controlDirectory({ env }: World): string {
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  return runtime.startsWith("/") ? join(runtime, "wisp-ssh") : join(stateRoot(env), "ssh");
}
