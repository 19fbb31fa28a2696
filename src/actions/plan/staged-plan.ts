import { createHash } from "node:crypto";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { planPath } from "../../fs-protocol/home/home.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { PlanLost } from "./plan-failures.ts";

/** Reads a staged plan by its digest; a file with other bytes is not that plan. */
export function readStagedPlan(
  files: Pick<Files, "read">,
  { home, session }: FoundSession,
  sha256: string,
): Result<string, Refusal> {
  const path = planPath(home, sha256);
  const read = files.read(path, DOCUMENT_BYTES_MAX);
  if (!read.ok) return read;
  const bytes = read.value;
  const isWhole =
    bytes !== undefined && createHash("sha256").update(bytes).digest("hex") === sha256;
  if (!isWhole) return fail(PlanLost({ session: session.id, path }));
  return ok(new TextDecoder().decode(bytes));
}
