import { SettingsDiffer, SettingsUnread } from "../../actions/up/answer-settings.ts";
import { explain } from "../../base/explain.ts";
import type { WorldFailure } from "../../base/fatal.ts";

/** What the screen says of a failure in one line: with the commands, where only they lead on. */
export function noticeOf(failure: WorldFailure): string {
  const { message, next } = explain(failure);
  return SettingsDiffer.is(failure) || SettingsUnread.is(failure)
    ? `${message} Nothing was recorded: ${next.join("  or  ")}`
    : message;
}
