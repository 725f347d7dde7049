import type { PageReport } from "./types.ts";

/** The beginning of the reason that is reported if a document had no content in the whole waiting time. */
export const NO_ANSWER = "it did not answer within";

/** The report if a document had no content in the whole waiting time; undefined for any other. */
export const unanswered = ({ path, status, failedRequests }: PageReport): string | undefined =>
  failedRequests.find(
    ({ url, reason }) => status === 0 && url === path && reason?.startsWith(NO_ANSWER),
  )?.reason;
