import { expect, test } from "vitest";
import {
  commandEnvironment,
  namedForCommands,
} from "../../../src/evidence/verify/command-environment.ts";
import { SESSION } from "../../rig/session.ts";

const withheld = [
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_APIKEY", "GEMINI_KEY", "AWS_ACCESS_KEY_ID"],
  ...["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "NPM_TOKEN"],
  ...["npm_config__authToken", "npm_config_//registry/:_authToken", "DB_PASSWORD", "PGPASSWORD"],
  ...["SSH_AUTH_SOCK", "GOOGLE_APPLICATION_CREDENTIALS", "CLIENT_SECRET", "MY_PAT", "GIT_ASKPASS"],
  ...["DATABASE_URL", "SENTRY_DSN", "SLACK_WEBHOOK_URL", "ANTHROPIC_CUSTOM_HEADERS", "REDIS_URL"],
  ...["OTEL_EXPORTER_OTLP_HEADERS", "MYAPP_SETTING", "WISP_FAILPOINT", "BASH_ENV", "GOPROXY"],
  ...["GIT_DIR", "GIT_INDEX_FILE", "GIT_SSH_COMMAND", "GIT_CONFIG_PARAMETERS"],
];
const tools = [
  ...["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TERM", "CI", "XDG_CACHE_HOME", "HTTPS_PROXY"],
  ...["JAVA_HOME", "GOPATH", "NVM_DIR", "PYENV_ROOT", "VIRTUAL_ENV", "CARGO_HOME", "NODE_OPTIONS"],
  ...["CONDA_PREFIX", "ASDF_DATA_DIR", "MISE_DATA_DIR", "SDKMAN_DIR", "RBENV_ROOT", "FNM_DIR"],
  ...[
    "GRADLE_USER_HOME",
    "ANDROID_SDK_ROOT",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CC",
    "SDKROOT",
  ],
  ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_ATTR_NOSYSTEM"],
];

const seen = (environment: Record<string, string>, named: readonly string[] = []) =>
  Object.keys(commandEnvironment(environment, { named, isConfined: true }));

test.each(withheld)("%s does not reach a command unless the settings name it", (name) => {
  expect(seen({ [name]: "x" })).toEqual([]);
});

test.each(tools)("%s reaches commands, because programs need it", (name) => {
  expect(seen({ [name]: "x" })).toEqual([name]);
});

test("named variables reach commands, by full name or by prefix", () => {
  const ours = { DATABASE_URL: "d", DATABASE_URL_2: "e", MYAPP_ONE: "1", NOT_MYAPP_ONE: "2" };
  expect(seen(ours, ["DATABASE_URL", "MYAPP_*"])).toEqual(["DATABASE_URL", "MYAPP_ONE"]);
});

test("the person's folder for temporary files is used only if no sandbox provides one", () => {
  const ours = { TMPDIR: "/private/t" };
  expect(commandEnvironment(ours, { named: [], isConfined: false })).toEqual(ours);
  expect(commandEnvironment(ours, { named: [], isConfined: true })).toEqual({});
});

test("commands are told that nobody watches them, unless the person's own CI says something", () => {
  const options = { named: [], isConfined: true };
  expect(commandEnvironment({}, { ...options, ci: true })).toEqual({ CI: "true" });
  for (const CI of ["false", "woodpecker", ""]) {
    expect(commandEnvironment({ CI }, { ...options, ci: true })).toEqual({ CI });
  }
  expect(commandEnvironment({}, options)).toEqual({});
});

test("commands get one list of variables, and an older session keeps using its role's", () => {
  const builder = { ...SESSION.engines.builder, env: ["NPM_TOKEN"] };
  const before = { ...SESSION, engines: { ...SESSION.engines, builder } };
  expect(namedForCommands(before, "builder")).toEqual(["NPM_TOKEN"]);
  expect(namedForCommands(before, "tester")).toEqual([]);
  const now = { ...before, commands: { env: ["DATABASE_URL"] } };
  expect(namedForCommands(now, "builder")).toEqual(["DATABASE_URL"]);
  expect(namedForCommands(now, "tester")).toEqual(["DATABASE_URL"]);
});
