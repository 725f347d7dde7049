import { sentence } from "@treadle/protocol/sentences";
import { validateJSONRPCMessage, type JSONRPCMessage, type MCPTransport } from "@ai-sdk/mcp";
import { createTokenBucket } from "@treadle/common";
import { clipLine } from "../text/clip.ts";
import { loggedText } from "./logged.ts";
import { MESSAGES, REPLIES } from "./limits.ts";
import { createMessageMeasure } from "./message-measure.ts";
import { McpError } from "./types.ts";

/** A running program with its standard input and output, wherever it runs. */
export interface McpPipe {
  write(data: string): void;
  onData(listener: (bytes: Uint8Array) => void): void;
  onErrors(listener: (text: string) => void): void;
  readonly ended: Promise<{ code: number; signal?: string }>;
  kill(): Promise<void>;
}

/** Maximum characters logged of a line that is not a message. */
const SHOWN = 300;

/**
 * Exchanges messages as lines over stdin and stdout. A line that is no message is passed to `onLog`, as some servers
 * print there. A line that is too long, or too many messages, end the program. Never throws on input.
 * @param options.onFail called once, with the reason, if the connection ends otherwise than by `close`
 */
export function pipeTransport(
  pipe: McpPipe,
  options: { onLog(text: string): void; onFail?(error: McpError): void; now?: () => number },
): MCPTransport {
  const { onLog, onFail, now } = options;
  const messages = createTokenBucket({ ...MESSAGES, now });
  const replies = createTokenBucket({ ...REPLIES, now });
  let closed = false;
  let pieces: Uint8Array[] = [];
  const measure = createMessageMeasure();

  const transport: MCPTransport = {
    async start() {
      pipe.onErrors(onLog);
      pipe.onData(read);
      void pipe.ended.then(({ code, signal }) => {
        if (closed) return;

        fail(
          signal
            ? new McpError("ended", sentence("mcp-program-killed", { signal }), { signal })
            : new McpError("ended", sentence("mcp-program-exited", { exit: code }), { exit: code }),
        );
      });
    },
    async send(message) {
      if (closed) throw new McpError("ended", sentence("mcp-ended"));
      // The server may never read the answers to its own requests, which would pile up.
      if (!("method" in message) && !replies.take()) return;
      pipe.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      if (closed) return;
      closed = true;
      await pipe.kill();
      transport.onclose?.();
    },
  };

  function fail(error: McpError): void {
    if (closed) return;
    closed = true;
    onFail?.(error);
    transport.onerror?.(error);
    transport.onclose?.();
  }

  function end(error: McpError): void {
    pieces = [];
    fail(error);
    pipe.kill().catch(() => undefined);
  }

  function read(bytes: Uint8Array): void {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0 && !closed; at = bytes.indexOf(10, from)) {
      gather(bytes.subarray(from, at));
      from = at + 1;
      if (closed) return;
      const line = Buffer.concat(pieces).toString();
      pieces = [];
      measure.reset();
      take(line);
    }
    if (!closed) gather(bytes.subarray(from));
  }

  function gather(piece: Uint8Array): void {
    pieces.push(piece);
    const tooMuch = measure.add(piece);
    if (tooMuch) end(tooMuch);
  }

  function take(line: string): void {
    if (line.trim() === "") return;
    if (!messages.take()) return end(tooMany());
    let message: JSONRPCMessage;
    try {
      message = validateJSONRPCMessage(JSON.parse(line));
    } catch {
      onLog(`It printed what is no message: ${clipLine(line.slice(0, SHOWN + 1), SHOWN)}\n`);
      return;
    }
    if ("method" in message && !("id" in message)) {
      const logged = loggedText(message);
      if (logged !== undefined) return onLog(logged);
    }
    try {
      transport.onmessage?.(message);
    } catch (error) {
      // The library throws if an answer matches no request: one that is late, repeated or made up.
      onLog(`${clipLine(error instanceof Error ? error.message : String(error), SHOWN)}\n`);
    }
  }

  return transport;
}

export const tooMany = (): McpError =>
  new McpError("flood", sentence("mcp-too-many-messages", { limit: MESSAGES.perSecond }));
