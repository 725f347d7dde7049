/**
 * Bytes of the head of an app's answer: four times what Node takes of whoever it asks, for apps that send a long policy,
 * many links to what is wanted soon, or many cookies; a quarter of what browsers take.
 */
export const ANSWER_HEAD_BYTES = 64 * 1024;

/** Why an answer that has a longer head is not passed on. */
export const HEAD_TOO_LONG = `The app's answer has more than ${ANSWER_HEAD_BYTES / 1024} KB of headers, which is the most that is passed on.`;

/** Whether no answer came for the length of its head, as Node and the published apps' door say it. */
export const isHeadTooLong = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "HPE_HEADER_OVERFLOW";
