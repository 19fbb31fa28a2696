import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { canRun, processSession, type ProcessSession } from "../rig/process-session.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { spilled } from "../rig/spilled.ts";
import { USERS } from "../rig/users.ts";

/*
 * Whatever a model prints and commits, no secret of the person leaks: tested with the whole program, from a bug's
 * command to every file that wisp keeps.
 */

const bubblewrap = await workingBubblewrap();
/** Composed, so that no command and no scenario contains it. */
const SECRET = ["canary", "of", "the", "person"].join("-");

/** The tester reports bugs, each with a command that tries to print a secret. */
const STEALS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { symlinkSync } = await import("node:fs");
    const { HOME } = process.env;
    t.put("hello.txt", "hello\n");
    symlinkSync(HOME + "/.ssh", "link");
    t.put(".npmrc", "prefix=" + HOME + "/.ssh\ncache=" + HOME + "/.ssh\nuserconfig=" + HOME + "/.npmrc\n");
    t.put("package.json", JSON.stringify({
      name: "project", private: true, workspaces: ["link"],
      scripts: { look: "cat " + HOME + "/.ssh/id_rsa " + HOME + "/.npmrc /nonexistent" },
    }));
    t.commit("Say hello");
    t.tick();
  },
  async test(t) {
    const { mkdirSync, rmSync, symlinkSync } = await import("node:fs");
    const { HOME } = process.env;
    const key = HOME + "/.ssh/id_rsa";
    rmSync("test", { recursive: true, force: true });
    mkdirSync("test");
    symlinkSync(key, "test/key");
    t.put("test/hello.sh", "cat " + key + "\nexit 1\n");
    const up = (count) => "../".repeat(count) + ".ssh/id_rsa";
    const commands = [
      "cat hello.txt /nonexistent",
      "cat " + key + " " + HOME + "/.aws/credentials " + HOME + "/Documents/diary.txt /nonexistent",
      "cat " + [6, 7, 8, 9, 10].map(up).join(" ") + " /nonexistent",
      "cat link/id_rsa /nonexistent",
      "cat test/key /nonexistent",
      "sh test/hello.sh",
      "git -C " + HOME + "/.ssh diff --no-index /dev/null id_rsa",
      "git -C " + HOME + "/private log -p --exit-code",
      "git --git-dir=" + HOME + "/private/.git log -p --exit-code",
      "env -S 'cat " + key + " /nonexistent'",
      "env -C " + HOME + "/.ssh cat id_rsa /nonexistent",
      "env PATH=" + HOME + "/.ssh:/usr/bin:/bin cat " + key + " /nonexistent",
      "env HOME=" + HOME + " sh -c 'cat ~/.ssh/id_rsa ~/.npmrc /nonexistent'",
      "npm run --silent look",
      "node -e 'console.log(fs.readFileSync(process.argv[1], \"utf8\")); process.exit(1)' " + key,
    ];
    // Paths of the person's home are refused in a command: then a script names them.
    const scripted = (command, index) => {
      t.put("test/way-" + index + ".sh", command + "\nexit 1\n");
      return "sh test/way-" + index + ".sh";
    };
    const given = t.ask === 1 ? commands : commands.map(scripted);
    t.finds(given.map((command, index) =>
      ["Bug", "hello.txt", "It is wrong in way " + index, undefined, command]));
  },
  fix: () => new Promise((resolve) => setTimeout(resolve, 600_000)),`;

/** Writes secrets into the person's home folder. */
function plantSecrets({ env }: ProcessSession): void {
  const { HOME: home = "" } = env;
  for (const path of [".ssh/id_rsa", ".aws/credentials", "Documents/diary.txt", "private/key"]) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), `${SECRET}\n`);
  }
  writeFileSync(join(home, ".npmrc"), `//registry.invalid/:_authToken=${SECRET}\n`);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", join(home, "private"), ...args], { env });
  git("init", "-q");
  git("add", "key");
  git("-c", "user.name=Me", "-c", "user.email=me@example.invalid", "commit", "-qm", "Keep it");
}

/** Everything that wisp keeps: in the checkout, in its repository, and in the state directory with all clones. */
function keptBy({ repository, env }: ProcessSession): readonly string[] {
  return [repository, join(env["HOME"] ?? "", ".local", "state", "wisp")];
}

describe.each(USERS)("as $name", (user) => {
  const why =
    "path" in bubblewrap
      ? canRun(user)
        ? ""
        : " (skipped: this checkout cannot be read by anybody else)"
      : ` (skipped: ${bubblewrap.reason})`;

  test.skipIf(why !== "")(
    `a bug's command copies no key into BUGS.md, an output or a clone, whatever path it uses${why}`,
    async () => {
      await using session = processSession({ scenario: STEALS, sandbox: "auto", user });
      plantSecrets(session);
      // The person's own PATH may contain such a folder, too.
      const bin = join(session.root, "bin");
      symlinkSync(join(session.env["HOME"] ?? "", ".ssh"), bin);
      session.env["PATH"] = `${session.env["PATH"] ?? ""}:${bin}`;
      session.spawn("start", "request.md");
      await session.until("the fix of a bug", () =>
        session.read("logs/builder.log").includes("purpose=fix"),
      );
      expect(await session.wisp("stop")).toMatchObject({ code: 0 });
      expect(session.read("session.json")).toContain('"kind": "bubblewrap"');
      expect(session.read("logs/tester.log")).toMatch(/ turn\.begin .*-ask2/u);
      // The scripts ran, and saw what they may see.
      expect(session.read("BUGS.md")).toContain("    > hello ");
      const turns = join(session.home(), "logs", "turns");
      const printed = readdirSync(turns).filter((name) => name.includes("-bug-"));
      expect(printed.length).toBeGreaterThanOrEqual(14);
      expect(printed.map((name) => readFileSync(join(turns, name), "utf8")).join("")).toMatch(
        /id_rsa: No such file or directory/,
      );
      expect(spilled(SECRET, keptBy(session))).toEqual([]);
      // The search finds the secret where it belongs.
      expect(spilled(SECRET, [session.env["HOME"] ?? ""]).length).toBeGreaterThan(4);
    },
  );
});
