import type { FromTab, ProjectPath, ToTab } from "@treadle/protocol";
import { ignoredNames, type TabLink } from "@treadle/workspace";
import { z } from "zod";
import { tabProbeScript } from "@treadle/probe";

/** The methods of a WebSocket that are used here. */
interface Socket {
  send(text: string): void;
  close(code: number, reason?: string): void;
  on(event: "message", listener: (data: Buffer | ArrayBuffer | Buffer[]) => void): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

const id = z.number().int().positive();
const path = z
  .string()
  .max(4_096)
  .transform((text) => text as ProjectPath);
const file = z.object({ path, base64: z.string() });
const changes = {
  number: z.number().int().min(0),
  files: z.array(file),
  removed: z.array(path),
};
const answer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("run"),
    code: z.number().int(),
    written: z.number().int().min(0),
    ...changes,
  }),
  z.object({ kind: z.literal("read"), base64: z.string().optional() }),
  z.object({
    kind: z.literal("request"),
    status: z.number().int().min(200).max(599),
    headers: z.array(z.tuple([z.string(), z.string()])),
    base64: z.string(),
  }),
  z.object({ kind: z.literal("terminal"), code: z.number().int() }),
  z.object({ kind: z.literal("look"), report: z.unknown() }),
]);
const fromTab = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("broken"), message: z.string() }),
  z.object({ type: z.literal("output"), id, text: z.string() }),
  z.object({ type: z.literal("changed"), ...changes }),
  z.object({
    type: z.literal("ports"),
    ports: z
      .array(z.object({ port: z.number().int().min(1).max(65_535), url: z.string().max(2_000) }))
      .max(100),
  }),
  z.object({ type: z.literal("answer"), id, answer }),
  z.object({ type: z.literal("refused"), id, message: z.string() }),
]);

/** Connects the socket of a project's tab to its link. An invalid message closes the socket. */
export function joinTab(socket: Socket, link: TabLink, appOrigin: string): void {
  const send = (message: ToTab) => socket.send(JSON.stringify(message));
  const ends = link.attach({ send, close: (code, reason) => socket.close(code, reason) });
  socket.on("close", ends.left);
  socket.on("error", ends.left);
  socket.on("message", (data) => {
    const message = readMessage(String(data));
    if (message) ends.receive(message);
    else socket.close(1008, "no-message");
  });
  send({ type: "hello", probe: tabProbeScript(appOrigin), leftOut: ignoredNames() });
}

function readMessage(text: string): FromTab | undefined {
  try {
    return fromTab.safeParse(JSON.parse(text)).data as FromTab | undefined;
  } catch {
    return undefined;
  }
}
