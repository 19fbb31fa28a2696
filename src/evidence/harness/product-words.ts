import { jsonOf } from "../../base/words/json-text.ts";
import { valueAt } from "../../engines/events/json-value.ts";

/** The words of a package.json outside the scripts for tests. */
export function productWords(manifest: string): readonly string[] {
  const fields = ["main", "module", "browser", "types", "bin", "exports"];
  const scripts = ["start", "serve", "dev", "install", "postinstall"];
  try {
    const all: unknown = JSON.parse(manifest);
    if (typeof all !== "object" || all === null) return [];
    const own = Object.entries(all).filter(([key]) => fields.includes(key));
    const scriptField: unknown = Object.getOwnPropertyDescriptor(all, "scripts")?.value;
    const run =
      typeof scriptField === "object" && scriptField !== null
        ? Object.entries(scriptField).filter(([key]) => scripts.includes(key))
        : [];
    return JSON.stringify([own, run])
      .split(/[\s"\\]+/)
      .map((word) => word.replace(/^\.\//, ""));
  } catch {
    return [];
  }
}

/** The files and folders that a package.json names as parts of the product, in words of it, without patterns' ends. */
export function publishedIn(manifest: string): readonly string[] {
  const listed = valueAt(jsonOf(manifest), "files");
  const files = Array.isArray(listed) ? listed.filter((each) => typeof each === "string") : [];
  return [...productWords(manifest), ...files]
    .map((word) => word.replace(/^\.?\//, "").replace(/\/?\*[^]*$|\/$/, ""))
    .filter((word) => word !== "" && word !== ".");
}
