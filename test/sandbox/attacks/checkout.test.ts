import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { need } from "../../../src/base/fatal.ts";
import { planMounts } from "../../../src/sandbox/plan-mounts.ts";
import type { SandboxPlaces, SandboxSetting } from "../../../src/sandbox/sandbox-setting.ts";
import { createSrt } from "../../../src/sandbox/srt.ts";
import {
  CANARY,
  SandboxRig,
  workingBubblewrap,
  worldOf,
  type Running,
} from "../../rig/sandboxed.ts";
import { USERS } from "../../rig/users.ts";
import { MACHINE_PATH } from "../../rig/own-environment.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;
const SETTING: SandboxSetting = { network: true, deny: [], allow: [], write: [] };
const HIDDEN = { hidesCheckout: true } as const;

function rig(): SandboxRig {
  return new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
}

/** The places of a person whose checkout is elsewhere, with the canary in it. */
function placesWith(at: SandboxRig, repository: string, fields: Partial<SandboxPlaces> = {}) {
  mkdirSync(repository, { recursive: true });
  at.git(repository, "init", "-q", "-b", "main");
  at.plant(join(repository, "src/cart.js"));
  return { ...at.places, repository, ...fields };
}

/** A commit of the checkout, from whose objects the clone borrows. */
function lend(at: SandboxRig, repository = at.repository): void {
  at.plant(join(repository, "lent.txt"), "lent");
  at.git(repository, "add", "lent.txt");
  at.git(
    repository,
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@example.invalid",
    "commit",
    "-qm",
    "Lend",
  );
  const objects = join(repository, ".git/objects");
  at.plant(join(at.clone, ".git/objects/info/alternates"), objects);
  at.git(at.clone, "update-ref", "refs/heads/main", at.git(repository, "rev-parse", "HEAD"));
}

/** Other work trees of a repository, in one of which the canary is: one beside it, and one in it. */
function workTrees(at: SandboxRig): { readonly beside: string; readonly inside: string } {
  lend(at);
  const [beside, inside] = [join(at.home, "code/other"), join(at.repository, ".trees/inside")];
  at.git(at.repository, "worktree", "add", "-q", "-b", "beside", beside);
  at.git(at.repository, "worktree", "add", "-q", "-b", "inside", inside);
  for (const tree of [at.repository, beside, inside]) at.plant(join(tree, "src/cart.js"));
  return { beside, inside };
}

