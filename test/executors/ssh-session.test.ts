import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { farHome, farRoot, mirroredFiles } from "../process/far-files.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { sshHosts } from "./ssh-hosts.ts";
import { noSshd, type SshdHost } from "./sshd.ts";

const MISSING = noSshd();
const WHY_NOT = MISSING === undefined ? "" : ` (${MISSING}: skipped)`;
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/** Each of the milestones waits in its turn until it may go on. */
const WAITS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say goodbye\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    writeFileSync("GATES/begun-" + t.milestone, "");
    while (!existsSync("GATES/go-" + t.milestone)) await setTimeout(20);
    t.put(t.milestone + ".txt", "built\n");
    t.commit("Build " + t.milestone);
    t.tick();
  },
`;

/** A session on a host over ssh, whose turns wait at gates. */
async function startOver(far: SshdHost, place?: string) {
  const gates = join(far.folder, "gates");
  mkdirSync(gates);
  const rig = processSession({ scenario: WAITS.replaceAll("GATES", gates) });
  const settings = join(String(rig.env["HOME"]), ".config/wisp");
  mkdirSync(settings, { recursive: true });
  const root = place === undefined ? "" : `, root: ${place}`;
  const ssh = `{ kind: ssh, host: far, arguments: [-F, ${join(far.folder, "ssh_config")}]${root} }`;
  writeFileSync(join(settings, "config.yaml"), `executors:\n  box: ${ssh}\n`);
  rig.write("words.md", "# Words\n\nSay words.\n");
  const started = await rig.wisp("start", "words.md", "--on", "box", "--yes", "--detach");
  expect(started).toMatchObject({ code: 0 });
  const home = rig.home("words");
  const gate = (milestone: string) => ({
    begun: () =>
      eventually(() => expect(existsSync(join(gates, `begun-${milestone}`))).toBe(true), {
        signs: () => signsIn(farHome(home, "words")),
      }),
    open: () => writeFileSync(join(gates, `go-${milestone}`), ""),
  });
  return { rig, home, gate, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

/** Waits until the session is complete here, and checks that nothing is missing or doubled. */
async function expectWhole(rig: ProcessSession, home: string): Promise<void> {
  const far = farHome(home, "words");
  const signs = () => signsIn(far) + signsIn(home);
  await eventually(
    () => expect(readFileSync(join(far, "logs/builder.done"), "utf8")).toContain("complete|"),
    { signs },
  );
  await eventually(() => expect(mirroredFiles(home)).toEqual(mirroredFiles(far)), { signs });
  const repository = join(farRoot(home), "repository");
  const head = execFileSync("git", ["rev-parse", "wisp/words"], { cwd: repository }).toString();
  await eventually(() => expect(rig.git("rev-parse", "wisp/words")).toBe(head.trim()), { signs });
  expect(rig.git("ls-tree", "--name-only", "wisp/words")).toContain("Two.txt");
  expect((await rig.wisp("status", "words")).stdout).toContain("complete");
}

describe.skipIf(MISSING !== undefined)(`a session on a host over ssh${WHY_NOT}`, () => {
  const { openHost } = sshHosts();

  test("goes on while the link is cut in mid-milestone, and all of it is here when the link is back", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { rig, home, gate } = begun;
    await gate("One").begun();
    await far.setLink("down");
    gate("One").open();
    gate("Two").open();
    await eventually(
      () =>
        expect(readFileSync(join(farHome(home, "words"), "logs/builder.done"), "utf8")).toContain(
          "complete|",
        ),
      { signs: () => signsIn(farHome(home, "words")) },
    );
    await eventually(async () =>
      expect((await rig.wisp("status", "words")).stdout).toContain("cannot be reached"),
    );
    await far.setLink("up");
    await expectWhole(rig, home);
  });

  test("resumes when the host was restarted and everything on it was killed", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { rig, home, gate } = begun;
    gate("One").open();
    await gate("Two").begun();
    await far.stop();
    gate("Two").open();
    await far.start();
    await expectWhole(rig, home);
  });

  test("takes a person's word once, though the link breaks while it is said", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { rig, home, gate } = begun;
    await gate("One").begun();
    await far.setLink("down");
    const said = rig.wisp("restart", "builder", "--session", "words");
    await eventually(async () =>
      expect((await rig.wisp("status", "words")).stdout).toContain("cannot be reached"),
    );
    await far.setLink("up");
    expect(await said).toMatchObject({ code: 0 });
    gate("One").open();
    gate("Two").open();
    await expectWhole(rig, home);
    const human = readFileSync(join(home, "logs/human.log"), "utf8");
    expect(human.match(/ restart /gu)).toHaveLength(1);
  });

  test("gets the wisp of this machine in place of another one that is there", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { rig, home, gate } = begun;
    await gate("One").begun();
    await rig.killAll();
    const known = execFileSync("find", [rig.root, "-name", "far.json"]).toString().trim();
    const program = readFileSync(known, "utf8");
    const [digest = ""] = /[0-9a-f]{32}/u.exec(program) ?? [];
    const old = program.replaceAll(digest, "0".repeat(32));
    writeFileSync(known, old);
    writeFileSync(join(farRoot(home), "far.json"), old);
    rmSync(join(farRoot(home), "wisp", digest), { recursive: true });
    gate("One").open();
    gate("Two").open();
    expect(await rig.wisp("status", "words")).toMatchObject({ code: 0 });
    await expectWhole(rig, home);
    expect(readFileSync(join(farRoot(home), "far.json"), "utf8")).toContain(digest);
  });

  test("stops when the disk there is full, and goes on when there is room again", async () => {
    const disk = mkdtempSync(join(tmpdir(), "wisp-disk-"));
    // Before the host, which sees only what is mounted when it starts.
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", disk]);
    onTestFinished(() => {
      execFileSync("umount", ["--lazy", disk]);
      rmSync(disk, { recursive: true });
    });
    const far = await openHost();
    await using begun = await startOver(far, disk);
    const { rig, home, gate } = begun;
    await gate("One").begun();
    const filler = join(disk, "filler");
    execFileSync("sh", ["-c", 'cat /dev/zero > "$1" 2>/dev/null || :', "sh", filler]);
    gate("One").open();
    await eventually(async () =>
      expect((await rig.wisp("status", "words")).stdout).toMatch(/ENOSPC|no space|disk/iu),
    );
    rmSync(filler);
    gate("Two").open();
    await rig.wisp("up", "words", "--detach");
    await expectWhole(rig, home);
  });

  const noFaketime = existsSync(FAKETIME) ? "" : " (needs faketime: skipped)";
  test.skipIf(noFaketime !== "")(
    `completes where the clock is an hour ahead${noFaketime}`,
    async () => {
      const far = await openHost();
      await far.configure([`SetEnv LD_PRELOAD=${FAKETIME} FAKETIME=+1h`]);
      await using begun = await startOver(far);
      const { rig, home, gate } = begun;
      gate("One").open();
      gate("Two").open();
      await expectWhole(rig, home);
      expect((await rig.wisp("status", "words")).stdout).toContain("in touch");
    },
  );
});
