import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { daemonMark } from "../../src/agents/supervisor/daemon-mark.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { findDaemons } from "../../src/host/processes/find-daemons.ts";
import { HAS_PROC } from "../../src/host/processes/process-identity.ts";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * The supervisor's process of a new session is started before the session is created.
 */

const PLANS = `plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n"),`;

/** The living supervisors of the session that the request gives, whether it exists or not. */
async function supervisors(session: ProcessSession, id = "a-request") {
  const mark = daemonMark(homeAt(session.home(id)), "supervisor");
  return (await findDaemons([mark])).get(mark) ?? [];
}

/** The pid and command line of the supervisor that has the session's lease. */
function supervisor(session: ProcessSession, id: string) {
  const [, pid = ""] =
    / supervisor\.start pid=(\d+)/u.exec(session.read("logs/supervisor.log", id)) ?? [];
  return { pid, words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") };
}

test.runIf(HAS_PROC)(
  "the supervisor of a new session is the process that waited for it, and its output is with the session",
  async () => {
    await using session = processSession({ scenario: PLANS });
    const ended = await session.wisp("start", "request.md", "--detach");
    expect(ended).toMatchObject({ code: 0 });
    const { pid, words } = supervisor(session, "a-request");
    expect(words).toContain("--when-told");
    const output = join(session.home(), "logs/supervisor.out");
    for (const number of ["1", "2"])
      expect(readlinkSync(`/proc/${pid}/fd/${number}`)).toBe(realpathSync(output));
    expect(readFileSync(output, "utf8")).toBe("");
    expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  },
);

test.runIf(HAS_PROC)(
  "a session that gets another id than expected is supervised by a process of its own, and none is left waiting",
  async () => {
    await using session = processSession({ scenario: PLANS });
    session.git("branch", "wisp/a-request");
    const ended = await session.wisp("start", "request.md", "--detach");
    expect(ended).toMatchObject({ code: 0 });
    expect(supervisor(session, "a-request-2").words).not.toContain("--when-told");
    await eventually(async () => expect(await supervisors(session)).toEqual([]));
    expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  },
);

test.runIf(HAS_PROC)(
  "a start that is refused or killed leaves no supervisor that waits",
  async () => {
    await using session = processSession({ scenario: PLANS });
    const isNoneLeft = async () => expect(await supervisors(session)).toEqual([]);
    const passed = join(session.root, "passed");
    Object.assign(session.env, { WISP_FAILPOINT: "rename.before:2", WISP_FAILPOINT_LOG: passed });
    expect((await session.wisp("start", "request.md", "--detach")).code).toBeNull();
    // The first puts the copy of wisp in its place. One was started before the first change to the repository, and had
    // nobody left to wait for.
    expect(readFileSync(passed, "utf8")).toMatch(/^spawn\.\w+$/mu);
    await eventually(isNoneLeft);
    for (const name of ["WISP_FAILPOINT", "WISP_FAILPOINT_LOG"])
      Reflect.deleteProperty(session.env, name);
    session.write(".wisp/config.yaml", "engine: nonsense\n");
    expect((await session.wisp("start", "request.md", "--detach")).code).toBe(2);
    await eventually(isNoneLeft);
    expect(existsSync(session.home("a-request"))).toBe(false);
  },
);