describe.each(USERS)("the checkout of a command that judges a commit, as $name", (user) => {
  describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
    const hidden = (running: Running = {}): Running => ({
      user,
      ...running,
      needs: { ...HIDDEN, ...running.needs },
    });

    test("is there for engines, and hidden from it but for its objects", async () => {
      using at = rig();
      const file = at.plant(join(at.repository, "src/cart.js"));
      const log = at.plant(join(at.repository, ".wisp/sessions/one/logs/human.log"));
      lend(at);
      const look = `cat ${file} ${log}; ls -A ${at.repository}; git show HEAD:lent.txt; echo end`;
      expect((await at.run(look, { user })).out).toContain(`${CANARY}\n`);
      const { out } = await at.run(look, hidden());
      expect(out).not.toContain(`${CANARY}\n`);
      expect(out).toMatch(/^lent\nend\n$/m);
      expect(out).not.toMatch(/^(?:src|lent\.txt|\.wisp)$/m);
    });

    test("cannot be reached by a link, a hard link, a mount or another process", async () => {
      using at = rig();
      const file = at.plant(join(at.repository, "src/cart.js"));
      symlinkSync(file, join(at.clone, "link"));
      symlinkSync(at.repository, join(at.clone, "all"));
      symlinkSync(at.repository, join(at.home, "alias"));
      const { out } = await at.run(
        `cat link all/src/cart.js ~/alias/src/cart.js ../../../../../../../code/project/src/cart.js
         ln ${file} hard; cat hard; ln -L link hard2; cat hard2
         for p in /proc/[0-9]*; do cat $p/root${file} $p/cwd/all/src/cart.js; done
         unshare -rm sh -c 'umount ${at.repository} ${at.home}; cat ${file}; mkdir m; mount --rbind / m; cat m${file}; mount --bind ${dirname(at.repository)} m; cat m/project/src/cart.js'
         mkdir -p ${dirname(at.repository)}/x; mv ${at.repository} moved; grep -rs ${CANARY} . ~ ; echo end`,
        hidden(),
      );
      expect(out).toMatch(/end\n$/);
      expect(out).not.toContain(`${CANARY}\n`);
    });

    test.each([
      ["its settings name the folder above it", { write: ["~/code"] }, {}],
      ["PATH leads into it", {}, { PATH: `~/code/project/bin:${MACHINE_PATH}` }],
      ["PATH leads to the folder above it", {}, { PATH: `~/code:${MACHINE_PATH}` }],
    ])("is hidden also if %s", async (_, setting, env) => {
      using at = rig();
      const file = at.plant(join(at.repository, "src/cart.js"));
      const tool = at.plant(join(at.repository, "bin/tool"));
      const beside = at.plant(join(at.home, "code/beside.txt"), "beside");
      const named = Object.fromEntries(
        Object.entries(env).map(([name, value]) => [name, value.replaceAll("~", at.home)]),
      );
      const needs = { named: [tool, file, at.repository] };
      const { out } = await at.run(
        `cat ${file} ${tool} ${beside}; echo end`,
        hidden({ setting, env: named, needs }),
      );
      expect(out).not.toContain(`${CANARY}\n`);
      expect(out).toMatch(/end\n$/);
    });

    test("shows what the settings name in it, by each kind of path, and not what is protected there", async () => {
      using at = rig();
      const paths = ["data/one", ".env.test", "big/two", "src/cart.js", "big/.env"];
      const [data, env, big, ...others] = paths.map((path) => at.plant(join(at.repository, path)));
      const setting = {
        allow: ["~/code/project/data", ".env.test"],
        write: [join(at.repository, "big")],
      };
      const { out } = await at.run(
        `cat ${data ?? ""} ${env ?? ""} ${big ?? ""}; echo x > ${dirname(big ?? "")}/new && echo wrote; cat ${others.join(" ")}; echo end`,
        hidden({ setting }),
      );
      expect(out.split("\n").filter((line) => line === CANARY)).toHaveLength(3);
      expect(out).toContain("wrote\n");
      const whole = await at.run(
        `cat ${others[0] ?? ""}`,
        hidden({ setting: { allow: ["~/code/project"] } }),
      );
      expect(whole.out).toBe(`${CANARY}\n`);
    });

    test.each([
      ["its own path", "srv/project"],
      ["a path with links", "links/project"],
    ])("is hidden where no home is, below a temporary folder, by %s", async (_, path) => {
      using at = rig();
      const elsewhere = join(at.root, "srv/project");
      const links = join(at.root, "links");
      symlinkSync(join(at.root, "srv"), links);
      mkdirSync(elsewhere, { recursive: true });
      const places = placesWith(at, join(at.root, path));
      lend(at, elsewhere);
      const { out } = await at.run(
        `cat ${elsewhere}/src/cart.js ${links}/project/src/cart.js; git show HEAD:lent.txt; echo end`,
        hidden({ places }),
      );
      expect(out).not.toContain(`${CANARY}\n`);
      expect(out).toMatch(/^lent\nend\n$/m);
    });

    test("is hidden with a repository in it, and in a repository around it", async () => {
      using at = rig();
      const nested = join(at.repository, "vendor/lib");
      placesWith(at, nested);
      const all = await at.run(`cat ${nested}/src/cart.js`, hidden());
      expect(all.out).not.toContain(`${CANARY}\n`);
      const own = await at.run(
        `cat ${nested}/src/cart.js`,
        hidden({ places: { ...at.places, repository: nested } }),
      );
      expect(own.out).not.toContain(`${CANARY}\n`);
    });

    test("is hidden with the other work trees of its repository, whichever of them it is", async () => {
      using at = rig();
      const { beside, inside } = workTrees(at);
      const gone = join(at.home, "code/gone");
      at.git(at.repository, "worktree", "add", "-q", "-b", "gone", gone);
      rmSync(gone, { recursive: true });
      const all = [at.repository, beside, inside];
      const look = all.map((tree) => `cat ${tree}/src/cart.js`).join("; ");
      const setting = { write: ["~/code"] };
      for (const repository of all) {
        const places = { ...at.places, repository };
        const { out } = await at.run(`${look}; git show HEAD:lent.txt; echo end`, {
          ...hidden({ setting, places }),
        });
        expect(out).not.toContain(`${CANARY}\n`);
        expect(out).toMatch(/^lent\nend\n$/m);
        const shown = { write: ["~/code"], allow: ["~/code/other/src"] };
        const given = await at.run(`${look}; echo end`, hidden({ setting: shown, places }));
        expect(given.out.split("\n").filter((line) => line === CANARY)).toHaveLength(1);
      }
      expect((await at.run(look, { user, setting })).out).toContain(`${CANARY}\n`);
    });

    test("is hidden but for wisp's tree, if the state directory is in it", async () => {
      using at = rig();
      const file = at.plant(join(at.repository, "src/cart.js"));
      const other = at.plant(
        join(at.repository, ".state/wisp/project/session/tester/clone/src/cart.js"),
      );
      const state = join(at.repository, ".state/wisp/project/session");
      mkdirSync(state, { recursive: true });
      renameSync(join(at.state, "builder"), join(state, "builder"));
      const places = {
        ...at.places,
        scratch: join(state, "builder/sandbox"),
        state: [join(at.repository, ".state/wisp")],
        caches: join(dirname(state), ".caches"),
      };
      const clone = join(state, "builder/clone");
      at.plant(join(clone, "own.txt"), "own");
      const { out } = await at.run(
        `cat ${file} ${other}; cat own.txt; echo x > new && cat new; echo end`,
        hidden({ places, cwd: clone }),
      );
      expect(out).not.toContain(`${CANARY}\n`);
      expect(out).toMatch(/^own\nx\nend\n$/m);
    });
  });
});

