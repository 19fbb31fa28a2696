/**
 * Encodes milestones' names for records: `milestones.log` separates its fields with `|`, unit keys
 * separate their parts with `:`. Whatever could break a line, be invisible in a terminal, or be
 * mistaken for a separator is percent-encoded as its UTF-8 bytes; ordinary names stay as they are,
 * so that people and shell one-liners can read them.
 *
 * Lone surrogates have no UTF-8 form. They are written as the three bytes that UTF-8 would give
 * their code point (`%ED%A0%80`), so that every JavaScript string survives the round trip.
 */

/** `%`, `|`, control, format (bidi), line and paragraph separators, lone surrogates. */
const UNSAFE_IN_NAME = /[%|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** A unit key is one word, `:` joins its parts, and lists of keys are joined by commas. */
const UNSAFE_IN_KEY = /[%|:,\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;
const ESCAPED_SURROGATE = /%ED%([AB][0-9A-F])%([89AB][0-9A-F])/i;

/** Encodes a milestone's name as the first field of a line of `milestones.log`. */
export function encodeName(name: string): string {
  return name.replace(UNSAFE_IN_NAME, encodeCharacter);
}

/**
 * Decodes such a name. Returns undefined if a percent sign does not begin a valid escape: the line
 * is bad.
 */
export function decodeName(encoded: string): string | undefined {
  return decode(encoded);
}

/** Encodes a name as one part of a unit key: no white space, no `:`, no comma. */
export function encodeKeyPart(name: string): string {
  return name.replace(UNSAFE_IN_KEY, encodeCharacter);
}

/** Decodes such a part. Returns undefined if it is not validly encoded. */
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
  // encodeURIComponent leaves some ASCII punctuation unescaped; none of it is unsafe here.
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
    // decodeURIComponent throws on bytes that are not UTF-8.
    return undefined;
  }
}

/** Decodes a run of escapes, split at surrogates, which decodeURIComponent rejects. */
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
