import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import {
  declaresDependencies,
  newDependencies,
} from "../../../src/evidence/strange/declared-dependencies.ts";

const CASES: readonly (readonly [
  path: string,
  before: string,
  after: string,
  names: readonly string[],
])[] = [
  [
    "web/package.json",
    '{"dependencies":{"a":"1"},"devDependencies":{"b":"1"}}',
    '{"dependencies":{"a":"2","left-pad":"1"},"devDependencies":{"b":"1","c":"1"},"peerDependencies":{"d":"*"}}',
    ["c", "d", "left-pad"],
  ],
  ["composer.json", '{"require":{"php":"8"}}', '{"require":{"php":"9","x/y":"1"}}', ["x/y"]],
  [
    "pyproject.toml",
    '[project]\ndependencies = ["Foo_Bar>=1"]\n',
    '[project]\ndependencies = ["foo-bar>=2", "requests[socks]>=2 ; python_version > \'3\'"]\n[project.optional-dependencies]\ndev = ["pytest"]\n[tool.poetry.dependencies]\npython = "3"\nhttpx = "1"\n',
    ["httpx", "pytest", "requests"],
  ],
  [
    "Cargo.toml",
    '[dependencies]\nserde = "1"\n',
    '[dependencies]\nserde = "2"\nrand = "1"\n[target."cfg(unix)".dependencies]\nlibc = "1"\n[dev-dependencies.mockall]\nversion = "1"\n',
    ["libc", "mockall", "rand"],
  ],
  ["requirements-dev.txt", "a==1\n", "# b\n-r c.txt\na==2\nD.e>=1  # f\n", ["d-e"]],
  [
    "go.mod",
    "module example.org/m\n\nrequire example.org/a v1.0.0\n",
    "module example.org/m\n\ngo 1.22\n\nrequire (\n\texample.org/a v1.1.0\n\texample.org/b v0.1.0\n\texample.org/c v0.1.0 // indirect\n)\n",
    ["example.org/b"],
  ],
  ["Gemfile", 'gem "rails", "1"\n', 'gem "rails", "2"\n  gem \'rack\'\n# gem "x"\n', ["rack"]],
  [
    "a.gemspec",
    "",
    's.add_dependency "rack"\ns.add_development_dependency("rake")\n',
    ["rack", "rake"],
  ],
  [
    "pom.xml",
    "<project/>",
    "<dependency><groupId>g</groupId> <artifactId>a</artifactId><version>1</version></dependency>",
    ["g:a"],
  ],
  [
    "build.gradle",
    "",
    "dependencies {\n  implementation 'g:a:1'\n  testImplementation(\"h:b:2\")\n}\n",
    ["g:a", "h:b"],
  ],
];

test.each(CASES)(
  "%s names what it did not declare before, and no versions",
  (path, before, after, names) => {
    expect(newDependencies([{ path, before, after }], parse)).toEqual([{ path, names }]);
    expect(newDependencies([{ path, before: after, after }], parse)).toEqual([]);
    expect(newDependencies([{ path, before, after: undefined }], parse)).toEqual([]);
  },
);

test("an unreadable manifest may declare anything", () => {
  for (const path of ["package.json", "Cargo.toml"])
    expect(newDependencies([{ path, before: "", after: "{ nonsense" }], parse)).toEqual([
      { path, names: [] },
    ]);
});

test("only manifests are read", () => {
  const others = [
    "package-lock.json",
    "a/Cargo.lock",
    "requirements/README.md",
    "go.sum",
    "xGemfile",
  ];
  expect(others.filter(declaresDependencies)).toEqual([]);
});

test("any text is read, and what is declared twice or was there before is not new", () => {
  const paths = fc.constantFrom(...CASES.map(([path]) => path));
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.json());
  fc.assert(
    fc.property(paths, text, text, (path, before, after) => {
      const [found] = newDependencies([{ path, before, after }], parse);
      expect(new Set(found?.names).size).toBe(found?.names.length ?? 0);
    }),
  );
});
