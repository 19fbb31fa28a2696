import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { CODING_CLIS } from "../../engines/coding-clis.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import { detectSetup } from "../../settings/detect/detect-setup.ts";
import { detectVerify } from "../../settings/detect/detect-verify.ts";
import type { RootFiles } from "../../settings/detect/root-files.ts";
import type { World } from "../../workspace/world.ts";
import type { FirstFacts } from "./first-settings.ts";

/**
 * What the first settings of a repository say: the engine that a session would choose, and the project's own tests.
 * Both are looked for in the work tree, because a new repository may have no commit yet.
 */
export function findFirstFacts(world: World, repository: string): FirstFacts {
  const place = { cwd: repository, env: world.env };
  const engine = CODING_CLIS.find(
    ({ executable }) => findExecutable(executable, place) !== undefined,
  );
  const root = rootOfWorkTree(world, repository);
  return { engine: engine?.name, verify: detectVerify(root, detectSetup(root)) };
}

function rootOfWorkTree({ host: { files } }: World, repository: string): RootFiles {
  return {
    names: new Set(need(files.list(repository))),
    read: (name) => {
      const read = files.read(join(repository, name), DOCUMENT_BYTES_MAX);
      return read.ok && read.value !== undefined
        ? Buffer.from(read.value).toString("utf8")
        : undefined;
    },
  };
}
