import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const PlaceFile = z.object({ mirrors: z.object({ id: z.string(), root: z.string() }) });

/** The place of a session that runs elsewhere. */
export function placeIn(home: string): { readonly id: string; readonly root: string } {
  const text = readFileSync(join(home, "place.json"), "utf8");
  return PlaceFile.parse(JSON.parse(text)).mirrors;
}

/** The root of the place of a session that runs elsewhere on this machine. */
export function farRoot(home: string): string {
  return placeIn(home).root;
}

/** The home of the session there. */
export function farHome(home: string, session: string): string {
  return join(farRoot(home), "repository/.wisp/sessions", session);
}

/** A file that is being written, under the name that it has until it is whole (docs/PROTOCOL.md). */
const UNFINISHED = /(?:^|\/)\.[^/]+\.tmp$/u;

/**
 * The files of a home that a mirror has, with their contents. A lock that a killed process left is no file, nor is what
 * is being written just now.
 */
export function mirroredFiles(home: string): Readonly<Record<string, string>> {
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  const mirrored = names.filter(
    (name) =>
      name !== "place.json" &&
      !/(^|\/)locks(\/|$)/u.test(name) &&
      !UNFINISHED.test(name) &&
      // A lock may have gone meanwhile.
      lstatSync(join(home, name), { throwIfNoEntry: false })?.isFile() === true,
  );
  return Object.fromEntries(
    mirrored.sort().map((name) => [name, readFileSync(join(home, name), "latin1")]),
  );
}
