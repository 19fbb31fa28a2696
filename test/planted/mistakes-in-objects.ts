import type { PlantedMistake } from "./planted-mistake.ts";

const COPY = "git/repository/copy-objects.ts";
const READ = "git/command/read-object.ts";
const PUBLISH = "git/publish/publish.ts";
const COPYING = "test/git/copy-objects.test.ts";
const PUBLISHING = "test/git/publish.test.ts";

/** Mistakes in reading, copying and publishing objects without a fetch. */
export const MISTAKES_IN_OBJECTS: readonly PlantedMistake[] = [
  {
    mistake: "an object is copied although its content does not have the hash that names it",
    edits: [
      {
        file: READ,
        find: "&& hashOf(bytes, oid) === oid",
        replace: '&& hashOf(bytes, oid) !== ""',
      },
    ],
    foundBy: {
      file: COPYING,
      title: "a file in the hub that does not have the content of its name",
    },
  },
  {
    mistake: "an object is written before what it names",
    edits: [
      {
        file: COPY,
        find: "return [...objects].every(",
        replace: "return [...objects].reverse().every(",
      },
    ],
    foundBy: { file: COPYING, title: "wherever a copy ends early, a commit that is there has all" },
  },
  {
    mistake: "a merge is copied as if it had one parent",
    edits: [
      {
        file: "git/command/read-commit.ts",
        find: "if (parent === undefined || others.length > 0) return undefined;",
        replace: "if (parent === undefined || others.length > 9) return undefined;",
      },
    ],
    foundBy: { file: COPYING, title: "what is merged is fetched by git" },
  },
  {
    mistake: "a folder of the commit before is taken for one that the other repository has whole",
    edits: [
      {
        file: COPY,
        find: "(before?.oid === oid && before.mode === mode)) return true;",
        replace: "before?.mode === mode) return true;",
      },
    ],
    foundBy: { file: COPYING, title: "new commits come into a clone whole, without a process" },
  },
  {
    mistake: "the branch moves from whatever commit it is at",
    edits: [
      {
        file: PUBLISH,
        find: '"wisp: publish", ref, to, from]',
        replace: '"wisp: publish", ref, to, ...(from === "" ? [from] : [])]',
      },
    ],
    foundBy: {
      file: PUBLISHING,
      title:
        "a commit that somebody publishes between the objects and the move of the branch is not lost",
    },
  },
  {
    mistake: "the branch moves although a person checked it out meanwhile",
    edits: [
      {
        file: PUBLISH,
        find: "if (!stored.ok || checkedOutAt(files, at, branch) !== undefined) return undefined;",
        replace: "if (!stored.ok) return undefined;",
      },
    ],
    foundBy: { file: PUBLISHING, title: "a branch that a person checks out between the objects" },
  },
  {
    mistake: "the branch moves although git refused the objects",
    edits: [
      {
        file: PUBLISH,
        find: "if (!stored.ok || checkedOutAt(",
        replace: "if (checkedOutAt(",
      },
    ],
    foundBy: {
      file: PUBLISHING,
      title: "the branch does not move to objects that git did not take over",
    },
  },
  {
    mistake: "objects that name absent ones are taken over",
    edits: [
      {
        file: PUBLISH,
        find: '["unpack-objects", "-q", "--strict"]',
        replace: '["unpack-objects", "-q"]',
      },
    ],
    foundBy: {
      file: PUBLISHING,
      title: "objects that name what the hub has lost are not taken over",
    },
  },
  {
    mistake: "the bytes of another file take the place of one that git cannot read",
    edits: [
      {
        file: "git/clone/tree-contents.ts",
        find: "const text = blobs.get(oid);",
        replace: "const text = blobs.get(oid) ?? [...blobs.values()][0];",
      },
    ],
    foundBy: {
      file: "test/git/tree-contents.test.ts",
      title: "a file that git cannot read is a failure",
    },
  },
  {
    mistake: "a link's target is that of another link that git printed before it",
    edits: [
      {
        file: "git/command/raw-output.ts",
        find: "blobs.set(oid, content);",
        replace: "blobs.set(oid, [...blobs.values()][0] ?? content);",
      },
    ],
    foundBy: {
      file: "test/git/brought-in.test.ts",
      title: "reports links that leave the tree with their targets",
    },
  },
  {
    mistake: "a commit gets the message of another one that git printed before it",
    edits: [
      {
        file: "git/publish/prefix-subjects.ts",
        find: "texts.push({ oid, text: printed.value.slice(begin, begin + Number(bytes)) });",
        replace:
          "texts.push({ oid, text: texts[0]?.text ?? printed.value.slice(begin, begin + Number(bytes)) });",
      },
    ],
    foundBy: {
      file: "test/git/prefix-subjects.test.ts",
      title: "every commit after the base gets the prefix once",
    },
  },
];
