import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commit, createRig, value, write } from "./rig.ts";

const PREFIX = "[Revision] ";

test("every commit after the base gets the prefix once, and nothing else in it changes", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const git = (...args: readonly string[]) => rig.git(args, clone.directory).trim();
  const base = value(await clone.head());
  const first = await commit(clone, "a.txt");
  git("commit", "--amend", "-qm", "[Revision] Add a", "--date", "2001-02-03T04:05:06+07:00");
  const named = value(await clone.head());
  git("switch", "-qc", "side", base);
  await commitAs(clone.directory, "b.txt", "[revision]: add b");
  git("switch", "-q", "wisp/first");
  git("merge", "-q", "--no-ff", "-m", "Bring b", "side");
  const latin = Buffer.from("Grüße", "latin1").toString("latin1");
  git("config", "i18n.commitEncoding", "latin1");
  const made = rig.context.environment;
  execFileSync("git", ["commit", "--allow-empty", "-qF", "-"], {
    cwd: clone.directory,
    env: made,
    input: Buffer.from(`${latin}\n\nAfter ${named.slice(0, 9)}.\n`, "latin1"),
  });
  git("config", "--unset", "i18n.commitEncoding");
  write(`${clone.directory}/open.txt`, "not committed\n");
  const before = facts(git, base);
  const tip = value(await clone.head());

  const renamed = value(await clone.prefixSubjects(base, PREFIX));
  expect(renamed.has(named)).toBe(false);
  expect(renamed.get(tip)).toBe(value(await clone.head()));
  expect(git("log", "--format=%s", `${base}..`).split("\n").sort()).toEqual(
    ["Bring b", "Grüße", "add b", "Add a"].map((subject) => PREFIX + subject).sort(),
  );
  expect(facts(git, base)).toEqual(before);
  expect(git("log", "-1", "--format=%b")).toBe(`After ${named.slice(0, 9)}.`);
  expect(git("status", "--porcelain")).toBe("?? open.txt");
  expect(git("rev-parse", "--abbrev-ref", "HEAD")).toBe("wisp/first");
  expect(git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  // Repeating it changes nothing, even after a crash before the branch moved.
  const after = value(await clone.head());
  expect(value(await clone.prefixSubjects(base, PREFIX)).size).toBe(0);
  git("update-ref", "HEAD", tip);
  value(await clone.prefixSubjects(base, PREFIX));
  expect(value(await clone.head())).toBe(after);
  expect(first).not.toBe(named);
});

test("a message that mentions a reworded commit names the new one, and a signature is removed", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  const first = await commit(clone, "a.txt");
  const raw = rig.git(["cat-file", "commit", first], clone.directory);
  const signed = raw.replace("\n\n", "\ngpgsig -----BEGIN\n  abc\n -----END\n\n");
  const tip = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
    cwd: clone.directory,
    input: signed,
    encoding: "utf8",
  }).trim();
  rig.git(["update-ref", "HEAD", tip], clone.directory);
  await commitAs(
    clone.directory,
    "b.txt",
    `Complete it\n\nFixed in ${tip}, see ${tip.slice(0, 8)}.`,
  );
  const renamed = value(await clone.prefixSubjects(base, PREFIX));
  const now = renamed.get(tip) ?? "";
  expect(rig.git(["log", "-1", "--format=%b"], clone.directory).trim()).toBe(
    `Fixed in ${now}, see ${now.slice(0, 8)}.`,
  );
  expect(rig.git(["cat-file", "commit", now], clone.directory)).not.toContain("gpgsig");
});

test("whatever a message is, its subject begins with the prefix, and its words stay", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  const message = fc
    .string({ unit: "binary", maxLength: 40 })
    .map((text) => text.replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(message, async (text) => {
      rig.git(["reset", "-q", "--hard", base], clone.directory);
      execFileSync(
        "git",
        ["commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", "-"],
        {
          cwd: clone.directory,
          env: rig.context.environment,
          input: text,
        },
      );
      value(await clone.prefixSubjects(base, PREFIX));
      const newMessage = rig.git(["log", "-1", "--format=%B"], clone.directory);
      expect(newMessage.startsWith(PREFIX)).toBe(true);
      expect(value(await clone.prefixSubjects(base, PREFIX)).size).toBe(0);
    }),
    { numRuns: 40 },
  );
});

/** Everything about the commits except ids and messages. */
function facts(git: (...args: readonly string[]) => string, base: string): readonly string[] {
  const log = git("log", "--topo-order", "--format=%T %an %ae %aI %cn %ce %cI %e", `${base}..`);
  const shape = git("log", "--topo-order", "--format=%p", `${base}..`).split("\n");
  return [log, String(shape.map((parents) => parents.split(" ").length))];
}

async function commitAs(directory: string, file: string, message: string): Promise<void> {
  write(`${directory}/${file}`, `${file}\n`);
  execFileSync("git", ["add", file], { cwd: directory });
  execFileSync("git", ["commit", "-qm", message], { cwd: directory });
}
