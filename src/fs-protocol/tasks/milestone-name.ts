/**
 * Names of milestones inside records: `milestones.log` separates its fields with `|`, unit keys
 * separate their parts with `:`. Whatever could break a line, hide in a terminal, or be taken for a
 * separator is percent-encoded as its UTF-8 bytes; ordinary names stay as they are, so that people
 * and shell one-liners read them.
 *
 * Lone surrogates have no UTF-8 form. They are written as the three bytes that UTF-8 would give
 * their code point (`%ED%A0%80`), so that every string of JavaScript comes back as it was.
 */

/** `%`, `|`, control, format (bidi), line and paragraph separators, lone surrogates. */
const UNSAFE_IN_NAME = /[%|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** A unit key is one word, its parts are joined by `:`, and keys stand in lists joined by commas. */
const UNSAFE_IN_KEY = /[%|:,\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;
const ESCAPED_SURROGATE = /%ED%([AB][0-9A-F])%([89AB][0-9A-F])/i;

/** A milestone's name as the first field of a line of `milestones.log`. */
export function encodeName(name: string): string {
  return name.replace(UNSAFE_IN_NAME, encodeCharacter);
}

/** The name back, or undefined when a percent sign begins no valid escape: such a line is bad. */
export function decodeName(encoded: string): string | undefined {
  return decode(encoded);
}

/** A name as one part of a unit key: no white space, no `:`, no comma. */
export function encodeKeyPart(name: string): string {
  return name.replace(UNSAFE_IN_KEY, encodeCharacter);
}

/** The name back from a part of a unit key, or undefined when it does not decode. */
export function decodeKeyPart(encoded: string): string | undefined {
  return decode(encoded);
}

function encodeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
    const middle = 0x80 | ((codePoint >> 6) & 0x3f);
    const last = 0x80 | (codePoint & 0x3f);
    return `%ED${escapeByte(middle)}${escapeByte(last)}`;
  }
  // encodeURIComponent leaves the ASCII punctuation of JavaScript alone; none of it is unsafe here.
  return encodeURIComponent(character);
}

function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase()}`;
}

function decode(encoded: string): string | undefined {
  if (encoded.replace(ESCAPES, "").includes("%")) return undefined;
  try {
    return encoded.replace(ESCAPES, decodeEscapes);
  } catch {
    // decodeURIComponent throws on bytes that are no UTF-8.
    return undefined;
  }
}

/** A run of escapes: split at surrogates, which decodeURIComponent refuses. */
function decodeEscapes(run: string): string {
  // Two captures per separator: text, byte, byte, text, byte, byte, text.
  const pieces = run.split(ESCAPED_SURROGATE);
  return pieces
    .map((piece, index) => {
      if (index % 3 === 0) return decodeURIComponent(piece);
      return index % 3 === 1 ? surrogate(piece, pieces[index + 1] ?? "") : "";
    })
    .join("");
}

function surrogate(middleHex: string, lastHex: string): string {
  const middle = Number.parseInt(middleHex, 16) & 0x3f;
  const last = Number.parseInt(lastHex, 16) & 0x3f;
  return String.fromCharCode(0xd000 | (middle << 6) | last);
}
