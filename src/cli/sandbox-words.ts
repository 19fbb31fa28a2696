import type { FrozenSandbox } from "../fs-protocol/session-json.ts";

/** What a person is told of a session without a sandbox that they have not asked to be without. */
export function noSandboxWords(sandbox: FrozenSandbox | undefined): readonly string[] {
  if (sandbox?.missing === undefined) return [];
  return [
    `no sandbox (${sandbox.missing}): engines can read and change whatever you can (docs/SANDBOX.md)`,
  ];
}
