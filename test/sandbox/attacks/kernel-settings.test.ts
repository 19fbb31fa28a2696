import { describe, expect, test } from "vitest";
import { lookForKernelSettings } from "../../../src/host/probe/look-for-kernel-settings.ts";
import { SandboxRig, workingBubblewrap } from "../../rig/sandboxed.ts";
import { USERS } from "../../rig/users.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

/** Opens for appending, and closes again, what is not for everybody to write; prints what could be opened. */
const OPEN_ALL = `find /proc -mindepth 1 \\( -path '/proc/[0-9]*' -o -type l \\) -prune -o -type f ! -perm -002 -print 2>/dev/null >paths
wc -l <paths
while read -r path; do (: >>"$path") 2>/dev/null && echo "opened $path"; done <paths
echo end`;

describe.each(USERS)("settings of the kernel, as $name", (user) => {
  test.skipIf(WHY !== "")(
    `nothing below /proc that is of no process can be opened for writing in bubblewrap${WHY}`,
    async () => {
      using at = new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
      const { out } = await at.run(OPEN_ALL, { user });
      // There is something to open: otherwise this would prove nothing.
      expect(Number.parseInt(out, 10)).toBeGreaterThan(50);
      expect(out.split("\n").slice(1)).toEqual(["end", ""]);
    },
  );

  test.skipIf(WHY !== "")(
    `settings of the kernel can still be read in bubblewrap${WHY}`,
    async () => {
      using at = new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
      const { out } = await at.run(
        `cat /proc/sys/kernel/ostype; echo name >/proc/self/comm && echo own`,
        {
          user,
        },
      );
      expect(out).toBe("Linux\nown\n");
    },
  );
});

test.runIf(process.geteuid?.() === 0)(
  "what looks for settings that can be opened finds them where root has no sandbox",
  () => {
    const { openable, isCut } = lookForKernelSettings();
    expect(isCut).toBe(false);
    expect(openable.length).toBeGreaterThan(50);
    expect(openable.every((path) => path.startsWith("/proc/"))).toBe(true);
  },
);
