import { expect, test } from "vitest";
import { livePage } from "../../../src/views/live/live-page.ts";
import { sessionNav } from "../../../src/views/live/session-nav.ts";
import { listedStatus } from "../../../src/views/next/session-rows.ts";
import { statusView } from "../../../src/views/status/status-view.ts";
import { factsOf } from "../../cli/session-states.ts";

const HOSTILE = `</script><img src=x onerror="alert(1)">&"'`;

function listed(id: string) {
  const facts = factsOf({});
  const found = { ...facts, session: { ...facts.session, id } };
  return listedStatus(found, statusView(found), facts.nowMs);
}

test("the newest session comes first, those that cannot be read last, and older ones are counted", () => {
  const html = sessionNav([listed("first"), listed("second")], [damaged("broken")], 7);
  const names = [...html.matchAll(/class="name">([^<]*)</gu)].map(([, name]) => name);
  expect(names).toEqual(["second", "first", "broken"]);
  expect(html).toContain("cannot be read (session-damaged)");
  expect(html).toContain("7 older: wisp list");
  expect(sessionNav([listed("first")], [])).not.toContain("older");
});

test("names stay text, wherever they are in the list", () => {
  const html = sessionNav([listed(HOSTILE)], [damaged(HOSTILE)]);
  // In a quoted attribute, only the quote and the ampersand mean anything.
  const values = [...html.matchAll(/ (?:data-session|data-key)="([^"]*)"/gu)].map(([, one]) => one);
  expect(new Set(values)).toEqual(
    new Set([
      HOSTILE.replaceAll("&", "&#x26;").replaceAll('"', "&#x22;").replaceAll("'", "&#x27;"),
    ]),
  );
  expect(html.replaceAll(/="[^"]*"/gu, "")).not.toMatch(/<img|<\/script|<script/u);
});

test("the page is the same whoever asks, and its policy names what is in it", () => {
  expect(livePage()).toEqual(livePage());
  const { html, policy } = livePage();
  expect(html.match(/<script>/gu)).toHaveLength(2);
  expect(policy.match(/'sha256-/gu)).toHaveLength(3);
  expect(html).not.toMatch(/\b(?:src|href|style)=|\bon\w+=/u);
});

function damaged(session: string) {
  return { session, problem: "session-damaged" };
}
