import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { need } from "../../../src/base/fatal.ts";
import { ENGINE_NEEDS } from "../../../src/engines/coding-clis.ts";
import { createSrt } from "../../../src/sandbox/srt.ts";
import { CANARY, SandboxRig, workingBubblewrap, worldOf } from "../../rig/sandboxed.ts";
import { USERS } from "../../rig/users.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

function rig(): SandboxRig {
  return new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
}

/** wisp's files of other turns, one in each place. */
function plantOthers(at: SandboxRig): readonly string[] {
  const wisp = dirname(dirname(at.state));
  return [
    ...["other-12345678/session/builder/clone/src.js", "other-12345678/.caches/npm/x"].map((path) =>
      join(wisp, path),
    ),
    ...["other/tester/clone/src.js", "other/kept/human.log"].map((path) =>
      join(dirname(at.state), path),
    ),
    ...["kept/progress", "plans/one.md", "tester/clone/.env", "reviewer/clone/src.js"].map((path) =>
      join(at.state, path),
    ),
    ...["kept/builder.log", "clone-1/src.js", "tmp-1/key", "clone.config"].map((path) =>
      join(at.state, "builder", path),
    ),
    ...["tmp-clone-1/key", "other.json"].map((path) => join(at.places.scratch, path)),
  ].map((path) => at.plant(path));
}

describe.each(USERS)("files of wisp's own, as $name", (user) => {
  describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
    test("of wisp's files, a turn sees its clone, its temporary files and what it was given, and nothing of other turns", async () => {
      using at = rig();
      const wisp = dirname(dirname(at.state));
      const others = plantOthers(at);
      const given = at.plant(join(at.state, "builder/tasks/TASKS.md"), "tasks");
      const read = at.plant(join(at.state, "verify/tree/file"), "read");
      mkdirSync(join(at.state, "builder/tmp/turn"), { recursive: true });
      for (const [index, path] of others.entries()) {
        symlinkSync(path, join(at.clone, `link-${String(index)}`));
      }
      symlinkSync(join(wisp), join(at.clone, "all"));
      const writable = [dirname(given), join(at.state, "builder/tmp/turn")];
      const { out } = await at.run(
        `cat ${others.join(" ")} link-*; grep -rs ${CANARY} ${wisp} all/ ~/.local; ls ${at.state} ${dirname(at.state)} ${wisp}
         cat ${given} ${read}; echo x > ${given}; echo x > ${at.state}/builder/tmp/turn/x; echo y > ${read}; echo end`,
        { user, needs: { writable, readable: [dirname(read)] } },
      );
      expect(out).toMatch(/\ntasks\nread\n/);
      expect(out).toMatch(/end\n$/);
      expect(out).not.toContain(`${CANARY}\n`);
      expect(out).not.toMatch(/^(?:other|kept|plans|tester|reviewer)/m);
      expect(readFileSync(given, "utf8")).toBe("x\n");
      expect(readFileSync(read, "utf8")).toBe("read\n");
    });

    test("no file of .wisp can be written: by path, by link, by an open file, or by a mount", async () => {
      using at = rig();
      const home = join(at.repository, ".wisp/sessions/one");
      const files = [
        ...["logs/human.log", "logs/builder.log", "request.md", "TASKS.md", "session.json"],
        ...["plans/x.md", "locks/builder.lock", "logs/turns/one.out"],
      ].map((path) => at.plant(join(home, path), "a record"));
      files.push(at.plant(join(at.repository, ".wisp/config.yaml"), "a record"));
      files.push(at.plant(join(at.repository, ".wisp/templates/build.md"), "a record"));
      const [log = ""] = files;
      symlinkSync(log, join(at.clone, "log"));
      symlinkSync(join(at.repository, ".wisp"), join(at.clone, ".wisp"));
      symlinkSync(home, join(at.clone, "home"));
      const { out } = await at.run(
        `tries() {
           for f in ${files.join(" ")} log .wisp/config.yaml home/logs/human.log home/new ${at.repository}/.wisp/new; do
             (echo forged >> "$f") 2>/dev/null; (: > "$f") 2>/dev/null; rm -f "$f" 2>/dev/null
             mv "$f" "$f.old" 2>/dev/null; ln "$f" hard 2>/dev/null && echo forged >> hard
             chmod 666 "$f" 2>/dev/null; truncate -s 0 "$f" 2>/dev/null
             for p in /proc/self /proc/1 /proc/$$ /proc/[0-9]*; do
               (echo forged >> "$p/root$f") 2>/dev/null; (echo forged >> "$p/cwd/$f") 2>/dev/null
               for d in "$p"/fd/*; do (cd "$d" && echo forged >> logs/human.log; echo forged >> "$d/../human.log") 2>/dev/null; done
             done
             (exec 3< "$f"; echo forged >> /proc/self/fd/3; echo forged >> /dev/fd/3; echo forged >&3) 2>/dev/null
           done
         }
         tries
         mount -o remount,rw,bind ${at.repository} ${at.repository}; mount -o remount,rw /; umount ${at.repository}; umount -l ${at.repository}; umount -l ${at.root}
         tries
         cat > attack.sh <<'EOF'
mkdir -p mnt; mount --bind ${at.repository} mnt && echo forged >> mnt/.wisp/sessions/one/logs/human.log
mount --rbind / mnt; mount -o remount,rw,bind mnt; echo forged >> mnt${log}
mount -t proc proc mnt; mount -t overlay overlay -o lowerdir=${home},upperdir=up,workdir=work mnt
umount -l ${at.repository}; mount -o remount,rw ${at.repository}; echo forged >> ${log}
mount -t tmpfs none ${at.repository} && umount ${at.repository}; echo forged >> ${log}
EOF
         unshare --user --map-root-user --mount --pid --fork sh attack.sh
         unshare --mount sh attack.sh; sh attack.sh; nsenter -t 1 -m sh attack.sh
         mknod disk b 8 0 && echo made a device; echo end`,
        { user },
      );
      expect(out).toMatch(/end\n$/);
      expect(out).not.toContain("made a device");
      for (const path of files) expect(readFileSync(path, "utf8")).toBe("a record\n");
    });
  });
});

