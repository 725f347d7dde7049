/** Every number that bounds what the server takes or keeps. */
export const LIMITS = {
  /** Bytes of one request: a prompt of 1 MB with a long history fits many times over. */
  requestBytes: 64 * 1024 * 1024,
  /** Requests that are kept for reading afterwards; the oldest go first. */
  recordedRequests: 1_000,
  /** Conversations whose attempts are counted; the oldest are forgotten first. */
  countedConversations: 10_000,
} as const;
