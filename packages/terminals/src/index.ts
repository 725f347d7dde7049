export { joinLanguageServer, LANGUAGE_SERVERS } from "./language-servers/join-language-server.ts";
export { BEHIND_CHARS, WINDOW_CHARS } from "./terminals/paced-sender.ts";
export {
  createTerminals,
  SERVER_TERMINAL,
  type ProjectTerminals,
  type TerminalEntry,
} from "./terminals/project-terminals.ts";
export type { ServerOutput } from "./terminals/server-output.ts";
export { joinTerminal, readSize, sourceOf } from "./terminals/terminal-socket.ts";
export { createTerminalStream, type TerminalStream } from "./terminals/terminal-stream.ts";
