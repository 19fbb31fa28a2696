import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CANARY, SandboxRig, workingBubblewrap } from "../../rig/sandboxed.ts";
import { USERS } from "../../rig/users.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

function rig(): SandboxRig {
  return new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
}

/** A home with files that an engine must not read. */
function plantSecrets(at: SandboxRig): readonly string[] {
  const paths = [".ssh/id_rsa", ".aws/credentials", "Documents/diary.txt", "code/other/.env"];
  return [...paths, "code/other/.git/objects/info/x"].map((path) => at.plant(path));
}

/** Writes a file to the clone, replacing whatever was in its place. */
function put(at: SandboxRig, path: string, text: string): void {
  const full = join(at.clone, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

describe.each(USERS)("files of a clone, as $name", (user) => {
  describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
    test("objects that a clone claims to borrow are hidden; those that its repository borrows are visible", async () => {
      using at = rig();
      const planted = plantSecrets(at);
      const shared = join(at.home, "code", "shared");
      mkdirSync(shared, { recursive: true });
      at.git(shared, "init", "-q");
      writeFileSync(join(shared, "file"), "of the shared one\n");
      const blob = at.git(shared, "hash-object", "-w", "file");
      const between = join(at.home, "code", "between");
      at.git(at.home, "clone", "-q", "--shared", shared, between);
      at.plant(join(at.repository, ".git/objects/info/alternates"), `${between}/.git/objects`);
      const folders = planted.map((path) => dirname(path));
      put(
        at,
        ".git/objects/info/alternates",
        [...folders, "../../../../../../../../.ssh", at.home, `${shared}/.git/objects`].join("\n"),
      );
      put(at, ".git/objects/info/http-alternates", folders.join("\n"));
      const { out } = await at.run(
        `cat ${planted.join(" ")}; ls ~ ~/code; git cat-file blob ${blob}; grep -rs ${CANARY} ~; echo end`,
        { user },
      );
      expect(out).toMatch(/end\n$/);
      expect(out).toContain("of the shared one");
      expect(out).not.toContain(`${CANARY}\n`);
      expect(out).not.toMatch(/^(?:other|Documents)$/m);
    });

    test("a .git that points elsewhere, or any other setting of a clone's git, reveals nothing", async () => {
      using at = rig();
      const planted = plantSecrets(at);
      const script = `cat ${planted.join(" ")}; git -C . config --list; git log; cat .git/config; echo end`;
      const private_ = join(at.home, "code", "private");
      mkdirSync(private_, { recursive: true });
      at.git(private_, "init", "-q");
      at.git(private_, "config", "http.extraheader", CANARY);
      at.git(private_, "config", "extensions.worktreeConfig", "true");
      put(at, ".git/commondir", `${private_}/.git\n`);
      put(at, ".git/config.worktree", `[include]\n\tpath = ${private_}/.git/config\n`);
      const included = `[include]\n\tpath = ${private_}/.git/config\n`;
      put(
        at,
        ".git/config",
        `${included}[includeIf "gitdir:/"]\n\tpath = ${private_}/.git/config\n`,
      );
      put(at, ".gitmodules", `[submodule "s"]\n\tpath = s\n\turl = ${private_}\n`);
      put(at, ".git/modules/s/config", `[core]\n\tworktree = ${at.home}\n`);
      const first = await at.run(script, { user });
      expect(first.out).toMatch(/end\n$/);
      expect(first.out).not.toContain(CANARY);
      renameSync(join(at.clone, ".git"), join(at.clone, "git.old"));
      put(at, ".git", `gitdir: ${private_}/.git\n`);
      const second = await at.run(script, { user });
      rmSync(join(at.clone, ".git"));
      symlinkSync(join(private_, ".git"), join(at.clone, ".git"));
      const third = await at.run(script, { user });
      for (const { out } of [second, third]) {
        expect(out).toMatch(/end\n$/);
        expect(out).not.toContain(CANARY);
      }
    });

    test("a secret environment file is not seen for being in the clone's index, or in a commit of another content", async () => {
      using at = rig();
      at.plant(join(at.clone, ".env"));
      at.plant(join(at.clone, "app/.env"));
      put(at, "junk", "junk\n");
      const junk = at.git(at.clone, "hash-object", "-w", "junk");
      for (const path of [".env", "app/.env"]) {
        at.git(at.clone, "update-index", "--add", "--cacheinfo", `100644,${junk},${path}`);
      }
      at.git(at.clone, "commit", "-qm", "Keep it");
      for (const config of ["", "[extensions]\n\tobjectformat = sha256\n"]) {
        appendFileSync(join(at.clone, ".git/config"), config);
        const { out } = await at.run(`cat .env app/.env; echo end`, { user });
        expect(out).toMatch(/end\n$/);
        expect(out).not.toContain(CANARY);
      }
    });

    test("an environment file in the history is visible, even if the clone's index does not list it", async () => {
      using at = rig();
      at.plant(join(at.repository, ".env"), "PORT=1");
      at.git(at.repository, "add", "-f", ".env");
      at.plant(join(at.clone, ".env"), "PORT=1");
      expect((await at.run(`cat .env`, { user })).out).toBe("PORT=1\n");
    });

    test("a link in the place of a hidden file neither hides nor shows anything elsewhere", async () => {
      using at = rig();
      const diary = at.plant("Documents/diary.txt");
      at.plant(join(at.clone, "src/index.js"), "code");
      const links = [
        [".env", "src"],
        [".env.local", "/usr/bin"],
        ["src/.env", diary],
        ["secrets", "src"],
        ["conf", "/etc"],
      ] as const;
      for (const [link, target] of links) symlinkSync(target, join(at.clone, link));
      const { out } = await at.run(
        `cat src/index.js /etc/hostname /etc/passwd > /dev/null && echo there; cat src/.env`,
        { user, setting: { deny: ["secrets", "conf/passwd"] } },
      );
      expect(out).toMatch(/^there\n/);
      expect(out).not.toContain(CANARY);
    });

    test("a link in a folder that an engine may write does not lead the person's settings and variables elsewhere", async () => {
      using at = rig();
      const diary = at.plant("Documents/diary.txt");
      at.plant("agent/x", "mine");
      mkdirSync(join(at.home, ".codex"));
      for (const link of ["agent/data", ".codex/bin"]) {
        symlinkSync(join(at.home, "Documents"), join(at.home, link));
      }
      symlinkSync(join(at.home, "agent/data"), join(at.home, "alias"));
      const { out } = await at.run(`cat ~/agent/x ~/agent/data/* ~/.codex/bin/* ${diary}`, {
        user,
        env: { PATH: `${at.env["PATH"] ?? ""}:${at.home}/.codex/bin` },
        needs: { engine: "codex", named: [join(at.home, "alias/diary.txt")] },
        setting: { write: ["~/agent"], allow: ["~/agent/data", "~/alias"] },
      });
      expect(out).toMatch(/^mine\n/);
      expect(out).not.toContain(`${CANARY}\n`);
    });

    test("settings of package managers in a clone fill no cache and no folder of the person's", async () => {
      using at = rig();
      at.plant(".npmrc", `//registry.invalid/:_authToken=${CANARY}`);
      at.plant(".npm/of-the-person");
      put(
        at,
        ".npmrc",
        `cache=${at.home}/.npm-stolen\nprefix=${at.home}/tools\nuserconfig=${at.home}/.npmrc\nscript-shell=/bin/sh\n`,
      );
      put(at, "package.json", `{"scripts":{"look":"cat ${at.home}/.npmrc ${at.home}/.npm/*"}}`);
      const script = [
        `npm run --silent look; npm config list --location=user; npm config get cache`,
        `mkdir -p ${at.home}/.npm-stolen ${at.home}/tools; echo x > ${at.home}/tools/npm; echo end`,
      ].join("\n");
      const { out } = await at.run(script, { user });
      expect(out).toMatch(/end\n$/);
      expect(out).not.toContain(`${CANARY}\n`);
      for (const path of [".npm-stolen", "tools"]) {
        expect(() => readFileSync(join(at.home, path, "npm"))).toThrow("ENOENT");
      }
    });
  });
});

