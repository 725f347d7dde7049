import { APICallError } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { classifyError } from "./classify.ts";
import type { ModelFailure } from "./model-failure.ts";
import { retryAfter } from "./retry-after.ts";
import { retryDelay } from "./retry-delay.ts";

const failure = (more: Partial<ModelFailure>): ModelFailure => ({
  code: "rate-limited",
  message: "",
  retryable: true,
  ...more,
});
const calm = () => 0;

it("reads retry-after in seconds, in milliseconds and as a date", () => {
  expect(retryAfter({ "retry-after": "7" })).toBe(7_000);
  expect(retryAfter({ "retry-after-ms": "250", "retry-after": "1" })).toBe(250);
  expect(retryAfter({ "retry-after": "Thu, 01 Jan 1970 00:00:10 GMT" }, 4_000)).toBe(6_000);
  expect(retryAfter({ "retry-after": "soon" })).toBeUndefined();
  expect(retryAfter(undefined)).toBeUndefined();
});

it("waits as long as it is asked, never less, with jitter, within a cap (F4)", () => {
  expect(retryDelay(failure({ retryAfterMs: 7_000 }), 1, 5, calm)).toBe(7_000);
  expect(retryDelay(failure({ retryAfterMs: 7_000 }), 1, 5, () => 1)).toBe(7_700);
  expect(retryDelay(failure({ retryAfterMs: 600_000 }), 1, 5, calm)).toBeUndefined();
  expect(retryDelay(failure({}), 1, 5, calm)).toBe(500);
  expect(retryDelay(failure({}), 9, 99, () => 1)).toBe(30_000);
  expect(retryDelay(failure({}), 5, 5, calm)).toBeUndefined();
});

it("does not retry if that cannot help", () => {
  expect(retryDelay(failure({ retryable: false }), 1, 5, calm)).toBeUndefined();
  expect(retryDelay(failure({ code: "stalled" }), 2, 5, calm)).toBeUndefined();
});

it("tells a provider that cannot be reached from an answer that broke off", () => {
  const refused = new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
  });
  expect(classifyError(refused, "Ollama", false)).toMatchObject({
    code: "provider-down",
    message: "Ollama cannot be reached (ECONNREFUSED). Check its address and that it runs.",
  });
  expect(classifyError(refused, "Ollama", true).code).toBe("stream-cut");
  // No address was configured that could be checked.
  expect(classifyError(refused, "Anthropic", false, false).message).toBe(
    "Anthropic cannot be reached from this machine (ECONNREFUSED). Check its connection to the internet; the key was not checked.",
  );
});

it("never repeats what a provider says about a key", () => {
  const error = new APICallError({
    message: "Incorrect API key provided: sk-secret",
    url: "http://x",
    requestBodyValues: {},
    statusCode: 401,
    responseBody: JSON.stringify({
      error: { message: "Incorrect API key provided: sk-secret", code: "invalid_api_key" },
    }),
  });
  expect(JSON.stringify(classifyError(error, "OpenAI", false))).not.toContain("secret");
});

it.each([
  [
    400,
    {
      error: {
        type: "invalid_request_error",
        message: "prompt is too long: 250000 tokens > 200000",
      },
    },
    "context-overflow",
  ],
  [
    400,
    { error: { type: "invalid_request_error", message: "Your credit balance is too low" } },
    "quota",
  ],
  [
    429,
    { error: { type: "insufficient_quota", code: "insufficient_quota", message: "You exceeded" } },
    "quota",
  ],
  [429, { error: { type: "rate_limit_error", message: "slow down" } }, "rate-limited"],
  [
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "overloaded",
  ],
  [404, { error: { code: "model_not_found", message: "no such model" } }, "model-unknown"],
  [500, { error: { message: "oops" } }, "provider-down"],
  [400, { error: { message: "bad tool schema" } }, "provider-refused"],
  [502, undefined, "provider-down"],
] as const)("status %i with %j means %s", (statusCode, body, code) => {
  const error = new APICallError({
    message: "x",
    url: "http://x",
    requestBodyValues: {},
    statusCode,
    responseBody: body === undefined ? undefined : JSON.stringify(body),
  });
  expect(classifyError(error, "Provider", false).code).toBe(code);
});
