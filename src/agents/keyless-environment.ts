import { fitsRule } from "../engines/cli-environment.ts";

/** Words that name a secret, or the way to one, where they are a part of a variable's name. */
const PARTS =
  /(?:^|[_.-])(?:(?:API|ACCESS|PRIVATE|SECRET|SSH|GPG)?KEYS?|TOKENS?|SECRETS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PWD|PAT|CREDENTIALS?|CREDS|AUTH|AUTHORIZATION|COOKIES?|ASKPASS)(?:$|[_.-])/i;
/** And where they end a name without anything between, such as `authToken`. */
const ENDINGS = /(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/i;
/** The working directory: the word means something else in front. */
const HARMLESS = new Set(["PWD", "OLDPWD", "INIT_CWD"]);

/**
 * An environment without what looks like a key, by the names of its variables: for commands that a model
 * wrote. Everything else stays, since a project's tests may need it.
 *
 * @param named variables that stay all the same; a `*` at the end of a name is any rest
 */
export function withoutKeys(
  environment: Readonly<Record<string, string>>,
  named: readonly string[] = [],
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(
    ([name]) =>
      HARMLESS.has(name) ||
      named.some((rule) => fitsRule(rule, name)) ||
      !(PARTS.test(name) || ENDINGS.test(name)),
  );
  return Object.fromEntries(kept);
}
