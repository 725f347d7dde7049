/** Where the same is to be had: as a WebSocket, as server-sent events, and by POST for what is sent. */
export interface LinePaths {
  socket: string;
  events: string;
  input?: string;
}