test("the tree inside does not depend on any file in the clone", () => {
  using at = new SandboxRig("/usr/bin/bwrap");
  plantSecrets(at);
  const command = ["npm", "test"] as const;
  const before = at.words(command);
  const elsewhere = join(at.home, "Documents");
  const texts = {
    ".git/objects/info/alternates": `${elsewhere}\n`,
    ".git/commondir": elsewhere,
    ".git/gitdir": elsewhere,
    ".git/config": `[include]\n\tpath = ${elsewhere}\n[core]\n\tworktree = ${elsewhere}\n`,
    ".git/config.worktree": `[core]\n\tworktree = ${elsewhere}\n`,
    ".git/shallow": "0".repeat(40),
    ".git/info/grafts": "0".repeat(40),
    ".gitmodules": `[submodule "s"]\n\turl = ${elsewhere}\n`,
    ".npmrc": `cache=${elsewhere}\nprefix=${elsewhere}\n`,
    ".yarnrc.yml": `cacheFolder: ${elsewhere}\nyarnPath: ${elsewhere}\n`,
    "pip.conf": `[global]\ncache-dir = ${elsewhere}\n`,
    ".cargo/config.toml": `[build]\ntarget-dir = "${elsewhere}"\n`,
    ".tool-versions": `nodejs path:${elsewhere}\n`,
    "go.env": `GOMODCACHE=${elsewhere}\n`,
    "package.json": `{"workspaces":["${elsewhere}"],"bin":"${elsewhere}"}`,
  };
  for (const [path, text] of Object.entries(texts)) put(at, path, text);
  for (const link of ["tmp", "node_modules", "caches", ".wisp", ".cargo/registry", ".claude"]) {
    symlinkSync(elsewhere, join(at.clone, link));
  }
  expect(at.words(command)).toEqual(before);
  rmSync(join(at.clone, ".git"), { recursive: true });
  symlinkSync(elsewhere, join(at.clone, ".git"));
  expect(at.words(command)).toEqual(before);
  rmSync(join(at.clone, ".git"));
  put(at, ".git", `gitdir: ${elsewhere}\n`);
  expect(at.words(command)).toEqual(before);
});
