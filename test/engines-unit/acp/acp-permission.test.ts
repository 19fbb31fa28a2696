import { expect, test } from "vitest";
import { AcpCalls } from "../../../src/engines/acp/acp-calls.ts";
import { permissionOption, type RealPlace } from "../../../src/engines/acp/acp-permission.ts";

const OPTIONS = [
  { optionId: "all", kind: "allow_always" },
  { optionId: "yes", kind: "allow_once" },
  { optionId: "no", kind: "reject_once" },
];
/** The clone, the plan's directory, and the turn's folder. */
const REACH = { edits: true, writable: ["/c", "/s"], readable: ["/f"] };
const REVIEWER = { ...REACH, edits: false };
const LINKS: Readonly<Record<string, string>> = { "/c/secrets": "/keys", "/tmp-c": "/c" };

/** Everything exists but what is called `new`; `/c/nowhere` is a link to it. */
const realPlace: RealPlace = (path) => {
  if (path === "/c/nowhere") return "unclear";
  if (path.endsWith("/new")) return "none";
  const link = Object.keys(LINKS).find((at) => path === at || path.startsWith(`${at}/`));
  return { path: link === undefined ? path : (LINKS[link] ?? "") + path.slice(link.length) };
};

function answer(
  announced: readonly object[],
  toolCall: object,
  reach = REACH,
): ReturnType<typeof permissionOption> {
  const calls = new AcpCalls();
  for (const update of announced) calls.note({ toolCallId: "1", ...update });
  const call = calls.asked({ toolCallId: "1", ...toolCall });
  return permissionOption({ call, options: OPTIONS }, reach, realPlace);
}

function at(...paths: readonly unknown[]) {
  return { locations: paths.map((path) => ({ path })) };
}

test.each([
  ["read", [], true],
  ["execute", [], true],
  ["read", ["/c/src/a.ts"], true],
  ["read", ["/f/request.md"], true],
  ["read", ["/f/request.md", "/etc/passwd"], false],
  ["read", ["/c/secrets/id"], false],
  ["read", ["/tmp-c/a"], true],
  ["read", ["c/a"], false],
  ["read", [7], false],
  ["search", ["/keys"], false],
  ["execute", ["/f"], true],
  ["execute", ["/dev/null"], true],
  ["execute", ["/etc"], false],
  ["edit", ["/c/src/a.ts"], true],
  ["edit", ["/c/new"], true],
  ["edit", ["/s/plan.md"], true],
  ["edit", ["/f/request.md"], false],
  ["edit", ["/c/nowhere"], false],
  ["edit", ["/c/../etc/passwd"], false],
  ["edit", ["/c/new/../../etc/new"], false],
  ["edit", ["/c-other/a"], false],
  ["edit", ["/c/secrets/new"], false],
  ["delete", ["/c/a", "/etc/passwd"], false],
  ["fetch", [], false],
  ["fetch", ["/c/a"], false],
  ["switch_mode", [], false],
  ["other", ["/c/a"], false],
  [undefined, [], false],
])("%s at %j: allowed is %s", (kind, paths, isAllowed) => {
  expect(answer([], { kind, ...at(...paths) })).toEqual({
    isAllowed,
    optionId: isAllowed ? "yes" : "no",
  });
});

test("the kind and the places that a call was announced with count in a request that says less", () => {
  const read = { kind: "read", ...at("/f/request.md") };
  expect(answer([read], { kind: "other", ...at("/f") }).isAllowed).toBe(true);
  expect(answer([read], {}).isAllowed).toBe(true);
  expect(answer([{ kind: "read" }, at("/etc/passwd")], { kind: "other" }).isAllowed).toBe(false);
  expect(answer([{ kind: "other" }], { kind: "other", ...at("/f") }).isAllowed).toBe(false);
});

test("no word makes a call harmless that was something else in another word", () => {
  const edit = { kind: "edit", ...at("/c/a") };
  expect(answer([edit], { kind: "read" }).isAllowed).toBe(true);
  expect(answer([edit], { kind: "read" }, REVIEWER).isAllowed).toBe(false);
  expect(answer([edit], { kind: "other" }, REVIEWER).isAllowed).toBe(false);
  expect(answer([{ kind: "read" }], edit, REVIEWER).isAllowed).toBe(false);
  expect(answer([{ kind: "fetch" }], { kind: "read" }).isAllowed).toBe(false);
});

test("a reviewer reads and runs", () => {
  for (const kind of ["read", "search", "execute"])
    expect(answer([], { kind, ...at("/c/a", "/f/range.diff") }, REVIEWER).isAllowed).toBe(true);
});

test("the file of a change that a request shows counts as a place", () => {
  const shows = (path: string) => ({ kind: "edit", content: [{ type: "diff", path }] });
  expect(answer([], shows("/c/a")).isAllowed).toBe(true);
  expect(answer([], shows("/etc/passwd")).isAllowed).toBe(false);
});

test("a call with too many places touches one that nobody may, and the oldest of too many calls is forgotten", () => {
  const many = at(...Array.from({ length: 1_001 }, (_, n) => `/c/${n}`));
  expect(answer([], { kind: "read", ...many }).isAllowed).toBe(false);
  const calls = new AcpCalls();
  for (let n = 0; n <= 1_000; n++) calls.note({ toolCallId: `${n}`, kind: "read" });
  expect(calls.asked({ toolCallId: "0" }).kinds).toEqual(new Set());
  expect(calls.asked({ toolCallId: "1" }).kinds).toEqual(new Set(["read"]));
});
