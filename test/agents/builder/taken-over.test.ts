import { join } from "node:path";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inspectHome } from "../../../src/workspace/home/inspect-home.ts";
import { unusualAtEnd } from "../../../src/workspace/finished/read-unusual.ts";
import { createHost } from "../../../src/host/host.ts";
import { BRANCH, movedRemote, type MovedRemote } from "./moved-remote-rig.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

/** Pushes a colleague's commit with unusual and sensitive changes; returns its id. */
function pushUnusual({ theirs, remote }: MovedRemote): string {
  const place = join(remote, "..", "theirs");
  mkdirSync(join(place, ".github/workflows"), { recursive: true });
  writeFileSync(join(place, ".github/workflows/ci.yml"), "on: push\n");
  writeFileSync(join(place, "package.json"), `{"scripts":{"postinstall":"./x"}}\n`);
  symlinkSync("/etc/hosts", join(place, "hosts"));
  theirs("update-index", "--add", "--cacheinfo", `160000,${theirs("rev-parse", "HEAD")},vendored`);
  theirs("add", ".github", "package.json", "hosts");
  theirs("commit", "-qm", "theirs");
  theirs("push", "-q", "origin", BRANCH);
  return theirs("rev-parse", "HEAD");
}

const HOST = {
  host: createHost(),
  env: ownEnvironment(),
};

/** What the end tells a person to look at. */
async function atEnd({ rig }: MovedRemote) {
  const { builder, branch, human } = await rig.at.state();
  const head = branch.head ?? rig.session.base;
  const none = { open: [], gaveup: [], failed: [] };
  const end = { how: "complete" as const, head, human: 0, ...none, reason: "" };
  const stage = { kind: "done" as const, end, halt: undefined };
  const found = { session: rig.session, home: rig.at.home };
  return unusualAtEnd(HOST, found, { builder: { ...builder, stage }, branch, human });
}

/**
 * Expected report: unusual things by their commit `tip`, sensitive files by the commit `by`, and all commits of
 * theirs.
 */
const reportOf = (tip: string, by = tip, committed = [tip]) => ({
  sensitive: [
    { path: ".github/workflows/ci.yml", commits: [by] },
    { path: "package.json", commits: [by] },
  ],
  unusual: [
    { kind: "link", path: "hosts", commits: [tip] },
    { kind: "submodule", path: "vendored", commits: [tip] },
    { kind: "person", name: "Grace", commits: committed },
  ],
});

test("commits from a fast-forward to the remote are named at the end like any others", async () => {
  using at = await movedRemote();
  const tip = pushUnusual(at);
  await at.look();
  expect(at.pushes().at(-1)).toMatchObject({ outcome: "pushed", took: tip });
  expect(await atEnd(at)).toMatchObject(reportOf(tip));
});

test("commits merged from a remote are named at the end: unusual things by their commit, sensitive files by the merge", async () => {
  using at = await movedRemote();
  const tip = pushUnusual(at);
  await at.wePublish("ours.txt", "ours\n");
  await at.look();
  const head = at.rig.at.git("rev-parse", BRANCH);
  expect(head).not.toBe(tip);
  expect(await atEnd(at)).toMatchObject(reportOf(tip, head));
});

/** A colleague merges our branch into theirs, as `git pull` does: their commit is the first parent. */
async function pulled(at: MovedRemote) {
  await at.look();
  const ours = await at.wePublish("ours.txt", "ours\n");
  const tip = pushUnusual(at);
  at.theirs("fetch", "-q", at.rig.session.repository, BRANCH);
  at.theirs("merge", "-q", "--no-edit", "FETCH_HEAD");
  at.theirs("push", "-q", "origin", BRANCH);
  await at.look();
  return { ours, tip, head: at.rig.at.git("rev-parse", BRANCH) };
}

test("commits of a colleague who merged our branch into theirs are named at the end", async () => {
  using at = await movedRemote();
  const { tip, head } = await pulled(at);
  expect(head).toBe(at.theirs("rev-parse", "HEAD"));
  expect(await atEnd(at)).toMatchObject(reportOf(tip, tip, [tip, head]));
});

test("a home is valid if a colleague merged its branch into theirs, in either order", async () => {
  using at = await movedRemote();
  const { ours, head } = await pulled(at);
  const { journal } = at.builder.context;
  const { base } = at.rig.session;
  const time = journal.time();
  const end = { time, outcome: "milestone" as const, ticks: [] };
  journal.append({
    ...{ ...end, kind: "build.end" as const, unit: "build:One:1", m: "One", commits: [ours] },
    milestones: [{ name: "One", start: base, end: ours }],
  });
  journal.append({
    ...{ ...end, kind: "build.end" as const, unit: "build:Two:1", m: "Two", commits: [head] },
    milestones: [{ name: "Two", start: ours, end: head }],
  });
  const { home } = at.rig.at;
  const { issues } = await inspectHome(HOST, { home, session: at.rig.session }, { own: true });
  const kinds = issues.map(({ kind }) => kind);
  for (const kind of ["range-backwards", "commit-not-on-branch", "commit-missing"]) {
    expect(kinds).not.toContain(kind);
  }
});
