import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { SOURCE } from "../../fs-protocol/records/command-result.ts";
import { NOTHING_VERIFIED, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import { fixedIds } from "../../session/state/fold-builder.ts";
import { encodeBatch } from "../../fs-protocol/records/item-id.ts";
import { quoted, shortSha } from "../../workspace/session/describe-unit.ts";
import { renderCommon } from "./render-common.ts";
import { renderOldTests } from "./render-old-tests.ts";
import { renderQuestion } from "./render-question.ts";
import { renderSource } from "./render-source.ts";
import { because, count, sentence, type Sentence } from "../../base/words/sentence.ts";
import { whyUnchanged } from "../findings/why-unchanged.ts";

type RecordOf<K extends BuilderRecord["kind"]> = Extract<BuilderRecord, { readonly kind: K }>;

/** A record of `builder.log` as a sentence. */
export function renderBuilder(record: BuilderRecord): Sentence | undefined {
  switch (record.kind) {
    case "plan.adopt":
      return sentence(
        "plain",
        `follows the ${record.human === undefined ? "plan" : "edited plan"}: ` +
          record.milestones.map(sizeOf).join(", "),
      );
    case "plan.refuse":
      return renderRefusal(record);
    case "push.intent":
      return undefined;
    case "push.done":
      return sentence("plain", `published ${shortSha(record.sha)}`);
    case "verify.result":
      return renderVerify(record);
    case "verify.adopt":
      return renderAdoption(record);
    case "base.end":
      return renderBaseEnd(record);
    case "command.result":
      return record.command.startsWith(SOURCE) ? renderSource(record) : renderOldTests(record);
    case "remote.push":
      return renderRemotePush(record);
    case "build.end":
      return renderBuildEnd(record);
    case "hint.end":
      return renderHint(record);
    case "drain.close":
      return renderWindow(record);
    case "fix.end":
      return renderFixEnd(record);
    case "final.open":
      return sentence("plain", `everything is built: asks for final pass ${String(record.n)}`);
    case "halt":
      return sentence("bad", `halts${because(record.explanation)}`);
    case "done":
      return record.how === "complete"
        ? sentence("good", completeWords(record))
        : sentence("bad", `stuck${because(record.reason)}`);
    case "reopen":
      return sentence("plain", "continues after the end, because a person asked for more");
    default:
      return renderCommon(record);
  }
}

function renderRefusal({ human, plan, reason }: RecordOf<"plan.refuse">): Sentence {
  const what = human === undefined ? "the plan" : `the edit of TASKS.md, kept as plans/${plan}.md`;
  return sentence("bad", `refuses ${what}${because(reason)}`);
}

function renderAdoption({ verify, from }: RecordOf<"verify.adopt">): Sentence {
  const words = verify.map((argv) => argv.join(" ")).join(" && ");
  return sentence("plain", `adopts ${words} from ${from} as verify`);
}

function completeWords({ head, reason }: RecordOf<"done">): string {
  const words = `complete at ${shortSha(head)}`;
  return withNothingVerified(words, reason.includes(NOTHING_VERIFIED));
}

function renderRemotePush(record: RecordOf<"remote.push">): Sentence {
  const { outcome, at, took, reason, unit = "" } = record;
  const merged = took === undefined ? "" : `merged ${shortSha(took)} from the remote and `;
  switch (outcome) {
    case "pushed":
      return sentence("plain", `${merged}pushed ${shortSha(at)} to the remote`);
    case "failed":
      return sentence("bad", `${merged}could not push to the remote${because(reason)}`);
    case "left":
      return sentence("plain", "leaves the remote alone, as you asked");
    case "needs_input":
      return renderQuestion({ ...record, unit });
  }
}

function sizeOf({ name, tasks }: { readonly name: string; readonly tasks: readonly string[] }) {
  return `${quoted(name)} (${count(tasks.length, "task")})`;
}

function renderVerify(record: RecordOf<"verify.result">): Sentence {
  const at = shortSha(record.at);
  if (record.outcome === "passed") return sentence("plain", `verify passed at ${at}`);
  const failing = record.failing ?? [];
  const which = failing.length === 0 ? "" : `: ${failing.join(", ")}`;
  return sentence("bad", `verify failed at ${at}${which}`);
}

function renderBuildEnd(record: RecordOf<"build.end">): Sentence {
  const ticked = record.ticks.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const did = `${count(ticked, "task")} done, ${count(record.commits.length, "commit")}`;
  const name = quoted(record.m);
  const why = because(record.reason);
  switch (record.outcome) {
    case "milestone": {
      const names = record.milestones.map((milestone) => quoted(milestone.name)).join(", ");
      return sentence("good", `finished ${names}: ${did}`);
    }
    case "partial":
      return sentence(
        "plain",
        `${name} is not finished yet: ${did}; continues with it at once${why}`,
      );
    case "noprogress":
      return sentence("bad", `no progress in ${name}${why}`);
    case "unverified":
      return sentence("bad", `${name} is ticked off, but verify is worse than before${why}`);
    case "needs_input":
    case "blocked":
      return renderQuestion(record);
  }
}

const ACCEPTED_BY = {
  option: "as --accept-red-base says",
  settings: "as verify.knownRed of the settings says",
  remembered: "as you said in an earlier session",
};

function acceptedWords({ how }: RecordOf<"base.end">): string {
  // A base is also accepted at which verify is green and does not look at the code.
  if (how === undefined) return "continues with the base as it is, as you said";
  return `continues ${ACCEPTED_BY[how]}: what is red at the base counts as no worse later`;
}

function renderBaseEnd(record: RecordOf<"base.end">): Sentence {
  switch (record.outcome) {
    case "needs_input":
      return renderQuestion(record);
    case "accepted":
      return sentence("plain", acceptedWords(record));
    case "judged":
      return sentence(
        "good",
        "continues: verify at the base passes or names the failing tests now",
      );
  }
}

function renderHint({ m, stalled, text, reason }: RecordOf<"hint.end">): Sentence {
  const what = `for ${quoted(m)} after ${count(stalled, "attempt")}`;
  return text === undefined
    ? sentence("plain", `has no stuck hint ${what}${because(reason)}`)
    : sentence("plain", `stuck hint ${what}, in .stuck-hint.md: ${text}`);
}

function renderWindow(record: RecordOf<"drain.close">): Sentence {
  const late = record.waiting.join(", ");
  const next = record.fix.length === 0 ? "nothing to fix" : `to fix: ${record.fix.join(", ")}`;
  switch (record.cause) {
    case "all":
    case "final":
      return sentence("plain", `finished waiting for the reviewer and the tester: ${next}`);
    case "timeout":
      return sentence("bad", `waited long enough for ${late}; ${next}`);
    case "failed":
      return sentence("bad", `no longer waits for ${late}, which failed; ${next}`);
  }
}

function renderFixEnd(record: RecordOf<"fix.end">): Sentence {
  const why = because(record.reason);
  const ids = encodeBatch(fixedIds(record));
  switch (record.outcome) {
    case "fixed": {
      const at = record.sha === undefined ? "" : ` in ${shortSha(record.sha)}`;
      const briefs = [record, ...(record.also ?? [])].map(({ brief }) => brief).join("; ");
      return sentence("good", `fixed ${ids}${at}: ${briefs}`);
    }
    case "failed":
      return sentence("bad", `could not fix ${ids}, attempt ${String(record.attempt)}${why}`);
    case "nochange":
      return sentence("plain", `claims that ${ids} needs no change${whyUnchanged(record.reason)}`);
    case "needs_input":
    case "blocked":
      return renderQuestion(record);
  }
}
