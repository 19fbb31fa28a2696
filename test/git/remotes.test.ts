import { expect, test } from "vitest";
import { newRequestPage, remoteNames, remoteUrl } from "../../src/git/remote/remotes.ts";
import { createRig, value } from "./rig.ts";

test.each([
  ["git@github.com:acme/app.git", "https://github.com/acme/app/pull/new/wisp/a"],
  ["https://github.com/acme/app", "https://github.com/acme/app/pull/new/wisp/a"],
  ["https://bob:hunter2@github.com/acme/app.git", "https://github.com/acme/app/pull/new/wisp/a"],
  [
    "ssh://git@github.acme.example:2222/a/b.git/",
    "https://github.acme.example/a/b/pull/new/wisp/a",
  ],
  [
    "git@gitlab.com:acme/group/app.git",
    "https://gitlab.com/acme/group/app/-/merge_requests/new?merge_request%5Bsource_branch%5D=wisp%2Fa",
  ],
  ["/srv/git/app.git", undefined],
  ["../app.git", undefined],
  ["https://example.org/app.git", undefined],
  ["C:/repos/app", undefined],
])("a pull request for %s is opened at %s", (url, page) => {
  expect(newRequestPage(url, "wisp/a")).toBe(page);
});

test("escapes the name of a branch in the URL of a page", () => {
  expect(newRequestPage("git@github.com:a/b", "x/ü?y#z")).toBe(
    "https://github.com/a/b/pull/new/x/%C3%BC%3Fy%23z",
  );
});

test("lists the remotes of the user's repository", async () => {
  using rig = createRig();
  const { context } = rig;
  const { directory } = rig.hub;
  expect(value(await remoteNames(context, directory))).toEqual([]);
  rig.git(["remote", "add", "origin", "/srv/a.git"]);
  expect(value(await remoteNames(context, directory))).toEqual(["origin"]);
  expect(await remoteUrl(context, { directory, remote: "origin" })).toBe("/srv/a.git");
  expect(await remoteUrl(context, { directory, remote: "--help" })).toBeUndefined();
});
