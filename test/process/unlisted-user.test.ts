import { expect, test } from "vitest";
import { canRun, processSession } from "../rig/process-session.ts";
import { MYSELF, UNLISTED } from "../rig/users.ts";
import { ONE_TASK } from "./scenarios.ts";

/*
 * `docker run --user`, Kubernetes' `runAsUser` and some clusters run programs as a user whom the account database does not
 * know. Node then has neither a name nor a home folder for them.
 */

const user = UNLISTED ?? MYSELF;
const why =
  UNLISTED === undefined
    ? " (skipped: only root can act as another user)"
    : canRun(user)
      ? ""
      : " (skipped: this checkout cannot be read by anybody else)";

test.skipIf(why !== "").each(["none", "auto"])(
  `a user without an account has a whole session, with the sandbox %s${why}`,
  async (sandbox) => {
    await using session = processSession({ scenario: ONE_TASK, sandbox, user });
    const { code, stdout, stderr } = await session.wisp("start", "request.md", "--plain");
    expect({ code, says: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, says: "" });
    const status = await session.wisp("status");
    expect(status.code).toBe(0);
    expect(status.stdout).toContain("DONE");
  },
);

test.skipIf(why !== "")(
  `a user without an account and without HOME is told what to set, and nothing is made${why}`,
  async () => {
    await using session = processSession({ scenario: ONE_TASK, user });
    delete session.env["HOME"];
    const { code, stderr } = await session.wisp("start", "request.md", "--plain");
    expect(code).toBe(2);
    expect(stderr).toContain("There is no home folder: HOME is not set");
    expect(stderr).toContain("Set HOME to a folder");
    expect(session.read("session.json")).toBe("");
  },
);
