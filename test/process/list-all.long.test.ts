import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

const Listed = z.object({
  repositories: z.array(
    z.object({
      repository: z.string(),
      isThisOne: z.boolean(),
      sessions: z.array(
        z.object({
          session: z.string(),
          executor: z.string(),
          state: z.string(),
          elsewhere: z.object({ trouble: z.string().optional() }).optional(),
        }),
      ),
      starting: z.array(z.object({ session: z.string() })),
    }),
  ),
});

test("list --all shows the sessions of this and of other repositories, also of an executor that is lost", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  const own = join(rig.root, "own");
  const places = join(rig.root, "places");
  writeFileSync(
    own,
    `#!/bin/sh
[ ! -e "${rig.root}/lost" ] || { echo "no route" >&2; exit 1; }
case "$1" in
  create) mkdir -p "${places}/$WISP_PLACE_KEY"; printf '{"id":"%s","root":"%s"}\\n' "$WISP_PLACE_KEY" "${places}/$WISP_PLACE_KEY" ;;
  exec) shift 3; exec "$@" ;;
  destroy) rm -rf "$WISP_PLACE_ROOT" ;;
esac
`,
  );
  chmodSync(own, 0o755);
  const settings = join(String(rig.env["HOME"]), ".config/wisp");
  mkdirSync(settings, { recursive: true });
  const words = ["create", "exec", "destroy"].map((word) => `${word}: [${own}, ${word}]`);
  writeFileSync(
    join(settings, "config.yaml"),
    `executors:\n  box: { kind: command, ${words.join(", ")} }\n`,
  );
  rig.write("far.md", "# Far\n\nSay hello.\n");
  rig.write("near.md", "# Near\n\nSay hello.\n");
  const far = await rig.wisp("start", "far.md", "--on", "box", "--yes", "--plain");
  expect(far).toMatchObject({ code: 0 });
  expect(await rig.wisp("start", "near.md", "--yes", "--no-up")).toMatchObject({ code: 0 });
  const stranger = join(rig.root, "stranger");
  execFileSync("git", ["init", "-q", stranger]);

  writeFileSync(join(rig.root, "lost"), "");
  // The connection that there is breaks, too.
  const linked = rig.leftovers().filter((line) => line.includes(" far mirror "));
  for (const line of linked) process.kill(Number(line.split(" ")[0]), "SIGKILL");
  const listed = async () =>
    Listed.parse(JSON.parse((await rig.wisp("list", "--all", "--json")).stdout)).repositories;
  await eventually(async () => {
    const [one, ...others] = await listed();
    expect(others).toEqual([]);
    expect(one).toMatchObject({ repository: rig.repository, isThisOne: true });
    expect(one?.sessions).toMatchObject([
      { session: "far", executor: "box", state: "DONE" },
      { session: "near", executor: "here", state: "START" },
    ]);
    expect(one?.sessions[0]?.elsewhere?.trouble).toBeDefined();
  });
  const text = await rig.wisp("list", "--all");
  expect(text).toMatchObject({ code: 0 });
  expect(text.stdout).toMatch(/far\s+box\s+.*complete/u);

  const env = { ...rig.env };
  const [node, wisp] = [process.execPath, join(import.meta.dirname, "../../dist/wisp.js")];
  const there = execFileSync(node, [wisp, "list", "--all", "--json"], {
    ...{ cwd: stranger, env, encoding: "utf8" },
  });
  expect(Listed.parse(JSON.parse(there)).repositories).toMatchObject([
    { repository: rig.repository, isThisOne: false, sessions: [{}, {}] },
  ]);
});
