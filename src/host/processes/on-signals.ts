/** A signal that asks this process to end. */
export type EndSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

/**
 * Has a signal told to somebody instead of ending this process.
 *
 * @returns what gives the signals back to those who had them before
 */
export function onSignals(
  names: readonly EndSignal[],
  told: (name: EndSignal) => void,
): () => void {
  for (const name of names) process.on(name, told);
  return () => {
    for (const name of names) process.off(name, told);
  };
}