test("with srt, every engine reaches its hosts, and none if the network is off or not for it", () => {
  using at = rig();
  const allowed = (network: boolean, hasOwnLoopback = false) => {
    const sandbox = createSrt({
      executable: "srt",
      setting: { network, deny: [], allow: [], write: [], domains: ["example.com"] },
      places: at.places,
      world: worldOf(at.env),
    });
    const command = { argv: ["cat"], cwd: at.clone, env: at.env } as const;
    const [, , path = ""] = need(sandbox.confine({ command, hasOwnLoopback }))?.before ?? [];
    return SrtSettings.parse(JSON.parse(readFileSync(path, "utf8"))).network.allowedDomains;
  };
  const hosts = [...ENGINE_NEEDS.values()].flatMap((needs) => needs.hosts);
  expect(allowed(true)).toEqual(expect.arrayContaining([...hosts, "example.com"]));
  expect(allowed(false)).toEqual([]);
  expect(allowed(true, true)).toEqual([]);
});

test("with srt, a turn can read its own files of wisp's, but not those of other turns", () => {
  using at = rig();
  const others = plantOthers(at);
  const own = [
    ...[at.plant(join(at.clone, "src.js")), at.plant(join(at.places.caches, "npm/x"))],
    at.plant(join(at.state, "builder/tasks/TASKS.md")),
  ];
  const sandbox = createSrt({
    executable: "srt",
    setting: { network: true, deny: [], allow: [], write: [], domains: [] },
    places: at.places,
    world: worldOf(at.env),
  });
  const command = { argv: ["cat"], cwd: at.clone, env: at.env } as const;
  const writable = [join(at.state, "builder/tasks")];
  const [, , path = ""] = need(sandbox.confine({ command, writable }))?.before ?? [];
  expect(need(sandbox.confine({ command, writable }))?.before[2]).toBe(path);
  const { filesystem } = SrtSettings.parse(JSON.parse(readFileSync(path, "utf8")));
  const isDenied = (file: string) =>
    filesystem.denyRead.some((folder) => file === folder || file.startsWith(`${folder}/`));
  expect(others.filter((file) => !isDenied(file))).toEqual([]);
  expect(own.filter(isDenied)).toEqual([]);
});

const SrtSettings = z.object({
  network: z.object({ allowedDomains: z.array(z.string()) }),
  filesystem: z.object({ denyRead: z.array(z.string()) }),
});
