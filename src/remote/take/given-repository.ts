import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { Oid } from "../../base/oid.ts";
import { NonEmpty } from "../../base/plain-values.ts";

/** A file of `.wisp/` that a session begins with, committed or not. */
export const GivenSetting = z.object({
  /** Relative to `.wisp/`: `config.yaml`, `templates/build.md`, `reviewers/security.md`. */
  path: z.string().regex(/^(?:config\.yaml|(?:templates|reviewers)\/[^./][^/]*\.md)$/u),
  base64: z.string(),
});
export type GivenSetting = z.infer<typeof GivenSetting>;

/** What a place is given to make the repository of a session from, besides the bundle. */
export const GivenRepository = lateObject(() => ({
  version: z.literal(1),
  /** The commit that is checked out here. */
  head: Oid,
  /** The branch that is checked out here; absent: none is. */
  branch: NonEmpty.optional(),
  /** Whom commits name. */
  identity: z.object({ name: NonEmpty, email: NonEmpty }),
  settings: z.array(GivenSetting),
  /** Branches here and of remotes, as far as their commits are part of the history of `head`. Absent: none. */
  refs: z
    .array(z.object({ name: z.string().regex(/^refs\/(?:heads|remotes)\/\S+$/u), oid: Oid }))
    .optional(),
  /**
   * The filters that git runs in the person's checkout, and that may not be left out: what goes there has none of their
   * commands or keys. Absent: there are none.
   */
  filters: z.array(NonEmpty).optional(),
}));
export type GivenRepository = z.infer<typeof GivenRepository>;

/** The names of what is given, below `given` in the root of a place. */
export const GIVEN_BUNDLE = "repository.bundle";
export const GIVEN_REPOSITORY = "repository.json";
/** Content under Git LFS, and packs of submodules, each as joined files; absent if there is none. */
export const GIVEN_CONTENTS = "repository.contents";
export const GIVEN_SUBMODULES = "repository.submodules";
