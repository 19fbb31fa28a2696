import { join } from "node:path";
import { expect, test } from "vitest";
import { bubblewrapProbe } from "../../src/sandbox/bubblewrap.ts";
import { SandboxRig } from "../rig/sandboxed.ts";

/** The options of bubblewrap in a command line. */
function optionsIn(words: readonly string[]): readonly string[] {
  const own = words.slice(0, words.indexOf("--"));
  return [...new Set(own.filter((word) => word.startsWith("--")))].sort();
}

test("the probe of bubblewrap uses every option that sandboxes use", () => {
  using at = new SandboxRig("bwrap");
  at.plant(".ssh/id_ed25519");
  at.plant(join(at.clone, ".env"));
  const sandboxes = [
    at.words("true"),
    at.words("true", { setting: { network: false } }),
    at.words("true", { needs: { engine: "claude" } }),
  ];
  const used = [...new Set(sandboxes.flatMap(optionsIn))].sort();
  const probed = ["machine", "none"] as const;
  const tried = probed.flatMap((network) => optionsIn(bubblewrapProbe("bwrap", network)));
  expect(used).toEqual(expect.arrayContaining(["--tmpfs", "--unshare-net", "--ro-bind-try"]));
  expect(used.filter((option) => !tried.includes(option))).toEqual([]);
});
