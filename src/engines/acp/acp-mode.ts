import { listAt, textAt } from "../events/json-value.ts";

/** The mode in which claude, gemini and qwen ask before they do anything; other agents name none so. */
const ASKING_MODE = "default";

/** The requests that change a session's mode. */
interface ModeSetter {
  setMode(modeId: string): Promise<unknown>;
  setOption(configId: string, value: string): Promise<unknown>;
}

/** The modes that an agent offers for a session, and how one is chosen. */
interface Offered {
  readonly modes: readonly string[];
  readonly current: string | undefined;
  /** The configuration option that is the mode; absent: the agent has `session/set_mode`. */
  readonly configId?: string;
}

/**
 * Puts a session into a mode: the wanted one, or else that in which the agent asks for permission. Returns why it
 * cannot be done, for a person; `undefined` if all is well.
 *
 * @param opened the agent's answer to `session/new` or `session/load`
 */
export async function setAcpMode(
  agent: ModeSetter,
  opened: unknown,
  wanted: string | undefined,
): Promise<string | undefined> {
  const { modes, current, configId } = offeredIn(opened);
  const mode = wanted ?? ASKING_MODE;
  if (!modes.includes(mode)) {
    if (wanted === undefined) return undefined;
    const offer = modes.length === 0 ? "it offers none" : `it offers ${modes.join(", ")}`;
    return `the agent has no mode ${mode}: ${offer}`;
  }
  if (mode === current) return undefined;
  try {
    await (configId === undefined ? agent.setMode(mode) : agent.setOption(configId, mode));
    return undefined;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "it failed";
    return `the agent cannot be put into its mode ${mode}: ${why}`;
  }
}

function offeredIn(opened: unknown): Offered {
  const modes = listAt(opened, "modes", "availableModes").flatMap((one) => textAt(one, "id") ?? []);
  if (modes.length > 0) return { modes, current: textAt(opened, "modes", "currentModeId") };
  const option = listAt(opened, "configOptions").find((one) => textAt(one, "category") === "mode");
  const configId = textAt(option, "id");
  if (configId === undefined) return { modes: [], current: undefined };
  // In groups, or in one list.
  const listed = listAt(option, "options");
  const grouped = listed.flatMap((group) => listAt(group, "options"));
  const values = [...listed, ...grouped].flatMap((one) => textAt(one, "value") ?? []);
  return { modes: values, current: textAt(option, "currentValue"), configId };
}
