import { validateJSONRPCMessage, type JSONRPCMessage, type MCPTransport } from "@ai-sdk/mcp";
import { MESSAGE_BYTES } from "./limits.ts";
import { McpError } from "./types.ts";

/** A program that is spoken to, wherever it runs. */
export interface McpPipe {
  write(data: string): void;
  onData(listener: (bytes: Uint8Array) => void): void;
  onErrors(listener: (text: string) => void): void;
  readonly ended: Promise<{ code: number; signal?: string }>;
  kill(): Promise<void>;
}

/**
 * Messages as lines over stdin and stdout. A line that is none is told to `onLog`, as some servers print there; one
 * that is too long ends the program.
 */
export function pipeTransport(pipe: McpPipe, onLog: (text: string) => void): MCPTransport {
  let closed = false;
  let pieces: Uint8Array[] = [];
  let size = 0;

  const transport: MCPTransport = {
    async start() {
      pipe.onErrors(onLog);
      pipe.onData(read);
      void pipe.ended.then(({ code, signal }) => {
        if (closed) return;
        onLog(`It ended${signal ? ` by ${signal}` : ` with code ${code}`}.\n`);
        fail(new McpError("ended", "The server ended."));
      });
    },
    async send(message) {
      if (closed) throw new McpError("ended", "The server ended.");
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
    transport.onerror?.(error);
    transport.onclose?.();
  }

  function read(bytes: Uint8Array): void {
    if (closed) return;
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      pieces.push(bytes.subarray(from, at));
      const line = Buffer.concat(pieces).toString();
      pieces = [];
      size = 0;
      from = at + 1;
      take(line);
    }
    pieces.push(bytes.subarray(from));
    size += bytes.length - from;
    if (size <= MESSAGE_BYTES) return;
    pieces = [];
    onLog(`It sent a message of more than ${MESSAGE_BYTES} bytes and was ended.\n`);
    fail(new McpError("too-large", "The server sent more than one message may hold."));
    void pipe.kill();
  }

  function take(line: string): void {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = validateJSONRPCMessage(JSON.parse(line));
    } catch {
      onLog(`It printed what is no message: ${line.slice(0, 300)}\n`);
      return;
    }
    transport.onmessage?.(message);
  }

  return transport;
}
