import { APICallError } from "@ai-sdk/provider";
import type { ErrorCode } from "@treadle/protocol";
import { StreamProviderError } from "ai";
import { describe, expect, it } from "vitest";
import { classifyError } from "./classify.ts";

const refusal = (
  statusCode: number,
  body: unknown,
  responseHeaders: Record<string, string> = {},
): APICallError =>
  new APICallError({
    message: "Refused",
    url: "http://x",
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody: typeof body === "string" ? body : JSON.stringify(body),
  });

type Row = [code: ErrorCode, status: number, body: unknown, headers?: Record<string, string>];

const google = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, message, status, details },
});
const openai = (message: string, more: object = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...more },
});
const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });

/** How each provider reports each kind of failure, as documented or observed. */
const TABLE: Record<string, Row[]> = {
  Anthropic: [
    ["context-overflow", 400, anthropic("invalid_request_error", "prompt is too long: 205000 tokens > 200000 maximum")],
    ["context-overflow", 400, anthropic("invalid_request_error", "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again")],
    ["context-overflow", 413, anthropic("request_too_large", "Request exceeds the maximum size")],
    ["quota", 400, anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API.")],
    ["quota", 402, anthropic("billing_error", "Check your payment information.")],
    ["key-wrong", 401, anthropic("authentication_error", "invalid x-api-key")],
    ["key-wrong", 403, anthropic("permission_error", "Your API key does not have permission to use the specified resource.")],
    ["provider-refused", 403, anthropic("forbidden", "Request not allowed")],
    ["provider-refused", 400, anthropic("invalid_request_error", "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for claude-sonnet-5-5")],
    ["provider-refused", 400, anthropic("invalid_request_error", "messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes")],
    ["provider-refused", 400, anthropic("invalid_request_error", "thinking.budget_tokens: must be less than max_tokens")],
    ["model-unknown", 404, anthropic("not_found_error", "model: claude-none")],
    ["rate-limited", 429, anthropic("rate_limit_error", "This request would exceed your organization's rate limit of 30,000 input tokens per minute.")],
    ["quota", 400, anthropic("invalid_request_error", "You have reached your specified API usage limits. You will regain access on 2025-11-01 at 00:00 UTC.")],
    ["provider-down", 500, anthropic("api_error", "Internal server error")],
    ["overloaded", 529, anthropic("overloaded_error", "Overloaded")],
  ],
  OpenAI: [
    ["context-overflow", 400, openai("This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.", { code: "context_length_exceeded" })],
    ["context-overflow", 400, openai("Your input exceeds the context window of this model. Please adjust your input and try again.")],
    ["context-overflow", 429, openai("Request too large for gpt-5.6 in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000.", { type: "tokens", code: "rate_limit_exceeded" })],
    ["context-overflow", 400, openai("Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760, but got a string with length 20000000 instead.", { code: "string_above_max_length" })],
    ["provider-refused", 400, openai("Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64, but got a string with length 100 instead.", { code: "string_above_max_length" })],
    ["provider-refused", 400, openai("Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.", { code: "array_above_max_length" })],
    ["rate-limited", 429, openai("Rate limit reached for gpt-5.6 on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000. Please try again in 6.2s.", { type: "tokens", code: "rate_limit_exceeded" })],
    ["quota", 429, openai("You exceeded your current quota, please check your plan and billing details.", { type: "insufficient_quota", code: "insufficient_quota" })],
    ["key-wrong", 401, openai("Incorrect API key provided: sk-abc.", { code: "invalid_api_key" })],
    ["provider-refused", 403, openai("Country, region, or territory not supported", { type: "request_forbidden", code: "unsupported_country_region_territory" })],
    ["provider-refused", 400, openai("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", { code: "invalid_prompt" })],
    ["model-unknown", 404, openai("The model `gpt-none` does not exist or you do not have access to it.", { code: "model_not_found" })],
    ["overloaded", 503, openai("The engine is currently overloaded, please try again later", { type: "server_error" })],
    ["provider-down", 500, openai("The server had an error while processing your request.", { type: "server_error" })],
  ],
  Google: [
    ["context-overflow", 400, google(400, "INVALID_ARGUMENT", "The input token count (1200345) exceeds the maximum number of tokens allowed (1048576).")],
    ["context-overflow", 400, google(400, "INVALID_ARGUMENT", "Unable to submit request because the input token count is 1100000 but model only supports up to 1048576. Reduce the input token count and try again.")],
    ["key-wrong", 403, google(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers (callers without established identity).")],
    ["key-wrong", 403, google(403, "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key.")],
    ["rate-limited", 429, google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.", [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }])],
    ["rate-limited", 429, [google(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).")]],
    ["rate-limited", 429, { error: { message: JSON.stringify(google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.")), code: 429, status: "Too Many Requests" } }],
    ["key-wrong", 400, google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [{ reason: "API_KEY_INVALID" }])],
    ["provider-refused", 400, google(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")],
    ["provider-refused", 403, google(403, "PERMISSION_DENIED", "Permission denied: Consumer has been suspended.")],
    ["model-unknown", 404, google(404, "NOT_FOUND", "models/gemini-none is not found for API version v1beta")],
    ["provider-down", 500, google(500, "INTERNAL", "An internal error has occurred.")],
    ["overloaded", 503, google(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")],
    ["provider-down", 504, google(504, "DEADLINE_EXCEEDED", "Deadline exceeded: the context deadline exceeded.")],
  ],
  Mistral: [
    ["context-overflow", 400, { object: "error", message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", type: "invalid_request_prompt", code: "3051" }],
    ["key-wrong", 401, { detail: "Unauthorized" }],
    ["provider-refused", 422, { object: "error", message: { detail: [{ type: "missing", loc: ["body", "messages"], msg: "Field required" }] }, type: "invalid_request_error" }],
    ["rate-limited", 429, { message: "Requests rate limit exceeded" }],
    ["overloaded", 429, { object: "error", message: "Service tier capacity exceeded for this model.", type: "service_tier_capacity_exceeded", code: "3505" }],
    ["model-unknown", 400, { object: "error", message: "Invalid model: mistral-none", type: "invalid_model", code: "1500" }],
  ],
  DeepSeek: [
    ["context-overflow", 400, openai("This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.")],
    ["quota", 402, openai("Insufficient Balance", { type: "unknown_error" })],
    ["key-wrong", 401, openai("Authentication Fails (no such user)", { type: "authentication_error" })],
    ["overloaded", 503, openai("Service is too busy.", { type: "server_error" })],
  ],
  OpenRouter: [
    ["context-overflow", 400, { error: { code: 400, message: "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (130000 of text input, 10000 in the output)." } }],
    ["context-overflow", 400, { error: { code: 400, message: "Provider returned error", metadata: { provider_name: "X", raw: JSON.stringify(openai("prompt is too long")) } } }],
    ["quota", 402, { error: { code: 402, message: "This request requires more credits, or fewer max_tokens." } }],
    ["provider-refused", 403, { error: { code: 403, message: "The model requires moderation and your input was flagged", metadata: { reasons: ["violence"], flagged_input: "…" } } }],
    ["rate-limited", 429, { error: { code: 429, message: "Rate limit exceeded: free-models-per-min." } }],
    ["provider-down", 502, { error: { code: 502, message: "Provider returned error" } }],
  ],
  Groq: [
    ["context-overflow", 413, openai("Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 12000, please reduce your message size and try again.", { type: "tokens", code: "rate_limit_exceeded" })],
    ["context-overflow", 400, openai("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" })],
    ["rate-limited", 429, openai("Rate limit reached for model `x`. Please try again in 7m12.5s.", { type: "tokens", code: "rate_limit_exceeded" })],
    ["model-unknown", 400, openai("The model `x` has been decommissioned and is no longer supported.", { code: "model_decommissioned" })],
    ["overloaded", 498, openai("Flex tier capacity exceeded.")],
  ],
  Together: [
    ["context-overflow", 422, openai("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`")],
    ["context-overflow", 403, openai("Input token count + `max_tokens` parameter must be less than the context length of the model being queried.")],
    ["quota", 402, openai("You have reached your spending limit.")],
  ],
  Fireworks: [
    ["context-overflow", 400, openai("The prompt is too long: 140000, model maximum context length: 131072")],
    ["quota", 412, openai("Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.", { code: "PRECONDITION_FAILED" })],
    ["model-unknown", 404, openai("Model not found, inaccessible, and/or not deployed", { code: "NOT_FOUND" })],
  ],
  xAI: [
    ["context-overflow", 400, { code: "Client specified an invalid argument", error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." }],
    ["key-wrong", 400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***9f." }],
    ["quota", 429, { code: "Some resource has been exhausted", error: "Your team x has either used all available credits or reached its monthly spending limit." }],
    ["quota", 403, { code: "The caller does not have permission to execute the specified operation", error: "Your newly created team doesn't have any credits yet." }],
    ["provider-refused", 403, { code: "The caller does not have permission to execute the specified operation", error: "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE" }],
  ],
  Cohere: [
    ["context-overflow", 400, { message: "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 8000. Try using a shorter prompt." }],
    ["key-wrong", 401, { message: "invalid api token" }],
    ["rate-limited", 429, { message: "You are using a Trial key, which is limited to 10 API calls / minute." }],
  ],
  Bedrock: [
    ["context-overflow", 400, { message: "Input is too long for requested model." }, { "x-amzn-errortype": "ValidationException:http://x" }],
    ["context-overflow", 400, { message: "Malformed input request: expected maxLength: 204800, actual: 300000, please reformat your input and try again." }, { "x-amzn-errortype": "ValidationException" }],
    ["provider-refused", 400, { message: "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096." }, { "x-amzn-errortype": "ValidationException" }],
    ["rate-limited", 400, { message: "You have exceeded your service quota." }, { "x-amzn-errortype": "ServiceQuotaExceededException" }],
    ["rate-limited", 429, { message: "Too many tokens, please wait before trying again." }, { "x-amzn-errortype": "ThrottlingException" }],
    ["model-unknown", 403, { message: "You don't have access to the model with the specified model ID." }, { "x-amzn-errortype": "AccessDeniedException" }],
    ["key-wrong", 403, { message: "The security token included in the request is expired" }, { "x-amzn-errortype": "ExpiredTokenException" }],
    ["overloaded", 503, { message: "Bedrock is unable to process your request." }, { "x-amzn-errortype": "ServiceUnavailableException" }],
    ["provider-down", 424, { message: "The model returned an error." }, { "x-amzn-errortype": "ModelErrorException" }],
  ],
  Azure: [
    ["provider-refused", 400, openai("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", { code: "content_filter", innererror: { code: "ResponsibleAIPolicyViolation" } })],
    ["rate-limited", 429, openai("Requests have exceeded the token rate limit of your current pricing tier. Please retry after 26 seconds.", { code: "429" })],
    ["model-unknown", 404, openai("The API deployment for this resource does not exist.", { code: "DeploymentNotFound" })],
    ["key-wrong", 401, openai("Access denied due to invalid subscription key or wrong API endpoint.", { code: "401" })],
  ],
  Ollama: [
    ["context-overflow", 400, { error: "the input length exceeds the context length" }],
    ["model-unknown", 404, openai('model "x" not found, try pulling it first', { type: "api_error" })],
    ["provider-refused", 400, openai("registry.ollama.ai/library/x does not support tools", { type: "api_error" })],
    ["overloaded", 503, { error: "server busy, please try again. maximum pending requests exceeded" }],
    ["provider-down", 500, { error: "model requires more system memory (5.6 GiB) than is available (3.0 GiB)" }],
  ],
  "LM Studio": [
    ["context-overflow", 400, { error: "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough." }],
    ["context-overflow", 400, { error: "The number of tokens to keep from the initial prompt is greater than the context length." }],
    ["context-overflow", 400, { error: "Reached context length of 4096 tokens with the current model. Please load the model with a larger context length." }],
    ["model-unknown", 400, openai("No models loaded. Please load a model in the developer page.")],
  ],
  "llama.cpp": [
    ["context-overflow", 400, { error: { code: 400, message: "the request exceeds the available context size. try increasing the context size or enable context shift", type: "exceed_context_size_error", n_prompt_tokens: 9000, n_ctx: 4096 } }],
    ["context-overflow", 500, { error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } }],
    ["overloaded", 503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }],
    ["key-wrong", 401, { error: { code: 401, message: "Invalid API Key", type: "authentication_error" } }],
  ],
  vLLM: [
    ["context-overflow", 400, { object: "error", message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.", type: "BadRequestError", param: null, code: 400 }],
    ["context-overflow", 400, openai("The decoder prompt (length 9000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller.", { type: "BadRequestError", code: 400 })],
    ["context-overflow", 400, openai("'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 4096 tokens and your request has 2000 input tokens", { type: "BadRequestError", code: 400 })],
    ["context-overflow", 400, openai("max_tokens must be at least 1, got -1234.", { type: "BadRequestError", code: 400 })],
    ["context-overflow", 400, openai("Input length (40000) exceeds model's maximum context length (32768).")],
    ["model-unknown", 404, { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", code: 404 }],
    ["provider-refused", 400, openai('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', { type: "BadRequestError", code: 400 })],
  ],
  others: [
    ["context-overflow", 400, openai("Invalid request: Your request exceeded model token limit: 131072")],
    ["context-overflow", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }],
    ["context-overflow", 400, { error: { message: "prompt token count of 140000 exceeds the limit of 128000", code: "model_max_prompt_tokens_exceeded" } }],
    ["context-overflow", 400, openai("The input (9000 tokens) is longer than the model's context length (4096 tokens).")],
    ["context-overflow", 400, openai("Total tokens of image and text exceed max message tokens. Request id: 1", { code: "InvalidParameter" })],
    ["provider-refused", 400, openai("max_tokens (64000) exceeds the maximum output of 32000 tokens")],
    ["context-overflow", 400, openai("Range of input length should be [1, 129024]")],
    ["context-overflow", 400, openai("invalid params, context window exceeds limit (2013)")],
    ["context-overflow", 422, { error: "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000" }],
    ["context-overflow", 413, openai("Request body too large for gpt-4o model. Max size: 8000 tokens.", { code: "tokens_limit_reached" })],
    ["quota", 429, { error: { code: "1113", message: "Insufficient balance or no resource package. Please recharge." } }],
    ["quota", 429, openai("Your account is suspended, please check your plan and billing details.", { type: "exceeded_current_quota_error" })],
    ["provider-refused", 400, openai("`temperature` must be less than 2")],
    ["provider-refused", 403, "<html><body>403 Forbidden</body></html>"],
    ["provider-down", 502, "<html>Bad gateway</html>"],
  ],
}; // prettier-ignore

describe.each(Object.entries(TABLE))("a failure that %s reports", (provider, rows) => {
  it.each(rows)("is %s: %i %j", (code, status, body, headers) => {
    expect(classifyError(refusal(status, body, headers), provider, false).code).toBe(code);
  });
});

it("says the provider's own words, whatever the failure, without what may be a key", () => {
  for (const [provider, rows] of Object.entries(TABLE))
    for (const [, status, body, headers] of rows) {
      const { message } = classifyError(refusal(status, body, headers), provider, false);
      if (typeof body === "object" && !JSON.stringify(body).includes("API key"))
        expect(message, JSON.stringify(body)).toContain("It said: ");
    }
  const key = "sk-proj-a8Kf93jdKq0ZpL27xTvWm4Rb";
  for (const words of [
    `Incorrect API key provided: ${key}.`,
    `The key “${key}” is not valid`,
    `Bearer ${key} was refused`,
    `Incorrect API key provided: sk-pr****************m4Rb`,
    "API key: hunter2-of-my-server is wrong",
  ]) {
    const { message } = classifyError(refusal(401, openai(words)), "OpenAI", false);
    expect(message).toContain("It said: ");
    expect(message).not.toMatch(/a8Kf|m4Rb|sk-pr\*|hunter2/);
  }
  const plain = "model claude-sonnet-4-20250514 takes 200000 tokens, request req_1";
  expect(classifyError(refusal(400, openai(plain)), "X", false).message).toContain(plain);
});

it("waits as long as a header, a body or a sentence asks, whichever is longest", () => {
  const waits = (body: unknown, headers?: Record<string, string>) =>
    classifyError(refusal(429, body, headers), "X", false).retryAfterMs;
  const info = (retryDelay: unknown) =>
    google(429, "RESOURCE_EXHAUSTED", "Slow down.", [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }]); // prettier-ignore
  expect(waits(info("34s"))).toBe(34_000);
  expect(waits(info("34.07s"))).toBe(34_070);
  expect(waits(info({ seconds: "5", nanos: 500_000_000 }))).toBe(5_500);
  expect(waits(openai("Please try again in 7m12.5s."))).toBe(432_500);
  expect(waits(openai("Please try again in 320ms."))).toBe(320);
  expect(waits(openai("Please retry after 26 seconds."))).toBe(26_000);
  expect(waits(openai("Slow down."), { "retry-after": "3" })).toBe(3_000);
  expect(waits(info("34s"), { "retry-after": "3" })).toBe(34_000);
  expect(waits(openai("Slow down."))).toBeUndefined();
});

it("does not ask again for what is used up for the day, whatever wait is asked for", () => {
  const body = google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", [
    { violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] },
    { retryDelay: "34s" },
  ]);
  expect(classifyError(refusal(429, body), "Google", false)).toMatchObject({ code: "rate-limited", retryable: false }); // prettier-ignore
});

it("knows an error within a stream by its codes, its status or its words", () => {
  const code = (error: unknown) => classifyError(error, "X", false).code;
  expect(code({ message: "Rate limited", code: 429 })).toBe("rate-limited");
  expect(code({ type: "overloaded_error", message: "Overloaded" })).toBe("overloaded");
  expect(code({ message: "prompt is too long" })).toBe("context-overflow");
  expect(code("Trying to keep the first 9000 tokens when context the overflows.")).toBe("context-overflow"); // prettier-ignore
  const error = (more: object) => new StreamProviderError({ message: "It broke", ...more });
  expect(code(error({ type: "invalid_request_error", code: "context_length_exceeded" }))).toBe("context-overflow"); // prettier-ignore
  expect(code(error({ code: 403 }))).toBe("provider-refused");
  expect(classifyError(error({}), "X", false)).toMatchObject({ code: "provider-down", message: expect.stringContaining("It broke") }); // prettier-ignore
});
