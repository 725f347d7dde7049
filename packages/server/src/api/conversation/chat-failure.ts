import { COMMON_HEADERS } from "@treadle/common";
import { failureOf } from "../failures.ts";

export const CHAT_PATH = "/api/chat";

/** Statuses after which a retry may help. */
const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);

/** Converts an error to a chat response in the form that bolt's client expects. */
export function chatAnswerFor(error: unknown, onNotice: (text: string) => void): Response {
  const { code, status, message } = failureOf(error, onNotice);
  // With 401, bolt's client shows a field for the missing key.
  const statusCode = code === "key-missing" || code === "model-missing" ? 401 : status;
  return Response.json(
    {
      error: true,
      message,
      statusCode,
      isRetryable: RETRYABLE.has(statusCode),
      provider: "treadle",
    },
    { status: statusCode, headers: { ...COMMON_HEADERS, "cache-control": "no-store" } },
  );
}
