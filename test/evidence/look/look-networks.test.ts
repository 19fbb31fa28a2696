import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import type { Oid } from "../../../src/base/oid.ts";
import { roleLog } from "../../../src/fs-protocol/home/home.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import type { RoleRig } from "../../agents/role-rig.ts";
import { eventually } from "../../rig/patience.ts";
import { SANDBOXES, TreeRig } from "../verify-tree/tree-rig.ts";

/** A server on the machine's loopback, whose port nobody else there can have. */
let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((_request, response) => response.end("reached"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" ? (address?.port ?? 0) : 0;
});
afterAll(() => void server.close());

/** Runs the tests that the commit has, each of which is a line of `tests`, and prints names and numbers as TAP does. */
function suite(): string[][] {
  const script = `
const fs = require("node:fs");
const kinds = {
  listens: () => new Promise((done) => { const s = require("node:net").createServer();
    s.once("error", () => done(false)); s.listen(${String(port)}, "127.0.0.1", () => s.close(() => done(true))); }),
  asks: () => fetch("http://127.0.0.1:${String(port)}").then(() => true, () => false),
  right: () => true,
  wrong: () => false,
};
(async () => {
  const names = fs.readFileSync("tests", "utf8").trim().split("\\n");
  let failed = 0;
  for (const [at, name] of names.entries()) {
    const isGood = await kinds[name]();
    failed += isGood ? 0 : 1;
    console.log((isGood ? "ok " : "not ok ") + (at + 1) + " - " + name);
  }
  console.log("# tests " + names.length + "\\n# pass " + (names.length - failed) + "\\n# fail " + failed);
  process.exitCode = failed;
})();
`;
  return [[process.execPath, "-e", script]];
}

function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "wisp-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A session whose suite has these tests at the base. */
function sessionWith(bwrap: string | undefined, tests: string, session: Partial<SessionJson> = {}) {
  const rig = new TreeRig(
    bwrap,
    { verify: suite(), ...session },
    { files: { tests: `${tests}\n` } },
  );
  const fold = (): BuilderFold =>
    rig.builder
      .records()
      .reduce((state, record) => foldBuilder(state, record, rig.rig.session.policy), EMPTY_BUILDER);
  const verify = (at: Oid, role: RoleRig<"builder"> = rig.builder) =>
    verifyAt(role.context, fold(), at);
  /** The base is judged, and the work begins. */
  const plan = () => {
    const { journal } = rig.builder.context;
    const adopted = {
      seq: 0,
      plan: "p",
      request: 0,
      milestones: [{ name: "One", tasks: ["Work"] }],
    };
    journal.append({ kind: "plan.adopt", time: journal.time(), ...adopted });
  };
  const looks = () =>
    rig.builder.recordsOf("look").map(({ network, verdict, n }) => [n, network, verdict]);
  const results = () =>
    rig.builder
      .recordsOf("verify.result")
      .map(({ network, outcome, failing }) => [network, outcome, failing]);
  return {
    rig,
    base: rig.rig.session.base,
    verify,
    plan,
    looks,
    results,
    fold,
    [Symbol.dispose]: () => rig[Symbol.dispose](),
  };
}

