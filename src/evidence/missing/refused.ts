import type { Missing } from "./missing.ts";

/** What usually listens on a port. */
const USUAL: Readonly<Partial<Record<string, string>>> = {
  "3306": "MySQL",
  "5432": "PostgreSQL",
  "5672": "RabbitMQ",
  "6379": "Redis",
  "9092": "Kafka",
  "9200": "Elasticsearch",
  "11211": "memcached",
  "27017": "MongoDB",
};

const HOST = String.raw`(?:\[[0-9a-f:]+\]|::1|[\w.-]+)`;
const REFUSED = [
  new RegExp(String.raw`\bECONNREFUSED (${HOST}):(\d{1,5})\b`, "g"),
  new RegExp(String.raw`\bdial tcp (${HOST}):(\d{1,5}): connect: connection refused`, "g"),
  new RegExp(
    String.raw`\b(?:connecting|connect|[Cc]onnection) to (${HOST}):(\d{1,5})\b.{0,80}?refused`,
    "g",
  ),
  /\bconnection to server at "([\w.:-]{1,100})".{0,60}?port (\d{1,5}) failed: Connection refused/g,
  /\bhost='([\w.:-]{1,100})', port=(\d{1,5})\).{0,400}?Connection refused/g,
];

/** Services that refused a connection, by the addresses in an output; each once. */
export function refusedServices(text: string): readonly Missing[] {
  const found = REFUSED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, host = "", port = ""]) => `${host}:${port}`),
  );
  const unnamed = found.length === 0 && /\bECONNREFUSED\b|\b[Cc]onnection refused\b/.test(text);
  // An address of both kinds is the same service.
  const byPort = new Map(found.map((address) => [address.replace(/^.*:/, ""), address]));
  const services = [...byPort].slice(0, SHOWN_MAX).map(([port, address]): Missing => {
    const usual = USUAL[port];
    const what = usual === undefined ? "a service" : `a service (usually ${usual})`;
    return refused(`${what} that refused the connection`, address);
  });
  return unnamed ? [refused("a service that refused the connection", "")] : services;
}

const SHOWN_MAX = 3;

function refused(what: string, where: string): Missing {
  const remedy = 'Start it here, and answer "again", if a test does not start it itself.';
  return { kind: "service", what: `verify needs ${what}`, where, remedy };
}

const TAKEN =
  /\blisten \w+ \S{0,100}?:(\d{1,5}): bind: address already in use|\b(?:EADDRINUSE|[Aa]ddress already in use)\b(?:[^\n]{0,100}?[:\s](\d{2,5})\b)?/g;

/** Ports that something else held. */
export function takenPorts(text: string): readonly Missing[] {
  const found = [...text.matchAll(TAKEN)].map(([, one, other]) => one ?? other ?? "");
  const ports = [...new Set(found)].filter((port) => port !== "").slice(0, SHOWN_MAX);
  if (found.length === 0) return [];
  return [
    {
      kind: "port",
      what: `verify listens on a port that something else holds`,
      where: ports.join(", "),
      remedy:
        "End that, or name the variable with the port in `commands: { slot: [PORT] }` of .wisp/config.yaml.",
    },
  ];
}
