/** Replaces a secret. */
export const REDACTED = "REDACTED";

/** Names of variables whose values are secret. */
const SECRET_NAME =
  /(?:KEY|TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|COOKIE|AUTH|DSN)(?:_|$|S$)/iu;
/** Shorter values are not redacted: they could occur in a text by chance. */
const VALUE_CHARS_MIN = 8;

/** Well-known forms of keys and tokens. */
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
/** Patterns in which the secret follows the first group. */
const PREFIXED_PATTERNS: readonly RegExp[] = [
  /\b(Bearer\s+)[A-Za-z0-9._~+/-]{16,}=*/giu,
  /\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]{1,200}:)[^\s/@]{3,200}(?=@)/giu,
];

/** Returns a text without the secrets that were found in it. */
export type Redact = (text: string) => string;

/**
 * Creates a redactor. It removes the values of variables whose names suggest a secret, and text that looks like a key.
 * It cannot know every secret, so a person must read a recording before sharing it.
 */
export function redactorOf(env: Readonly<Record<string, string>>): Redact {
  const values = Object.entries(env)
    // A path, such as that of an agent's socket, is no secret.
    .filter(([name, value]) => SECRET_NAME.test(name) && !value.startsWith("/"))
    .map(([, value]) => value)
    .filter((value) => value.length >= VALUE_CHARS_MIN)
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const bare = values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
    const known = PATTERNS.reduce((rest, pattern) => rest.replace(pattern, REDACTED), bare);
    return PREFIXED_PATTERNS.reduce(
      (rest, pattern) => rest.replace(pattern, `$1${REDACTED}`),
      known,
    );
  };
}
