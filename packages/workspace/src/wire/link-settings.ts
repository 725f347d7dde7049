/** How both ends of a guest's one byte stream speak HTTP/2 over it. */

/** Bytes on their way before one connection is made to wait, so that it cannot fill the other side's memory. */
const STREAM_WINDOW = 1024 * 1024;
/** The same for all connections together. */
export const LINK_WINDOW = 16 * 1024 * 1024;
/** Connections at a time: those of the ways out, those into the sandbox, and the guest's own. */
const MAX_LINK_STREAMS = 1024;

export const LINK_SETTINGS = {
  settings: { initialWindowSize: STREAM_WINDOW, enablePush: false },
  peerMaxConcurrentStreams: MAX_LINK_STREAMS,
  /** Megabytes; the default of 10 refuses streams under load. */
  maxSessionMemory: 64,
};
export const HOST_LINK_SETTINGS = {
  settings: { initialWindowSize: STREAM_WINDOW, maxConcurrentStreams: MAX_LINK_STREAMS },
  maxSessionMemory: 64,
};
