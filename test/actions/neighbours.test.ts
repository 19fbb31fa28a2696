import { expect, test } from "vitest";
import { neighbourFolder, withNeighbours } from "../../src/actions/start/neighbours.ts";
import { requestOf } from "../../src/actions/start/read-request.ts";
import { need } from "../../src/base/fatal.ts";

const OPENSPEC = "## 1. A\n\n- [ ] 1.1 a\n- [ ] 1.2 b\n";

function request(text: string, path: string) {
  return need(requestOf(Buffer.from(text), path, { isProse: false }));
}

test("only forms that are spread over several files have neighbours, and only in the repository", () => {
  const path = "/srv/app/openspec/changes/add/tasks.md";
  expect(neighbourFolder(request(OPENSPEC, path), "/srv/app")).toBe("openspec/changes/add");
  expect(neighbourFolder(request(OPENSPEC, "/srv/app/tasks.md"), "/srv/app")).toBe("");
  expect(neighbourFolder(request(OPENSPEC, path), "/srv/other")).toBeUndefined();
  expect(neighbourFolder(request("# Prose\n", path), "/srv/app")).toBeUndefined();
  expect(neighbourFolder(request("## A\n\n- [ ] a\n", path), "/srv/app")).toBeUndefined();
});

test("the documents that are there stand at the head of the plan, and are no part of it", () => {
  const given = request(OPENSPEC, "/srv/app/tasks.md");
  const names = ["proposal.md", "specs", "tasks.md", "unknown.md"];
  const { plan } = withNeighbours(given, { folder: "a\n## Milestone: b", names });
  expect(plan?.text).toBe(
    "> Read what belongs to these tasks, in `a ## Milestone: b`: `proposal.md`, `specs`.\n\n" +
      (given.plan?.text ?? ""),
  );
  expect(plan?.plan).toEqual(given.plan?.plan);
  expect(withNeighbours(given, { folder: "", names: ["tasks.md"] })).toBe(given);
});
