import { expect, test } from "vitest";
import { forgedTrailers } from "../../../src/evidence/strange/forged-trailers.ts";
import { sha } from "../../rig/records.ts";

const OWN = { email: "ada@example.org" };
const commit = (n: number, message: string, email = "Ada@example.org ") => {
  return { sha: sha(n), email, message, files: [] };
};

test("words of people in messages of agents are named once, with their commits", () => {
  const commits = [
    commit(1, "One\n\nReviewed-by: Ada <ada@example.org>\nreviewed-BY: Ada <ada@example.org>"),
    commit(2, "Two\n\n  Acked-by:Grace\nReviewed-by: Ada <ada@example.org>\r"),
    commit(3, "Three\n\nSigned-off-by: Grace <grace@example.org>\nTested-by:"),
  ];
  expect(forgedTrailers(commits, OWN)).toEqual([
    { trailer: "Reviewed-by", who: "Ada <ada@example.org>", commits: [sha(1), sha(2)] },
    { trailer: "Acked-by", who: "Grace", commits: [sha(2)] },
    { trailer: "Signed-off-by", who: "Grace <grace@example.org>", commits: [sha(3)] },
    { trailer: "Tested-by", who: "", commits: [sha(3)] },
  ]);
});

test("the session's own sign-off, co-authors and commits of others are not", () => {
  const commits = [
    commit(1, "One\n\nSigned-off-by: Ada <ADA@example.org>\nCo-authored-by: Bot <bot@example.org>"),
    commit(2, "Reviewed-by is a trailer\n\nNot Reviewed-by: anybody"),
    commit(3, "Three\n\nReviewed-by: Eve <eve@example.org>", "grace@example.org"),
  ];
  expect(forgedTrailers(commits, OWN)).toEqual([]);
});
