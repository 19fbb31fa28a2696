import { expect, test } from "vitest";
import { AlreadyAnswered } from "../../src/actions/up/answer-question.ts";
import { SettingsDiffer, SettingsUnread } from "../../src/actions/up/answer-settings.ts";
import { noticeOf } from "../../src/tui/watch/notice-of.ts";

test("an answer on the screen that leaves open which commands run is refused with the commands that say it", () => {
  const differing = [{ key: "commands.env", before: [], after: [["DATABASE_URL"]] }];
  const at = { session: "api", question: "builder-1", text: "it runs", isOnBranch: false };
  expect(noticeOf(SettingsDiffer({ ...at, differing }))).toBe(
    "The settings of the checkout differ from the commands of api in `commands.env`; only a person decides which run. " +
      "Nothing was recorded: wisp answer api builder-1 'it runs' --settings  or  " +
      "wisp answer api builder-1 'it runs' --no-settings",
  );
  const trouble = { message: "The settings have 1 mistake.", lines: ["config.yaml:1:1: no"] };
  expect(noticeOf(SettingsUnread({ ...at, trouble }))).toBe(
    "The settings of the checkout cannot be taken. The settings have 1 mistake. " +
      "Nothing was recorded: wisp answer api builder-1 'it runs' --no-settings",
  );
  expect(noticeOf(AlreadyAnswered({ session: "api", question: "builder-1" }))).toBe(
    "The question builder-1 is already answered; the first answer counts.",
  );
});
