import { fail, ok, type Result } from "../../base/result.ts";

/** Where spans are sent, and as what. */
export interface OtlpSettings {
  readonly url: URL;
  /** They may hold secrets: they are in no message. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 10_000;
const TIMEOUT_MS_MAX = 60_000;
const SERVICE_NAME = "wisp";

/**
 * The settings of OpenTelemetry's standard variables, those for traces before those for all signals.
 *
 * @returns what is wrong, as the rest of a sentence that begins with "spans are not exported:"; it never holds a value
 */
export function otlpSettings(env: Environment): Result<OtlpSettings, string> {
  const protocol = ofTraces(env, "PROTOCOL") ?? "http/json";
  if (!protocol.startsWith("http/")) {
    return fail(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol.slice(0, 20)}, and wisp speaks OTLP over HTTP only`,
    );
  }
  const url = urlOf(env);
  if (url === undefined)
    return fail("the endpoint is not a URL that begins with http:// or https://");
  if (url.username !== "" || url.password !== "") {
    return fail("the endpoint names a user: put the credentials into OTEL_EXPORTER_OTLP_HEADERS");
  }
  const headers = pairsIn(ofTraces(env, "HEADERS") ?? "");
  const isUsable = headers && Object.entries(headers).every(isHeader);
  if (headers === undefined || isUsable !== true) {
    return fail("OTEL_EXPORTER_OTLP_HEADERS is not a list of name=value");
  }
  const resource = pairsIn(env["OTEL_RESOURCE_ATTRIBUTES"] ?? "") ?? {};
  const name = env["OTEL_SERVICE_NAME"] ?? "";
  const service = name === "" ? (resource["service.name"] ?? SERVICE_NAME) : name;
  return ok({
    ...{ url, headers, timeoutMs: timeoutOf(env) },
    resource: { ...resource, "service.name": service },
  });
}

/** A variable about traces or, if it is not set, about all signals; an empty one is as one that is not set. */
function ofTraces(env: Environment, name: string): string | undefined {
  const own = env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] ?? "";
  return (own === "" ? env[`OTEL_EXPORTER_OTLP_${name}`] : own) || undefined;
}

/** The endpoint for traces is used as it is; behind that for all signals comes their path. */
function urlOf(env: Environment): URL | undefined {
  const own = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? "";
  const all = env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "";
  const text = own === "" ? `${all.replace(/\/+$/u, "")}/v1/traces` : own;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/u.test(url.protocol) ? url : undefined;
}

function timeoutOf(env: Environment): number {
  const given = Number(ofTraces(env, "TIMEOUT") ?? TIMEOUT_MS);
  return given > 0 ? Math.min(given, TIMEOUT_MS_MAX) : TIMEOUT_MS;
}

/** `one=1,two=2`, with percent-encoded values; undefined if it is something else. */
function pairsIn(text: string): Readonly<Record<string, string>> | undefined {
  const parts = text.split(",").map((part) => part.trim());
  const pairs = parts.filter((part) => part !== "").map((part) => /^([^=]+)=(.*)$/su.exec(part));
  if (pairs.includes(null)) return undefined;
  const read = pairs.map((pair) => [pair?.[1]?.trim() ?? "", decoded(pair?.[2]?.trim() ?? "")]);
  return Object.fromEntries(read) as Readonly<Record<string, string>>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether HTTP can carry it. */
function isHeader([name, value]: readonly [string, string]): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/u.test(name) && /^[\t\x20-\x7e]*$/u.test(value);
}
