import type { Step } from "../rig/model-server.ts";

/**
 * A subscription at its limit, as the headers of its provider say.
 *
 * @param seconds since 1970, when it ends
 * @param claim which of its limits, such as `five_hour`
 */
export function atItsLimit(seconds: number, claim = "five_hour"): Step {
  const unified = "anthropic-ratelimit-unified";
  const headers = {
    ...{ [`${unified}-status`]: "rejected", [`${unified}-reset`]: String(seconds) },
    ...{ [`${unified}-representative-claim`]: claim, [`${unified}-5h-status`]: "rejected" },
    ...{ [`${unified}-5h-reset`]: String(seconds), [`${unified}-overage-status`]: "rejected" },
    "x-should-retry": "false",
  };
  const message = "This request would exceed your account's rate limit.";
  return { status: 429, headers, type: "rate_limit_error", message };
}
