/** What stands in place of a secret. */
export const REDACTED = "REDACTED";

/** Names of variables whose values are nobody's business. */
const SECRET_NAME =
  /(?:KEY|TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|COOKIE|AUTH|DSN)(?:_|$|S$)/iu;
/** A shorter value may stand anywhere by chance. */
const VALUE_CHARS_MIN = 8;

/** What keys look like, whoever gave them. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/gu,
  /\bsk-[A-Za-z0-9_-]{16,}/gu,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/gu,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/gu,
  /\bglpat-[A-Za-z0-9_-]{16,}/gu,
  /\bxox[a-z]-[A-Za-z0-9-]{10,}/gu,
  /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/gu,
  /\bAIza[A-Za-z0-9_-]{30,}/gu,
  /\bnpm_[A-Za-z0-9]{30,}/gu,
  /\bhf_[A-Za-z0-9]{30,}/gu,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/gu,
];
/** Of these what follows the first group is the secret. */
const AFTER: readonly RegExp[] = [
  /\b(Bearer\s+)[A-Za-z0-9._~+/-]{16,}=*/giu,
  /\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]{1,200}:)[^\s/@]{3,200}(?=@)/giu,
];

/** A text without the secrets that were found in it. */
export type Redact = (text: string) => string;

/**
 * Takes out the values of variables whose names look like those of keys, wherever they stand, and what
 * looks like a key by itself. It cannot know every secret: who gives a recording away looks at it first.
 */
export function redactorOf(env: Readonly<Record<string, string>>): Redact {
  const values = Object.entries(env)
    // A path, as of an agent's socket, opens nothing to who reads it.
    .filter(([name, value]) => SECRET_NAME.test(name) && !value.startsWith("/"))
    .map(([, value]) => value)
    .filter((value) => value.length >= VALUE_CHARS_MIN)
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const bare = values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
    const known = PATTERNS.reduce((rest, pattern) => rest.replace(pattern, REDACTED), bare);
    return AFTER.reduce((rest, pattern) => rest.replace(pattern, `$1${REDACTED}`), known);
  };
}
