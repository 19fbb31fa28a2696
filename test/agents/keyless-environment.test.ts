import { expect, test } from "vitest";
import { withoutKeys } from "../../src/agents/keyless-environment.ts";

const keys = [
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_APIKEY", "GEMINI_KEY", "AWS_ACCESS_KEY_ID"],
  ...["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "NPM_TOKEN"],
  ...["npm_config__authToken", "npm_config_//registry/:_authToken", "DB_PASSWORD", "PGPASSWORD"],
  ...["SSH_AUTH_SOCK", "GOOGLE_APPLICATION_CREDENTIALS", "CLIENT_SECRET", "MY_PAT", "GIT_ASKPASS"],
  ...["SSH_PRIVATE_KEY", "SIGNING_PASSPHRASE", "CLAUDE_CODE_OAUTH_TOKEN", "azure_api_key"],
];
const harmless = [
  ...["PATH", "HOME", "PWD", "OLDPWD", "INIT_CWD", "LANG", "CI", "NODE_OPTIONS", "DATABASE_URL"],
  ...["KEYBOARD", "XDG_STATE_HOME", "AUTHOR", "TOKENIZERS_PARALLELISM", "PASSENGER_MODE"],
];

test.each(keys)("%s is kept from commands of models", (name) => {
  expect(withoutKeys({ [name]: "x" })).toEqual({});
});

test.each(harmless)("%s is what a project's tests may need", (name) => {
  expect(withoutKeys({ [name]: "x" })).toEqual({ [name]: "x" });
});
