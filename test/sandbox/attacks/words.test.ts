import { chmodSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CANARY, SandboxRig, workingBubblewrap } from "../../rig/sandboxed.ts";
import { USERS } from "../../rig/users.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

function rig(): SandboxRig {
  return new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
}

describe.each(USERS)("words of a command, as $name", (user) => {
  describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
    test("a model's command shows no file that it names, by path, by link or by program", async () => {
      using at = rig();
      const planted = [
        ...[".ssh/id_rsa", ".aws/credentials", ".netrc", "Documents/diary.txt"],
        ...[".config/acme/key", "code/other/.env", ".codex/auth.json"],
      ].map((path) => at.plant(path));
      symlinkSync(join(at.home, ".ssh"), join(at.clone, "link"));
      symlinkSync(join(at.home, "Documents"), join(at.home, "code/alias"));
      const words = [
        ...planted,
        ...["link/id_rsa", join(at.clone, "link"), join(at.home, "code/alias/diary.txt")],
        ...[
          join(at.home, ".ssh"),
          `${at.home}/../${basename(at.home)}/.ssh/id_rsa`,
          "/nonexistent",
        ],
      ];
      for (const command of [
        ["cat", ...words],
        ["grep", "-rs", CANARY, ...words],
        ["sh", "-c", `cat "$@"`, ...words],
        ["ls", at.home],
      ] as const) {
        const { out, end } = await at.run([...command], { user });
        expect(end.kind).toBe("exited");
        expect(out).not.toMatch(/^bwrap:/m);
        expect(out).not.toContain(CANARY);
        expect(out).not.toMatch(/^Documents$/m);
      }
    });

    test("a program that only a model names is hidden; one that the person named is visible, with its package", async () => {
      using at = rig();
      const tool = at.plant(
        "private/tool/bin/run",
        `#!/bin/sh\ncat '${at.home}/private/tool/data'`,
      );
      at.plant("private/tool/data", "of the tool");
      at.plant("private/tool/package.json", "{}");
      chmodSync(tool, 0o755);
      const unnamed = await at.run([tool], { user });
      expect(unnamed.out).not.toContain("of the tool");
      expect(unnamed.end).not.toMatchObject({ exitCode: 0 });
      const named = await at.run([tool], { user, needs: { named: [tool] } });
      expect(named.out).toBe("of the tool\n");
    });

    test("the person's commands and variables do not expose protected files either, unless the settings name their paths", async () => {
      using at = rig();
      const [ssh, gh, aws] = [".ssh/id_rsa", ".config/gh/hosts.yml", ".aws/bin/tool"].map((path) =>
        at.plant(path),
      );
      at.plant(".config/uv/ok", "fine");
      symlinkSync(join(at.home, ".ssh"), join(at.home, "keys"));
      const named = ["cat", ssh ?? "", gh ?? "", join(at.home, "keys/id_rsa")];
      const env = { PATH: `${at.env["PATH"] ?? ""}:${at.home}/.aws/bin:${at.home}/keys` };
      const script = `cat ${[ssh, gh, aws].join(" ")} ~/keys/id_rsa ~/.config/uv/ok`;
      const setting = { allow: ["~/.config"] };
      const closed = await at.run(script, { user, env, setting, needs: { named } });
      expect(closed.out).toContain("fine");
      expect(closed.out).not.toContain(`${CANARY}\n`);
      const open = await at.run(`cat ${String(ssh)}`, {
        user,
        setting: { allow: ["~/.ssh/id_rsa"] },
      });
      expect(open.out).toBe(`${CANARY}\n`);
    });

    test("protected files stay hidden if the repository is the home directory itself", async () => {
      using at = rig();
      at.plant(".ssh/id_rsa");
      at.plant(".git/config");
      at.plant(".wisp/sessions/one/request.md", "fine");
      const places = { ...at.places, repository: at.home };
      const { out } = await at.run(
        `cat ~/.wisp/sessions/one/request.md ~/.ssh/id_rsa ~/.git/config`,
        { user, places },
      );
      expect(out).toMatch(/^fine\n/);
      expect(out).not.toContain(`${CANARY}\n`);
    });
  });
});
