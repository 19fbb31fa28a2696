import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const SECRET_BYTES = 32;

/** What the browser that used the link is given. */
export interface Admission {
  /** The value of a `Set-Cookie` header. */
  readonly cookie: string;
  /** What its script sends with each request, besides the cookie. */
  readonly key: string;
}

/**
 * Who may read. The link's token is exchanged once; after that only the browser that did it is let in.
 *
 * A browser sends a cookie to every port of the same host, so also to a server that a session's own work may have
 * started. Hence the key: scripts of another port cannot read it, and the cookie alone opens nothing.
 */
export class LinkEntry {
  readonly token = secret();
  readonly #cookieName: string;
  readonly #cookie = secret();
  readonly #key = secret();
  #isUsed = false;

  /** @param port tells the cookies of several servers apart */
  constructor(port: number) {
    this.#cookieName = `wisp-watch-${port}`;
  }

  /** Undefined if the token is wrong or was used already. */
  exchange(token: string): Admission | undefined {
    const isRight = isSame(token, this.token);
    if (!isRight || this.#isUsed) return undefined;
    this.#isUsed = true;
    const cookie = `${this.#cookieName}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`;
    return { cookie, key: this.#key };
  }

  /** Whether a request with these cookies and this key is from the browser that used the link. */
  admits(cookies: string, key: string): boolean {
    const name = `${this.#cookieName}=`;
    const own = cookies
      .split(";")
      .map((one) => one.trim())
      .find((one) => one.startsWith(name));
    const isCookie = isSame(own?.slice(name.length) ?? "", this.#cookie);
    const isKey = isSame(key, this.#key);
    return this.#isUsed && isCookie && isKey;
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Takes the same time wherever the texts differ, and however long the first one is. */
function isSame(given: string, secretText: string): boolean {
  return timingSafeEqual(digest(given), digest(secretText));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
