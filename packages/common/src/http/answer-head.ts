/**
 * Maximum bytes of the headers of an app's answer: four times Node's default, for apps that send a long policy, many
 * preload links or many cookies, and a quarter of what browsers accept.
 */
export const ANSWER_HEAD_BYTES = 64 * 1024;

/** Why a response with larger headers is not forwarded. */
export const HEAD_TOO_LONG = `The app's answer has more than ${ANSWER_HEAD_BYTES / 1024} KB of headers, which is the most that is passed on.`;

/** Whether an answer failed because its headers are too long, as Node and the published apps' door report it. */
export const isHeadTooLong = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "HPE_HEADER_OVERFLOW";
