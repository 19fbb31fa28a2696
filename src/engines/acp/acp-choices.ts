import { listAt, textAt } from "../events/json-value.ts";

/** The mode in which claude, gemini and qwen ask before they do anything; other agents name none so. */
const ASKING_MODE = "default";
/** Some agents offer hundreds of models. */
const NAMED_MAX = 12;

/** Sends a request about the session. */
type Ask = (method: string, fields: Readonly<Record<string, string>>) => Promise<unknown>;

/** What is chosen for a session; undefined: as the agent has it, but for the mode in which it asks. */
interface Wanted {
  readonly mode: string | undefined;
  readonly model: string | undefined;
}

/**
 * How agents offer a choice: in a list of their own with a request of its own, or as a configuration option of the
 * category. `session/set_model` is in no schema any more, and gemini 0.61.0 has nothing else.
 */
const CHOICES = {
  mode: {
    ...{ list: "modes", all: "availableModes", id: "id", current: "currentModeId" },
    ...{ method: "session/set_mode", field: "modeId" },
  },
  model: {
    ...{ list: "models", all: "availableModels", id: "modelId", current: "currentModelId" },
    ...{ method: "session/set_model", field: "modelId" },
  },
} as const;
type Choice = keyof typeof CHOICES;

interface Offered {
  readonly values: readonly string[];
  readonly current: string | undefined;
  readonly choose: (value: string) => Promise<unknown>;
}

/**
 * Puts a session into a mode, the wanted one or else that in which the agent asks for permission, and to the wanted
 * model. Returns why it cannot be done, for a person; `undefined` if all is well.
 *
 * @param opened the agent's answer to `session/new` or `session/load`
 */
export async function setAcpChoices(
  ask: Ask,
  opened: unknown,
  { mode, model }: Wanted,
): Promise<string | undefined> {
  const modes = offeredIn("mode", opened, ask);
  const isOffered = modes.values.includes(mode ?? ASKING_MODE);
  if (!isOffered && mode !== undefined)
    return `the agent has no mode ${mode}: ${offerWords(modes)}`;
  const wrong = isOffered ? await choose("mode", modes, mode ?? ASKING_MODE) : undefined;
  if (wrong !== undefined || model === undefined) return wrong;
  const models = offeredIn("model", opened, ask);
  if (models.values.length === 0) {
    return `the agent offers no choice of its model, so ${model} must be chosen in its own settings`;
  }
  // Some agents know more models than they offer.
  return choose("model", models, model);
}

async function choose(
  choice: Choice,
  offered: Offered,
  value: string,
): Promise<string | undefined> {
  if (value === offered.current) return undefined;
  try {
    await offered.choose(value);
    return undefined;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "it failed";
    const words = offered.values.includes(value) ? "" : `; ${offerWords(offered)}`;
    return `the agent cannot use the ${choice} ${value}: ${why}${words}`;
  }
}

function offerWords({ values }: Offered): string {
  if (values.length === 0) return "it offers none";
  const rest = values.length - NAMED_MAX;
  const more = rest > 0 ? ` and ${String(rest)} more` : "";
  return `it offers ${values.slice(0, NAMED_MAX).join(", ")}${more}`;
}

function offeredIn(choice: Choice, opened: unknown, ask: Ask): Offered {
  const { list, all, id, current, method, field } = CHOICES[choice];
  const listed = listAt(opened, list, all).flatMap((one) => textAt(one, id) ?? []);
  if (listed.length > 0) {
    const value = textAt(opened, list, current);
    return { values: listed, current: value, choose: (wanted) => ask(method, { [field]: wanted }) };
  }
  const option = optionOf(choice, opened);
  const configId = textAt(option, "id") ?? "";
  // In groups, or in one list.
  const ungrouped = listAt(option, "options");
  const grouped = ungrouped.flatMap((group) => listAt(group, "options"));
  return {
    values: [...ungrouped, ...grouped].flatMap((one) => textAt(one, "value") ?? []),
    current: textAt(option, "currentValue"),
    choose: (value) => ask("session/set_config_option", { configId, value }),
  };
}

function optionOf(choice: Choice, opened: unknown): unknown {
  return listAt(opened, "configOptions").find((one) => textAt(one, "category") === choice);
}
