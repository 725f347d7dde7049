import type { Fault, Refusal } from "../script/types.ts";

interface OpenAIError {
  status: number;
  type: string;
  code: string | null;
  message: string;
}

const REFUSALS: Record<Exclude<Refusal, "hang-up">, OpenAIError> = {
  "rate-limited": {
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    message: "Rate limit reached for {model}. Please try again later.",
  },
  overloaded: {
    status: 503,
    type: "server_error",
    code: null,
    message: "The engine is currently overloaded, please try again later",
  },
  "wrong-key": {
    status: 401,
    type: "invalid_request_error",
    code: "invalid_api_key",
    message: "Incorrect API key provided.",
  },
  "unknown-model": {
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    message: "The model `{model}` does not exist or you do not have access to it.",
  },
  quota: {
    status: 429,
    type: "insufficient_quota",
    code: "insufficient_quota",
    message: "You exceeded your current quota, please check your plan and billing details.",
  },
  "context-overflow": {
    status: 400,
    type: "invalid_request_error",
    code: "context_length_exceeded",
    message: "This model's maximum context length is 128000 tokens; your input is longer.",
  },
  "no-pictures": {
    status: 400,
    type: "invalid_request_error",
    code: null,
    message: "Invalid content type. image_url is only supported by certain models.",
  },
  "server-error": {
    status: 500,
    type: "server_error",
    code: null,
    message: "The server had an error while processing your request.",
  },
};

/** The refusal of both OpenAI formats. */
export function openaiRefusal(
  fault: Fault,
  model: string,
): { status: number; body: Record<string, unknown> } {
  const { status, type, code, message } = REFUSALS[fault.kind as Exclude<Refusal, "hang-up">];
  const error = {
    message: fault.message ?? message.replace("{model}", model),
    type,
    param: null,
    code,
  };
  return { status: fault.status ?? status, body: { error } };
}
