import { hasTime, withoutTime } from "./appended-time.ts";
import { openTitle, titlesAround, type OpenTitles } from "./listed-tree.ts";
import { failedFile, plainPath, type FailureReader, type TestIdentity } from "./test-identity.ts";

const PLACE = /^test at (?:file:\/\/)?(.+?):\d+:\d+$/;
const FAILED = /^( *)✖ (.+)$/;
const GROUP = /^( *)▶ (.+)$/;
// A test that is expected to fail: `# TODO`, or the reason that the test gives.
const EXPECTED = / \([\d.]+ms\) # .*$/;

interface Tree {
  readonly titles: OpenTitles;
  readonly leaves: { readonly path: readonly string[]; readonly name: string }[];
}

type Placed = Omit<TestIdentity, "path">;

/**
 * The `spec` reporter of node's test runner: first a tree without places, then the failing tests with their places,
 * but without the titles around them. Both list the same tests, in the same order.
 */
export const readNodeSpec: FailureReader = (lines) => {
  if (!lines.some((line) => /^(?:ℹ (?:tests|fail) \d+|✖ failing tests:)$/.test(line))) return [];
  const tree: Tree = { titles: new Map(), leaves: [] };
  const placed: Placed[] = [];
  let isTree = true;
  lines.forEach((line, at) => {
    if (line === "✖ failing tests:") isTree = false;
    else if (/^(?:▶|✔|ℹ|﹣|⚠) /.test(line)) isTree = true;
    const file = PLACE.exec(lines[at - 1] ?? "")?.[1];
    const name = nameIn(line);
    if (file !== undefined && name !== undefined) placed.push({ file: plainPath(file), name });
    if (file === undefined && isTree) grow(tree, line);
  });
  if (placed.length === 0) return tree.leaves.map((leaf) => ({ file: "", ...leaf }));
  return withTitles(placed, tree);
};

function nameIn(line: string): string | undefined {
  const said = FAILED.exec(line)?.[2];
  return said === undefined || EXPECTED.test(said) ? undefined : withoutTime(said, "round");
}

function grow({ titles, leaves }: Tree, line: string): void {
  const [, blank = "", title] = GROUP.exec(line) ?? [];
  if (title !== undefined && !hasTime(title, "round")) {
    openTitle(titles, blank.length, title);
    return;
  }
  const name = nameIn(line);
  if (name === undefined) return;
  const indent = FAILED.exec(line)?.[1]?.length ?? 0;
  const isGroup = titles.get(indent) === name;
  if (isGroup) titles.delete(indent);
  const path = titlesAround(titles, indent);
  // Other tools print the sign without a time, such as the last line of eslint.
  const isTest = indent > 0 || hasTime(line, "round");
  if (!isGroup && isTest) leaves.push({ path, name });
}

/** Adds the titles around each test, if the tree has as many tests of its name as the list. */
function withTitles(placed: readonly Placed[], { leaves }: Tree): readonly TestIdentity[] {
  const listed = new Map<string, number>();
  for (const { name } of placed) listed.set(name, (listed.get(name) ?? 0) + 1);
  const paths = new Map<string, (readonly string[])[]>();
  for (const { name, path } of leaves) {
    const same = paths.get(name);
    if (same === undefined) paths.set(name, [path]);
    else same.push(path);
  }
  const isSame = (name: string) => paths.get(name)?.length === listed.get(name);
  const known = new Map([...paths].filter(([name]) => isSame(name)));
  return placed.map((each) => joined(each, known.get(each.name)?.shift() ?? []));
}

function joined({ file, name }: Placed, path: readonly string[]): TestIdentity {
  const isFile = name === file || name.endsWith(`/${file}`);
  return isFile ? failedFile(file) : { file, path, name };
}
