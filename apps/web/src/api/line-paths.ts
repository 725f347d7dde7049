/** The URLs of one stream: as a WebSocket, as server-sent events, and by POST for sending. */
export interface LinePaths {
  socket: string;
  events: string;
  input?: string;
}
