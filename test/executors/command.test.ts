import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { Place } from "../../src/base/ports/executor.ts";
import {
  commandExecutor,
  type CommandExecutorOptions,
} from "../../src/executors/command/command-executor.ts";
import { eventually } from "../rig/patience.ts";
import { must, testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";

/** A place is a directory below `FOLDER`; its id ends in a word that only `create` knows. */
const SCRIPTS = {
  create: `
[ -n "$WISP_PLACE_KEY" ] && [ -z "$WISP_PLACE_ID" ] || exit 1
mkdir -p "$FOLDER/$WISP_PLACE_KEY" || exit 1
printf '{"id":"%s it","root":"%s"}\\n' "$WISP_PLACE_KEY" "$FOLDER/$WISP_PLACE_KEY"`,
  exec: `
[ "$2" = -- ] && [ "$1" = "$WISP_PLACE_ID" ] || { echo "wrong arguments" >&2; exit 1; }
[ -d "$WISP_PLACE_ROOT" ] || exit 69
shift 2
exec "$@"`,
  destroy: `
for process in /proc/[0-9]*; do
  if tr '\\0' '\\n' 2>/dev/null < "$process/environ" | grep -qxF -- "WISP_PLACE=$WISP_PLACE_ROOT"; then
    kill -s KILL "\${process#/proc/}" 2>/dev/null
  fi
done
[ -d "$WISP_PLACE_ROOT" ] || exit 69
rm -rf -- "$WISP_PLACE_ROOT"`,
  status: `
if [ -d "$WISP_PLACE_ROOT" ]; then echo '{"state":"up"}'; else echo '{"state":"gone"}'; fi`,
  put: `
[ -d "$WISP_PLACE_ROOT" ] || exit 69
umask 077
mkdir -p "$(dirname "$WISP_PATH")" && cat > "$WISP_PATH.part" || exit 1
[ "$(wc -c < "$WISP_PATH.part")" -eq "$WISP_SIZE" ] || exit 75
chmod "$WISP_MODE" "$WISP_PATH.part" && mv "$WISP_PATH.part" "$WISP_PATH"`,
  get: `
[ -d "$WISP_PLACE_ROOT" ] || exit 69
[ -f "$WISP_PATH" ] || { echo "no $WISP_PATH" >&2; exit 1; }
exec cat "$WISP_PATH"`,
  terminal: `
[ "$2" = -- ] && [ "$1" = "$WISP_PLACE_ID" ] && [ -z "$WISP_PATH" ] || exit 1
cd / && shift 2
exec "$@"`,
};

type Scripts = Partial<Record<keyof typeof SCRIPTS, string>>;

/** An executor of shell scripts in a folder of its own; a script that is not given does not exist. */
async function openScripts(scripts: Scripts, makeMsMax?: number) {
  const folder = await mkdtemp(join(tmpdir(), "wisp-command-"));
  const names = Object.entries(scripts);
  for (const [name, text] of names) {
    await writeFile(join(folder, name), `#!/bin/sh${text}\n`);
    await chmod(join(folder, name), 0o755);
  }
  const places = await mkdtemp(join(tmpdir(), "wisp-command-places-"));
  const argvOf = (name: string): [string] => [join(folder, name)];
  const optional = (name: keyof Scripts) => (name in scripts ? argvOf(name) : undefined);
  const options: CommandExecutorOptions = {
    name: "mine",
    create: argvOf("create"),
    exec: argvOf("exec"),
    destroy: argvOf("destroy"),
    status: optional("status"),
    put: optional("put"),
    get: optional("get"),
    terminal: optional("terminal"),
    makeMsMax,
  };
  const close = async () => {
    await rm(folder, { recursive: true });
    await rm(places, { recursive: true, force: true });
  };
  const executor = commandExecutor(executorHost({ FOLDER: places }), options);
  return { executor, folder, places, close };
}

/** A text that matches, as part of what is expected. */
function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

/** Runs a claim with an executor of scripts, and removes them. */
async function withScripts(
  scripts: Scripts,
  claim: (opened: Awaited<ReturnType<typeof openScripts>>) => Promise<void>,
  makeMsMax?: number,
) {
  const opened = await openScripts(scripts, makeMsMax);
  try {
    await claim(opened);
  } finally {
    await opened.close();
  }
}

describe("an executor of commands with all its executables", () => {
  testExecutor(() => openScripts(SCRIPTS));
});

describe("an executor of commands with no more executables than it needs", () => {
  const { create, exec, destroy } = SCRIPTS;
  testExecutor(() => openScripts({ create, exec, destroy }));
});

describe("what an executable is given", () => {
  test("create reads every wish from its environment, and no argument", async () => {
    const create = `
env | grep ^WISP_ | sort > "$FOLDER/given"
printf 'arguments %s\\n' "$#" >> "$FOLDER/given"
echo '{"id":"a","root":"/a"}'`;
    await withScripts({ create }, async ({ executor, places }) => {
      const wishes = { key: "k-1", cpus: 1.5, memoryBytes: 1e9, timeMs: 60_000 };
      const more = { image: "debian:12", queue: "long one", labels: { a: 'b "c"' } };
      expect(must(await executor.create({ ...wishes, ...more }))).toEqual({ id: "a", root: "/a" });
      expect((await readFile(join(places, "given"), "utf8")).split("\n")).toEqual([
        "WISP_CPUS=1.5",
        "WISP_IMAGE=debian:12",
        'WISP_LABELS={"a":"b \\"c\\""}',
        "WISP_MEMORY_BYTES=1000000000",
        "WISP_MODE=",
        "WISP_PATH=",
        "WISP_PLACE_ID=",
        "WISP_PLACE_KEY=k-1",
        "WISP_PLACE_ROOT=",
        "WISP_QUEUE=long one",
        "WISP_SIZE=",
        "WISP_TIME_MS=60000",
        "arguments 0",
        "",
      ]);
    });
  });
});

describe("a terminal", () => {
  test("is given by its executable, in the directory, with the variables and the words of the command", async () => {
    await withScripts(SCRIPTS, async ({ executor }) => {
      const place = must(await executor.create({ key: "k" }));
      const script = 'printf "%s|" "$1" "$GIVEN" "$WISP_PLACE" "$PWD"';
      const argv = executor.terminalArgv?.(place, {
        argv: ["sh", "-c", script, "sh", "it's \\ ! here"],
        env: { GIVEN: "a b" },
      });
      const [program = "", ...words] = argv ?? [];
      const { stdout } = await promisify(execFile)(program, words);
      expect(stdout).toBe(`it's \\ ! here|a b|${place.root}|${place.root}|`);
    });
  });

  test("is not there without its executable", async () => {
    await withScripts({}, ({ executor }) => {
      expect(executor).not.toHaveProperty("terminalArgv");
      return Promise.resolve();
    });
  });
});

describe("what create may print", () => {
  const long = "x".repeat(257);
  test.each([
    ["nothing", "", /JSON object/],
    ["no JSON", "echo made it", /JSON object/],
    ["a list", "echo '[]'", /JSON object/],
    ["two lines", `echo '{"id":"a","root":"/a"}'; echo`, /more than one line/],
    ["no id", `echo '{"root":"/a"}'`, /id/],
    ["an empty id", `echo '{"id":"","root":"/a"}'`, /id is/],
    ["a long id", `echo '{"id":"${long}","root":"/a"}'`, /id is/],
    ["an id like an option", `echo '{"id":"-f","root":"/a"}'`, /id is/],
    ["an id with a control character", `printf '%s\\n' '{"id":"a\\u001b","root":"/a"}'`, /id is/],
    ["a relative root", `echo '{"id":"a","root":"a"}'`, /root is/],
    ["the whole system", `echo '{"id":"a","root":"/"}'`, /root is/],
    ["a root with a way back", `echo '{"id":"a","root":"/a/../b"}'`, /root is/],
    ["10 MB", "head -c 10000000 /dev/zero", /more than 65536 bytes/],
    ["without end", "yes", /more than 65536 bytes/],
  ])("refuses %s", async (_what, create, detail) => {
    await withScripts({ create: `\n${create}` }, async ({ executor }) => {
      expect(await executor.create({ key: "k" })).toMatchObject({
        ok: false,
        failure: { kind: "executor-refused", detail: matching(detail) },
      });
    });
  });
});

describe("exit codes", () => {
  const place: Place = { id: "p", root: "/p" };
  const ended = (exitCode: number) => `\necho first >&2; echo "the reason" >&2; exit ${exitCode}`;

  test("75 says that create, destroy, put and get could not reach the service", async () => {
    const all = { create: ended(75), destroy: ended(75), put: ended(75), get: ended(75) };
    await withScripts(all, async ({ executor, folder }) => {
      const failure = { kind: "executor-unreachable", executor: "mine", detail: "the reason" };
      const from = new Uint8Array(3);
      expect(await executor.create({ key: "k" })).toMatchObject({ ok: false, failure });
      expect(await executor.destroy(place)).toMatchObject({ ok: false, failure });
      expect(await executor.put(place, { from, to: "/p/f" })).toMatchObject({ ok: false, failure });
      const got = await executor.get(place, "/p/f", join(folder, "back"));
      expect(got).toMatchObject({ ok: false, failure });
      expect(await readdir(folder)).not.toContain("back");
    });
  });

  test("69 says that the place is gone, which is what destroy was to bring about", async () => {
    const all = { destroy: ended(69), put: ended(69), get: ended(69), status: ended(69) };
    await withScripts(all, async ({ executor, folder }) => {
      const failure = { kind: "place-gone", place: "p" };
      const from = new Uint8Array(3);
      expect(await executor.put(place, { from, to: "/p/f" })).toMatchObject({ ok: false, failure });
      const got = await executor.get(place, "/p/f", join(folder, "back"));
      expect(got).toMatchObject({ ok: false, failure });
      expect(must(await executor.status(place))).toEqual({ kind: "gone" });
      expect(await executor.destroy(place)).toMatchObject({ ok: true });
    });
  });

  test("any other is a refusal with the last line of standard error", async () => {
    await withScripts({ create: ended(2), destroy: "\nexit 3" }, async ({ executor }) => {
      expect(await executor.create({ key: "k" })).toMatchObject({
        ok: false,
        failure: { kind: "executor-refused", detail: "the reason" },
      });
      expect(await executor.destroy(place)).toMatchObject({
        ok: false,
        failure: {
          kind: "executor-refused",
          detail: matching(/destroy ended with exit code 3, and did not say why/),
        },
      });
    });
  });

  test.each([
    [75, "up", { ok: true, value: { kind: "exited", exitCode: 75 } }],
    [69, "up", { ok: true, value: { kind: "exited", exitCode: 69 } }],
    [255, "gone", { ok: true, value: { kind: "exited", exitCode: 255 } }],
    [75, "gone", { ok: false, failure: { kind: "place-gone" } }],
    [69, "gone", { ok: false, failure: { kind: "place-gone" } }],
    [75, "down", { ok: false, failure: { kind: "executor-unreachable", detail: "why" } }],
    [69, "waiting", { ok: false, failure: { kind: "executor-unreachable", detail: "why" } }],
  ])("%i of exec at a place that is %s is told apart by status", async (exitCode, state, due) => {
    const status = `\necho '{"state":"${state}","reason":"why"}'`;
    await withScripts({ exec: `\nexit ${exitCode}`, status }, async ({ executor }) => {
      expect(await executor.exec(place, { argv: ["x"] })).toMatchObject(due);
    });
  });

  test("an end of exec by a signal says that the way to the place broke, even if it is up", async () => {
    const status = `\necho '{"state":"up"}'`;
    await withScripts({ exec: `\nkill -KILL $$`, status }, async ({ executor }) => {
      expect(await executor.exec(place, { argv: ["x"] })).toMatchObject({
        ok: false,
        failure: { kind: "executor-unreachable", detail: "exec was ended by SIGKILL" },
      });
    });
  });

  test("without status, exec itself says that the place is gone, down or out of reach", async () => {
    await withScripts({ exec: ended(69) }, async ({ executor }) => {
      expect(must(await executor.status(place))).toEqual({ kind: "gone" });
      const ran = await executor.exec(place, { argv: ["x"] });
      expect(ran).toMatchObject({ ok: false, failure: { kind: "place-gone" } });
    });
    await withScripts({ exec: ended(1) }, async ({ executor }) => {
      expect(must(await executor.status(place))).toEqual({ kind: "down", reason: "the reason" });
    });
    await withScripts({ exec: ended(75) }, async ({ executor }) => {
      const failure = { kind: "executor-unreachable" };
      expect(await executor.status(place)).toMatchObject({ ok: false, failure });
      expect(await executor.exec(place, { argv: ["x"] })).toMatchObject({ ok: false, failure });
    });
  });

  test("a state that is none of the four is refused", async () => {
    await withScripts({ status: `\necho '{"state":"sleepy"}'` }, async ({ executor }) => {
      expect(await executor.status(place)).toMatchObject({
        ok: false,
        failure: { kind: "executor-refused", detail: matching(/state/) },
      });
    });
  });
});

describe("an executable that does not work", () => {
  test("one that does not exist is named", async () => {
    await withScripts({}, async ({ executor, folder }) => {
      const failure = { kind: "spawn", errno: "ENOENT", executable: join(folder, "create") };
      expect(await executor.create({ key: "k" })).toMatchObject({ ok: false, failure });
    });
  });

  test("one that hangs at create is ended with all it started, and counts as out of reach", async () => {
    const create = `\necho $$ > "$FOLDER/pid"; sleep 1000 & wait`;
    const claim = async ({ executor, places }: Awaited<ReturnType<typeof openScripts>>) => {
      expect(await executor.create({ key: "k" })).toMatchObject({
        ok: false,
        failure: { kind: "executor-unreachable", detail: matching(/time limit/) },
      });
      const pid = Number(await readFile(join(places, "pid"), "utf8"));
      await eventually(() => expect(() => process.kill(-pid, 0)).toThrow(/ESRCH/));
    };
    await withScripts({ create }, claim, 1_000);
  });
});

describe("the samples", () => {
  const samples = new URL("../../samples/executors/", import.meta.url);
  let scripts: readonly string[] = [];
  let readmes: readonly string[] = [];

  beforeAll(async () => {
    const names = await readdir(samples, { recursive: true });
    scripts = names.filter((name) => /\/(?:create|exec|destroy|status|get|put)$/.test(name));
    readmes = names.filter((name) => name.endsWith("README.md"));
  });

  test("there are create, exec, destroy and status for each of four services", () => {
    const due = ["daytona", "e2b", "kubernetes", "modal"].flatMap((service) =>
      ["create", "destroy", "exec", "status"].map((name) => `${service}/${name}`),
    );
    expect([...scripts].sort()).toEqual(due);
  });

  test("each script parses", async () => {
    const host = executorHost();
    for (const name of scripts) {
      const path = new URL(name, samples).pathname;
      const isShell = (await readFile(path, "utf8")).startsWith("#!/bin/sh\n");
      const check = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
      const argv: [string, ...string[]] = isShell
        ? ["sh", "-n", path]
        : ["python3", "-c", check, path];
      const { cwd, env } = host;
      const end = must(await host.programs.stream({ argv, cwd, env }));
      expect({ name, end }).toEqual({ name, end: { kind: "exited", exitCode: 0, stderr: "" } });
    }
  });

  test("each says first that nobody has run it", async () => {
    const first =
      "NOT RUN: written from the documentation; no such service was available to run it against.";
    expect(readmes).toHaveLength(4);
    for (const name of readmes) {
      expect((await readFile(new URL(name, samples), "utf8")).split("\n")[0]).toBe(first);
    }
  });
});
