import { COMMON_HEADERS } from "@treadle/common";
import { failureOf } from "../failures.ts";

export const CHAT_PATH = "/api/chat";

/** Of failures that another try may help. */
const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);

/** Any error on the way to a chat's answer, in the shape that bolt's client reads. */
export function chatAnswerFor(error: unknown, onNotice: (text: string) => void): Response {
  const { code, status, message } = failureOf(error, onNotice);
  // Where a key is missing, its client shows where to type one.
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
