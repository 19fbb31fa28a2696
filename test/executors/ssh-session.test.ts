import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { HAS_LFS, pointerTo, stored } from "../git/lfs/lfs-rig.ts";
import { farHome, farRoot } from "../process/far-files.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { addBesides, NEEDS_BESIDES, NEEDS_BESIDES_CONFIG } from "../process/needs-besides.ts";
import { NEEDS_REFS, NEEDS_REFS_CONFIG, tagBase } from "../process/needs-refs.ts";
import { startGated, type GatedSession, type GatedWishes } from "./gated-session.ts";
import { sshHosts } from "./ssh-hosts.ts";
import { noSshd, type SshdHost } from "./sshd.ts";

const MISSING = noSshd();
const WHY_NOT = MISSING === undefined ? "" : ` (${MISSING}: skipped)`;
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/** A session on a host over ssh, whose turns wait at gates. */
function startOver(
  far: SshdHost,
  place?: string,
  wishes: Partial<GatedWishes> = {},
): Promise<GatedSession> {
  const root = place === undefined ? "" : `, root: ${place}`;
  return startGated({
    ...wishes,
    executor: `{ kind: ssh, host: far, arguments: [-F, ${join(far.folder, "ssh_config")}]${root} }`,
    gates: join(far.folder, "gates"),
  });
}

describe.skipIf(MISSING !== undefined)(`a session on a host over ssh${WHY_NOT}`, () => {
  const { openHost } = sshHosts();

  test("has the tags, the branch and the upstream that its verify needs", async () => {
    const far = await openHost();
    await using begun = await startOver(far, undefined, {
      options: { config: NEEDS_REFS_CONFIG, files: NEEDS_REFS },
      prepare: tagBase,
    });
    const { gate, isWhole } = begun;
    gate("One").open();
    gate("Two").open();
    await expect(isWhole()).resolves.toBeUndefined();
  });

  test.skipIf(!HAS_LFS)(
    "has the content and the submodules that its verify needs, and what it adds comes here through a link that breaks",
    async () => {
      const far = await openHost();
      const attributes = `${NEEDS_BESIDES[".gitattributes"]}One.txt filter=lfs\nTwo.txt filter=lfs\n`;
      await using begun = await startOver(far, undefined, {
        options: {
          config: NEEDS_BESIDES_CONFIG,
          files: { ...NEEDS_BESIDES, ".gitattributes": attributes },
        },
        prepare: addBesides,
      });
      const { rig, gate, isWhole } = begun;
      await gate("One").begun();
      await far.setLink("down");
      gate("One").open();
      await gate("Two").begun();
      await far.setLink("up");
      gate("Two").open();
      await isWhole();
      const built = pointerTo("built\n");
      for (const name of ["One.txt", "Two.txt"]) {
        expect(rig.git("show", `wisp/words:${name}`)).toBe(built.pointer.trim());
      }
      expect(stored(join(rig.repository, ".git", "lfs"), built)).toBe("built\n");
    },
  );

  test("goes on while the link is cut in mid-milestone, and all of it is here when the link is back", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { rig, home, gate, isWhole } = begun;
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
    await isWhole();
  });

  test("resumes when the host was restarted and everything on it was killed", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { gate, isWhole } = begun;
    gate("One").open();
    await gate("Two").begun();
    await far.stop();
    gate("Two").open();
    await far.start();
    await expect(isWhole()).resolves.toBeUndefined();
  });

  test("takes a person's word once, though the link breaks while it is said", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { rig, home, gate, isWhole } = begun;
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
    await isWhole();
    const human = readFileSync(join(home, "logs/human.log"), "utf8");
    expect(human.match(/ restart /gu)).toHaveLength(1);
  });

  test("gets the wisp of this machine in place of another one that is there", async () => {
    const far = await openHost();
    await using begun = await startOver(far);
    const { rig, home, gate, isWhole } = begun;
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
    await isWhole();
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
    const { rig, gate, isWhole } = begun;
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
    await isWhole();
  });

  const noFaketime = existsSync(FAKETIME) ? "" : " (needs faketime: skipped)";
  test.skipIf(noFaketime !== "")(
    `completes where the clock is an hour ahead${noFaketime}`,
    async () => {
      const far = await openHost();
      await far.configure([`SetEnv LD_PRELOAD=${FAKETIME} FAKETIME=+1h`]);
      await using begun = await startOver(far);
      const { rig, gate, isWhole } = begun;
      gate("One").open();
      gate("Two").open();
      await isWhole();
      expect((await rig.wisp("status", "words")).stdout).toContain("in touch");
    },
  );
});
