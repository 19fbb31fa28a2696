import { abbreviate, type Oid } from "../../base/oid.ts";

/** The verify commands, for a prompt, so that no engine learns of them only by failing. */
export function verifyWords(commands: readonly (readonly string[])[]): string {
  if (commands.length === 0) {
    return "No verify command is known for this project: find out how its tests are run.";
  }
  const shown = commands.map((argv) => `\`${argv.join(" ")}\``).join(", then ");
  return `The project's verify command, which wisp runs on the commits alone: ${shown}.`;
}

/** Names, for people, the tests that failed in one look at a commit and passed in another one. */
export function unsteadyWords(at: Oid, split: readonly string[]): string {
  return `unsteady at ${abbreviate(at)}, red in one run and green in another: ${split.join(", ")}`;
}
