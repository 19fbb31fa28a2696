import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Executor, Place } from "../../base/ports/executor.ts";
import { SECRETS_FILE } from "../../host/system/place-secrets.ts";
import type { World } from "../../workspace/world.ts";

/**
 * Sends the variables that the person's own settings name for an executor, as a private file. A login of an engine is
 * never sent: two machines that renew the same one lock its owner out.
 *
 * @param names of variables; a trailing `*` matches any rest
 */
export async function sendSecrets(
  { env, tell }: Pick<World, "env" | "tell">,
  executor: Executor,
  { place, names }: { readonly place: Place; readonly names: readonly string[] },
): Promise<void> {
  if (names.length === 0) return;
  const isMeant = (variable: string) =>
    names.some((name) =>
      name.endsWith("*") ? variable.startsWith(name.slice(0, -1)) : variable === name,
    );
  const sent = Object.entries(env).filter(([variable]) => isMeant(variable));
  for (const name of names.filter((one) => !one.endsWith("*") && env[one] === undefined)) {
    tell(`${name} is not set here, so it is not sent to ${executor.name}.`);
  }
  const from = Buffer.from(JSON.stringify(Object.fromEntries(sent)));
  need(await executor.put(place, { from, to: join(place.root, SECRETS_FILE) }));
}