describe.each(SANDBOXES)("in $sandbox", ({ bwrap, isThere }) => {
  const hasOwn = bwrap !== undefined;

  test.skipIf(!isThere)("a port that another program holds", async () => {
    using session = sessionWith(bwrap, "listens");
    await session.verify(session.base);
    if (!hasOwn) {
      expect(session.results()).toEqual([[undefined, "failed", ["listens"]]]);
      expect(session.looks()).toEqual([1, 2, 3].map((n) => [n, undefined, "red"]));
      return;
    }
    expect(session.results()).toEqual([["own", "passed", undefined]]);
    expect(session.looks()).toEqual([[1, "own", "green"]]);
  });

  test.skipIf(!isThere)(
    "a suite that needs a server of the machine: decided at the base, once",
    async () => {
      using session = sessionWith(bwrap, "asks\nright");
      await session.verify(session.base);
      session.plan();
      await session.verify(await session.rig.commit({ tests: "asks\nright\nright\n" }));
      await session.verify(await session.rig.commit({ tests: "asks\nwrong\n" }));
      const network = hasOwn ? "machine" : undefined;
      const added = hasOwn ? [[1, "own", "red"]] : [];
      expect(session.looks()).toEqual([
        ...added,
        [1 + added.length, network, "green"],
        [1, network, "green"],
        ...[1, 2, 3].map((n) => [n, network, "red"]),
      ]);
      expect(session.results()).toEqual([
        [network, "passed", undefined],
        [network, "passed", undefined],
        [network, "failed", ["wrong"]],
      ]);
      const noted = session.rig.builder.recordsOf("note").map(({ text }) => text);
      expect(
        noted.filter((text) => /its run with the machine's network counts/u.test(text)),
      ).toHaveLength(added.length);
    },
  );
});

const [, inBubblewrap] = SANDBOXES;
describe.skipIf(!inBubblewrap.isThere)("with a loopback to give", () => {
  const { bwrap } = inBubblewrap;

  test("a base that is red both ways is repeated without the network: no held port is in its licence", async () => {
    using session = sessionWith(bwrap, "listens\nwrong\nright");
    await session.verify(session.base);
    expect(session.results()).toEqual([["own", "failed", ["wrong"]]]);
    expect(session.looks().map(([, network]) => network)).toEqual(["own", "machine", "own", "own"]);
  });

  test("a later test that needs the network is decided with it, at each commit that has it", async () => {
    using session = sessionWith(bwrap, "listens\nright");
    await session.verify(session.base);
    session.plan();
    await session.verify(await session.rig.commit({ tests: "right\nasks\n" }));
    await session.verify(await session.rig.commit({ tests: "right\nright\n" }));
    expect(session.looks()).toEqual([
      [1, "own", "green"],
      [1, "own", "red"],
      [2, "machine", "green"],
      [1, "own", "green"],
    ]);
    expect(session.results().map(([network, outcome]) => [network, outcome])).toEqual([
      ["own", "passed"],
      ["machine", "passed"],
      ["own", "passed"],
    ]);
  });

  test("a builder that ends between the two looks decides when it is started again", async () => {
    using session = sessionWith(bwrap, "asks");
    const stop = new AbortController();
    const ended = session.rig.role("builder", stop);
    const verified = session.verify(session.base, ended);
    await eventually(() => expect(session.looks()).toEqual([[1, "own", "red"]]));
    stop.abort();
    expect((await verified).kind).toBe("stopped");
    expect(session.results()).toEqual([]);
    await session.verify(session.base, session.rig.role("builder"));
    expect(session.results()).toEqual([["machine", "passed", undefined]]);
    expect(session.fold().baseline).toMatchObject({ network: "machine" });
  });

  test("a session whose base was judged by an older wisp keeps the machine's network", async () => {
    using session = sessionWith(bwrap, "right");
    const { context } = session.rig.builder;
    const { tree, setup } = await context.trees.factsAt(session.base);
    const time = context.journal.time();
    const result = { at: session.base, tree, command: "c", setup, outcome: "passed" } as const;
    context.journal.append({ kind: "verify.result", time, ...result });
    await session.verify(await session.rig.commit({ tests: "right\nright\n" }));
    expect(session.looks()).toEqual([[1, "machine", "green"]]);
  });

  test("a bubblewrap that cannot make a loopback costs one look at the base, and nothing else", async () => {
    using folder = temporaryFolder();
    const script = join(folder.path, "bwrap");
    const refusal = `case " $* " in *" --unshare-net "*) echo "bwrap: loopback: Failed RTM_NEWADDR" >&2; exit 1;; esac`;
    writeFileSync(script, `#!/bin/sh\n${refusal}\nexec ${bwrap ?? ""} "$@"\n`, { mode: 0o755 });
    using session = sessionWith(script, "right");
    await session.verify(session.base);
    session.plan();
    await session.verify(await session.rig.commit({ tests: "right\nright\n" }));
    expect(session.looks()).toEqual([
      [1, "own", "red"],
      [2, "machine", "green"],
      [1, "machine", "green"],
    ]);
  });

  test("a revision begins with what its parent's verify needed", async () => {
    const parent = { id: "x", revision: 1, how: "revise" as const, asked: [] };
    const state = "/nonexistent";
    using session = sessionWith(bwrap, "asks", {
      parent: { ...parent, state, network: "machine" },
    });
    await session.verify(session.base);
    expect(session.looks()).toEqual([[1, "machine", "green"]]);
    expect(session.results()).toEqual([["machine", "passed", undefined]]);
  });

  test("a suite whose tests skip themselves without the network is judged with it", async () => {
    const script = `fetch("http://127.0.0.1:${String(port)}").then(() => [2, 0], () => [1, 1])
      .then(([ran, skipped]) => console.log("ok 1 - a\\n# pass " + ran + "\\n# fail 0\\n# skipped " + skipped));`;
    using session = sessionWith(bwrap, "right", { verify: [[process.execPath, "-e", script]] });
    await session.verify(session.base);
    expect(session.looks()).toEqual([
      [1, "own", "green"],
      [2, "machine", "green"],
    ]);
    expect(readFileSync(roleLog(session.rig.rig.at.home, "builder"), "utf8")).toMatch(
      / verify\.result .* network=machine/u,
    );
  });
});
