import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { shown } from "../base/words/shown.ts";
import { EXECUTOR_NAME, type ExecutorSetting } from "../settings/schema/executors-setting.ts";

/** An executor as settings describe it; `local` needs no description. */
export type ChosenExecutor = { readonly kind: "local" } | ExecutorSetting;

/** No executor has the name that was given. */
export const NoSuchExecutor = refusal(
  "no-such-executor",
  EXIT.usage,
  ({ name, known }: { readonly name: string; readonly known: readonly string[] }) => [
    `There is no executor '${shown(name)}'.`,
    "Name one as in `--on ssh:host`, `--on container:image`, `--on slurm`, `--on sprites` or `--on local`, or " +
      `one of your own settings (~/.config/wisp/config.yaml, executors)${known.length === 0 ? "." : `: ${known.map(shown).join(", ")}.`}`,
  ],
);
export type NoSuchExecutor = ReturnType<typeof NoSuchExecutor>;

const PLAIN = { arguments: [], env: [] };

/**
 * The executor that a person names after `--on`: a kind with what it needs, or a name in their own settings.
 *
 * @param named the executors of the person's own settings
 */
export function chooseExecutor(
  name: string,
  named: Readonly<Record<string, ExecutorSetting>>,
): Result<ChosenExecutor, NoSuchExecutor> {
  const own = EXECUTOR_NAME.test(name) && Object.hasOwn(named, name) ? named[name] : undefined;
  if (own !== undefined) return ok(own);
  const at = name.indexOf(":");
  const kind = at < 0 ? name : name.slice(0, at);
  const rest = at < 0 ? "" : name.slice(at + 1);
  if (name === "local") return ok({ kind: "local" });
  if (name === "sprites") return ok({ kind: "sprites", env: [] });
  if (name === "slurm") return ok({ kind: "slurm", ...PLAIN });
  if (kind === "slurm" && rest !== "") return ok({ kind, partition: rest, ...PLAIN });
  if (kind === "ssh" && rest !== "") {
    return ok({ kind, host: rest, forwardAgent: false, ...PLAIN });
  }
  if (kind === "container" && rest !== "") return ok({ kind, image: rest, ...PLAIN });
  return fail(NoSuchExecutor({ name, known: Object.keys(named) }));
}
