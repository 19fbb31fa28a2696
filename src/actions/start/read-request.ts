import { CannotGoOn, need } from "../../base/fatal.ts";
import { basename, extname, resolve } from "node:path";
import { FileFailure, type Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { compileRequest, type CompiledRequest } from "../../session/rules/compile-request.ts";
import type { InputFailure } from "../../host/system/standard-input.ts";
import { realPath } from "../../host/files/node-links.ts";
import {
  BadRequestPlan,
  RequestAtTerminal,
  RequestBinary,
  RequestEmpty,
  RequestMissing,
  RequestNoFile,
  RequestTooLarge,
  type RequestRefusal,
} from "./request-failures.ts";
import { slugOf } from "../../workspace/slug.ts";

/** What messages call a request that is not in a file. */
export const STANDARD_INPUT = "(standard input)";

/** The request that a session is started for. */
export interface Request {
  /** Absolute, links followed; `STANDARD_INPUT` if it is not in a file. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** A name for it, derived from its first heading, or else from its file name; never empty. */
  readonly slug: string;
  /** Its tasks, if it is a plan; undefined if it has to be planned. */
  readonly plan: CompiledRequest | undefined;
}

/** Why a request cannot be read. */
export type RequestFailure = FileFailure | RequestRefusal;

/** How to read a request. */
export interface RequestReading {
  /** Have a planner plan it, whatever its form. */
  readonly isProse: boolean;
}

/** Reads a request, which must be a non-empty text file in UTF-8. */
export function readRequest(
  files: Files,
  given: string,
  { cwd, ...reading }: RequestReading & { readonly cwd: string },
): Request {
  const wanted = resolve(cwd, given);
  const path = realPath(wanted);
  if (path === undefined) throw new CannotGoOn(RequestMissing({ path: wanted }));
  const read = files.read(path, DOCUMENT_BYTES_MAX);
  if (!read.ok) throw new CannotGoOn(whyUnreadable(wanted, read.failure));
  const bytes = read.value;
  if (bytes === undefined) throw new CannotGoOn(RequestMissing({ path: wanted }));
  const request = need(requestOf(bytes, wanted, reading));
  return { ...request, path };
}

/** Reads a request from standard input, by the same rules. */
export async function readGivenRequest(reading: RequestReading): Promise<Request> {
  const { readStandardInput } = await import("../../host/system/standard-input.ts");
  const read = await readStandardInput(DOCUMENT_BYTES_MAX);
  if (!read.ok) throw new CannotGoOn(whyNotGiven(read.failure));
  return need(requestOf(read.value, STANDARD_INPUT, reading));
}

/**
 * Reads a request from its bytes.
 *
 * @param path names it for people, and yields a slug if its text does not
 */
export function requestOf(
  bytes: Uint8Array,
  path: string,
  { isProse }: RequestReading,
): Result<Request, RequestFailure> {
  const text = textOf(bytes);
  if (text === undefined) return fail(RequestBinary({ path }));
  if (text.trim() === "") return fail(RequestEmpty({ path }));
  const plan = isProse ? ok(undefined) : compileRequest(text);
  if (!plan.ok) return fail(BadRequestPlan({ path, failure: plan.failure }));
  return ok({ path, bytes, slug: requestSlug(text, path), plan: plan.value });
}

function whyNotGiven(failure: InputFailure): RequestFailure {
  switch (failure.kind) {
    case "terminal":
      return RequestAtTerminal({});
    case "too-large":
      return RequestTooLarge({ path: STANDARD_INPUT, bytesMax: DOCUMENT_BYTES_MAX });
    case "unreadable": {
      const { errno } = failure;
      return whyUnreadable(
        STANDARD_INPUT,
        FileFailure({ operation: "read", path: STANDARD_INPUT, errno }),
      );
    }
  }
}

function whyUnreadable(path: string, failure: FileFailure): RequestFailure {
  switch (failure.errno) {
    case "EFBIG":
      return RequestTooLarge({ path, bytesMax: DOCUMENT_BYTES_MAX });
    case "EISDIR":
    case "ENXIO":
      return RequestNoFile({ path });
    default:
      return failure;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * If the text has no characters that fit into a slug, the file's name is used, and after that
 * "request".
 */
function requestSlug(text: string, path: string): string {
  const heading = /^ {0,3}#\s+(.+)$/m.exec(text)?.[1] ?? "";
  const named = slugOf(heading);
  if (named !== "") return named;
  const fromFile = path === STANDARD_INPUT ? "" : slugOf(basename(path, extname(path)));
  return fromFile === "" ? "request" : fromFile;
}
