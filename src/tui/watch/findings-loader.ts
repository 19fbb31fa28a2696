import { findingsView } from "../../views/findings/findings-view.ts";
import {
  findingPage,
  findingsPage,
  type FindingsOnRecord,
} from "../../views/screen/findings-page.ts";
import type { PageGround, PageLoader } from "./page-loader.ts";

/** The list of findings and bugs, and each of them. */
export const findingsLoader: PageLoader = {
  basis(_, ground) {
    const { findings, dismissed } = onRecord(ground);
    const standing = findings.map(({ id, state, fixes }) => {
      return [id, state, ...fixes.map(({ outcome, verdict = "" }) => outcome + verdict)].join(" ");
    });
    return [...standing, ...dismissed].join("\n");
  },
  load(page, ground) {
    const record = onRecord(ground);
    return Promise.resolve("id" in page ? findingPage(page.id, record) : findingsPage(record));
  },
};

function onRecord({ state }: PageGround): FindingsOnRecord {
  const dismissals = state.human.items.filter(({ kind }) => kind === "dismiss");
  return {
    findings: findingsView(state),
    dismissed: new Set(dismissals.flatMap((one) => ("id" in one ? [one.id] : []))),
  };
}
