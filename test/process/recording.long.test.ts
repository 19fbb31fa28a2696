import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { WHOLE_RUN } from "./scenarios.ts";

const VERIFY = `verify: [["test", "!", "-e", "broken"]]\n`;

/** The files on the session's branch, without the settings, and the names of its milestones. */
function resultOf(session: ProcessSession) {
  const branch = session.git("for-each-ref", "--format=%(refname:short)", "refs/heads/wisp");
  const files = session.git("ls-tree", "-r", branch).split("\n");
  return {
    files: files.filter((line) => !line.includes("\t.wisp/")),
    milestones: session
      .read("logs/milestones.log")
      .split("\n")
      .map((line) => line.split("|")[0]),
  };
}

test("replaying a recorded session in a fresh repository gives the same result", async () => {
  await using recorded = processSession({ scenario: WHOLE_RUN, config: VERIFY });
  const directory = join(recorded.root, "recording");
  await recorded.wisp("start", "request.md", "--no-up");
  const run = await recorded.wisp("up", "--record", directory);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stderr).toContain(join(directory, "cassette.yaml"));
  const cassette = readFileSync(join(directory, "cassette.yaml"), "utf8");
  expect(cassette).not.toContain(recorded.root);
  await using played = processSession({
    engine: "replay",
    config: VERIFY,
    files: { ".wisp/cassette.yaml": cassette },
  });
  expect(await played.wisp("start", "request.md")).toMatchObject({ code: 0 });
  expect(resultOf(played)).toEqual(resultOf(recorded));
  // Another session refuses to write into this recording.
  const other = await recorded.wisp("start", "request.md", "--no-up", "--record", directory);
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("is not a new or empty directory");
});
