import { expect, test } from "vitest";
import { IMPORT_LINES } from "../../src/agents/harness/imports.ts";
import { commit, put } from "../rig/in-process-session.ts";
import { sessionRig } from "../agents/role-rig.ts";

test("paths and lines of a commit are read from its tree, whatever lies in the work tree", async () => {
  using rig = sessionRig();
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  put(clone.directory, "a b/ä.js", 'import x from "./x";\nconst y = 1;\n');
  put(clone.directory, "src/m.py", "from . import x\nfrom a.b import (\n    c,\n)\nprint(1)\n");
  put(clone.directory, "notes.txt", 'import x from "./x";\n');
  commit(clone.directory, "Work");
  const head = await clone.head();
  if (!head.ok) throw new Error("there is no HEAD");
  put(clone.directory, "later.js", 'import "./later";\n');
  expect(await clone.pathsAt(head.value)).toEqual({
    ok: true,
    value: ["README.md", "a b/ä.js", "notes.txt", "src/m.py"],
  });
  expect(await clone.linesLike(head.value, IMPORT_LINES)).toEqual({
    ok: true,
    value: [
      { path: "a b/ä.js", text: 'import x from "./x";' },
      { path: "src/m.py", text: "from . import x" },
      { path: "src/m.py", text: "from a.b import (" },
    ],
  });
  const none = { pattern: "no such line", names: ["*.js"] };
  expect(await clone.linesLike(head.value, none)).toEqual({ ok: true, value: [] });
});
