import type { PageReport } from "./types.ts";

/** How a look begins to say of a document that nothing came of it. */
export const NO_ANSWER = "it did not answer within";

/** What a look says of a document that nothing came of in all the time that it was waited for; undefined of any other. */
export const unanswered = ({ path, status, failedRequests }: PageReport): string | undefined =>
  failedRequests.find(
    ({ url, reason }) => status === 0 && url === path && reason?.startsWith(NO_ANSWER),
  )?.reason;
