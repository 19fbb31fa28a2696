import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

/** A bubblewrap that does nothing but refuse one option, as one does that is too old for it. */
const REFUSES = (option: string) => `#!/bin/sh
echo '{ "child-pid": 1 }'
for word; do [ "$word" = ${option} ] && { echo "bwrap: Unknown option ${option}" >&2; exit 1; }; done
exit 0
`;

test("a bubblewrap that lacks an option is no sandbox: doctor and start say so, and the project is not blamed", async () => {
  await using session = processSession({ scenario: ONE_TASK, sandbox: "auto" });
  const bin = join(session.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "bwrap"), REFUSES("--symlink"));
  chmodSync(join(bin, "bwrap"), 0o755);
  session.env["PATH"] = `${bin}:${session.env["PATH"] ?? ""}`;
  const doctor = await session.wisp("doctor");
  expect(doctor.stdout).toContain("bubblewrap does not work (bwrap: Unknown option --symlink)");
  const started = await session.wisp("start", "request.md", "--plain");
  expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
  expect(started.stderr).toContain("no sandbox (bubblewrap does not work (bwrap: Unknown option");
});
