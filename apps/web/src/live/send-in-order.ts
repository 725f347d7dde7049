import { sendJson } from "../api/request.ts";

/** Maximum messages per request, as the server accepts. */
const MAX_MESSAGES = 200;
const MAX_CHARS = 512 * 1024;

/**
 * Sends messages by POST, in order, one request at a time; later messages share the next request.
 * @param onFailed called when a request failed; nothing is sent after it
 */
export function sendInOrder(
  path: string,
  onFailed: () => void,
): { send(message: string): void; begin(key: string): void } {
  const waiting: string[] = [];
  let key: string | undefined;
  let isSending = false;

  async function sendAll(): Promise<void> {
    if (isSending || key === undefined) return;
    isSending = true;
    try {
      while (waiting.length > 0) {
        let characters = 0;
        const end = waiting.findIndex((message, place) => {
          characters += message.length;
          return place > 0 && (place === MAX_MESSAGES || characters > MAX_CHARS);
        });
        const messages = waiting.splice(0, end === -1 ? waiting.length : end);
        await sendJson("POST", path, { key, messages });
      }
      isSending = false;
    } catch {
      onFailed();
    }
  }

  return {
    send(message) {
      waiting.push(message);
      void sendAll();
    },
    /** Call once the connection is open, with the key that the server gave it; sends the waiting messages. */
    begin(name) {
      key = name;
      void sendAll();
    },
  };
}
