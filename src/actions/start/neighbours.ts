import { dirname, isAbsolute, relative } from "node:path";
import { cleanText } from "../../base/words/clean-text.ts";
import type { CompiledRequest } from "../../session/rules/compile-request.ts";
import type { Request } from "./read-request.ts";

/** What the tools that spread a plan over several files call the other files and folders. */
const NEIGHBOURS: Partial<Record<CompiledRequest["form"], readonly string[]>> = {
  "spec-kit": ["spec.md", "plan.md", "research.md", "data-model.md", "quickstart.md", "contracts"],
  kiro: ["requirements.md", "bugfix.md", "design.md"],
  openspec: ["proposal.md", "design.md", "specs"],
};

const PATH_CHARS_MAX = 500;

/**
 * The folder of a repository, relative to its top and empty for the top itself, in which documents
 * may stand that belong to the request. Undefined if its form has none.
 *
 * @param directory the top of the work tree
 */
export function neighbourFolder(
  { path, plan }: Pick<Request, "path" | "plan">,
  directory: string,
): string | undefined {
  if (plan === undefined || NEIGHBOURS[plan.form] === undefined) return undefined;
  // A request that is not in a file has no absolute path.
  if (!isAbsolute(path)) return undefined;
  const inside = relative(directory, path);
  if (inside.startsWith("..") || isAbsolute(inside)) return undefined;
  const folder = dirname(inside);
  return folder === "." ? "" : folder;
}

/**
 * Names the documents that belong to the request at the head of its plan, where the builder reads
 * it. Only those in the commit that the session begins at count: the builder's clone has them.
 *
 * @param folder as `neighbourFolder` returned it
 * @param names what is in it
 */
export function withNeighbours(
  request: Request,
  { folder, names }: { readonly folder: string | undefined; readonly names: readonly string[] },
): Request {
  const { plan } = request;
  if (plan === undefined || folder === undefined) return request;
  const present = (NEIGHBOURS[plan.form] ?? []).filter((name) => names.includes(name));
  if (present.length === 0) return request;
  const shownFolder = cleanText(folder, { charsMax: PATH_CHARS_MAX, lines: "one" });
  const where = folder === "" ? "at the top of the repository" : `in \`${shownFolder}\``;
  const list = present.map((name) => `\`${name}\``).join(", ");
  const text = `> Read what belongs to these tasks, ${where}: ${list}.\n\n${plan.text}`;
  const remark = `the plan names what stands next to it for the builder: ${present.join(", ")}`;
  return { ...request, plan: { ...plan, text, remarks: [remark, ...plan.remarks] } };
}
