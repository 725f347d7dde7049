/** All limits of the server. */
export const LIMITS = {
  /** Maximum size of a request in bytes: many times a prompt of 1 MB with a long history. */
  requestBytes: 64 * 1024 * 1024,
  /** Maximum number of recorded requests; the oldest are dropped. */
  recordedRequests: 1_000,
  /** Maximum number of conversations with counted attempts; the oldest are dropped. */
  countedConversations: 10_000,
} as const;
