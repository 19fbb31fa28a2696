/** What a request says about who asks for what. */
export interface WebRequest {
  readonly method: string;
  /** As in the first line of the request: a path, and what follows it. */
  readonly target: string;
  /** The values of these headers, each as often as it was sent. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly sites: readonly string[];
}

/** What may be asked for. */
export type Route =
  | { readonly kind: "page" }
  | { readonly kind: "enter" }
  | { readonly kind: "events"; readonly key: string; readonly session: string | undefined };

/**
 * What a request asks for; undefined if it is refused, whatever else it says.
 *
 * A name that somebody else controls may lead to this machine, so the host must be the very address that wisp listens
 * at. A page from elsewhere, including one from another port, must neither use the link nor read the events.
 *
 * @param host the address with its port
 */
export function routeOf(asked: WebRequest, host: string): Route | undefined {
  const { method, target, hosts, origins, sites } = asked;
  if (hosts.length !== 1 || hosts[0] !== host) return undefined;
  if (origins.some((origin) => origin !== `http://${host}`)) return undefined;
  const [path = "", query = ""] = target.split("?", 2);
  // Holds nothing of a session. A person may have come to it from any page, such as a terminal in a browser.
  if (method === "GET" && path === "/") return { kind: "page" };
  if (sites.some((site) => site !== "same-origin")) return undefined;
  if (method === "POST" && target === "/enter") return { kind: "enter" };
  if (method !== "GET" || path !== "/events") return undefined;
  const words = new URLSearchParams(query);
  return {
    kind: "events",
    key: words.get("key") ?? "",
    session: words.get("session") ?? undefined,
  };
}
