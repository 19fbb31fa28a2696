/** A bug in wisp, never a failure of the outside world: the process ends and is restarted. */
class AssertionFailure extends Error {
  override readonly name = "AssertionFailure";
}

/** Throws an `AssertionFailure` that names the claim, if the claim is false. */
export function assert(claim: boolean, sentence: string): asserts claim {
  if (!claim) throw new AssertionFailure(`assertion failed: ${sentence}`);
}

/** Returns `value`, asserting that it is present. */
export function present<T>(value: T | undefined | null, sentence: string): T {
  assert(value !== undefined && value !== null, sentence);
  return value;
}

/** The default arm of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`);
}
