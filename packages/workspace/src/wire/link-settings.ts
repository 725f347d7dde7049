/** HTTP/2 settings of both ends of a guest's byte stream. */

/**
 * Number of unread bytes after which one connection is paused, so that it cannot fill the other
 * side's memory.
 */
const STREAM_WINDOW = 1024 * 1024;
/** The same limit for all connections together. */
export const LINK_WINDOW = 16 * 1024 * 1024;
/** Maximum number of concurrent connections: outgoing, incoming, and the guest's own. */
const MAX_LINK_STREAMS = 1024;

export const LINK_SETTINGS = {
  settings: { initialWindowSize: STREAM_WINDOW, enablePush: false },
  peerMaxConcurrentStreams: MAX_LINK_STREAMS,
  /** In megabytes; the default of 10 refuses streams under load. */
  maxSessionMemory: 64,
};
export const HOST_LINK_SETTINGS = {
  settings: { initialWindowSize: STREAM_WINDOW, maxConcurrentStreams: MAX_LINK_STREAMS },
  maxSessionMemory: 64,
};
