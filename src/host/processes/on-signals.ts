/** A signal that asks this process to end. */
export type EndSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

/**
 * Calls `listener` for a signal, which then no longer ends this process.
 *
 * @returns the function that removes the listener
 */
export function onSignals(
  names: readonly EndSignal[],
  listener: (name: EndSignal) => void,
): () => void {
  for (const name of names) process.on(name, listener);
  return () => {
    for (const name of names) process.off(name, listener);
  };
}