const PLACES_MADE = ["/srv/project", "/project", "/"];

test.each(PLACES_MADE)(
  "a plan for a checkout at %s hides it, unless it is everything",
  (repository) => {
    using at = rig();
    const world = worldOf(at.env);
    const real = (path: string) => (PLACES_MADE.includes(path) ? path : world.tree.realPath(path));
    const kindOf = (path: string) =>
      PLACES_MADE.includes(path) ? "directory" : world.tree.kindOf(path);
    for (const isImage of [false, true]) {
      const mounts = planMounts({
        world: { ...world, tree: { ...world.tree, realPath: real, kindOf } },
        setting: SETTING,
        places: { ...at.places, repository },
        confinement: { command: { argv: ["true"], cwd: at.clone, env: at.env }, ...HIDDEN },
        isImage,
      });
      const own = mounts.list().find(([path]) => path === repository);
      expect(own?.[1]).toEqual(repository === "/" ? undefined : { kind: "empty" });
      expect(mounts.kindAt(at.clone)).toBe("write");
    }
  },
);

test("in an image, a checkout in the home is not there, and its objects are", () => {
  using at = rig();
  at.plant(join(at.repository, "src/cart.js"));
  const mounts = planMounts({
    ...{ world: worldOf(at.env), setting: SETTING, places: at.places, isImage: true },
    confinement: { command: { argv: ["true"], cwd: at.clone, env: at.env }, ...HIDDEN },
  });
  expect(mounts.kindAt(join(at.repository, "src"))).toBe("empty");
  expect(mounts.kindAt(join(at.repository, ".git/config"))).toBe("empty");
  expect(mounts.kindAt(join(at.repository, ".git/objects"))).toBe("read");
});

test("in an image, no work tree of the repository is there, whatever shows the folder above", () => {
  using at = rig();
  const { beside, inside } = workTrees(at);
  const mounts = planMounts({
    ...{ world: worldOf(at.env), setting: { ...SETTING, write: ["~/code"] }, places: at.places },
    confinement: { command: { argv: ["true"], cwd: at.clone, env: at.env }, ...HIDDEN },
    isImage: true,
  });
  for (const tree of [at.repository, beside, inside]) {
    expect(mounts.kindAt(join(tree, "src"))).toBe("empty");
  }
  expect(mounts.kindAt(join(at.home, "code/third"))).toBe("write");
});

const Denied = z.object({ filesystem: z.object({ denyRead: z.array(z.string()) }) });

test("with srt, the checkout cannot be read but for its objects and what the settings name in it", () => {
  using at = rig();
  const files = ["src/cart.js", "data/one", ".env.test", ".git/config", ".git/objects/aa/bb"].map(
    (path) => at.plant(join(at.repository, path)),
  );
  const outside = at.plant(join(at.home, "code/other.js"));
  linkSync(outside, join(at.home, "code/hard.js"));
  const sandbox = createSrt({
    executable: "srt",
    setting: { ...SETTING, allow: ["~/code/project/data", ".env.test"], domains: [] },
    ...{ places: at.places, world: worldOf(at.env) },
  });
  const command = { argv: ["cat"], cwd: at.clone, env: at.env } as const;
  const deniedFor = (needs: object) => {
    const [, , path = ""] = need(sandbox.confine({ command, ...needs }))?.before ?? [];
    const { denyRead } = Denied.parse(JSON.parse(readFileSync(path, "utf8"))).filesystem;
    return [...files, outside].map((file) =>
      denyRead.some((folder) => file === folder || file.startsWith(`${folder}/`)),
    );
  };
  expect(deniedFor({})).toEqual([false, false, false, true, false, false]);
  expect(deniedFor(HIDDEN)).toEqual([true, false, false, true, false, false]);
});

test("with srt, the other work trees cannot be read either, but for what the settings name in them", () => {
  using at = rig();
  const { beside, inside } = workTrees(at);
  const files = [beside, inside].map((tree) => join(tree, "src/cart.js"));
  const given = at.plant(join(beside, "data/one"));
  const sandbox = createSrt({
    executable: "srt",
    setting: { ...SETTING, allow: ["~/code/other/data"], domains: [] },
    ...{ places: at.places, world: worldOf(at.env) },
  });
  const command = { argv: ["cat"], cwd: at.clone, env: at.env } as const;
  const [, , path = ""] = need(sandbox.confine({ command, ...HIDDEN }))?.before ?? [];
  const { denyRead } = Denied.parse(JSON.parse(readFileSync(path, "utf8"))).filesystem;
  const isDenied = (file: string) =>
    denyRead.some((folder) => file === folder || file.startsWith(`${folder}/`));
  expect([...files, given].map(isDenied)).toEqual([true, true, false]);
});
