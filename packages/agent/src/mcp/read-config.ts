import { z } from "zod";
import { SERVERS } from "./limits.ts";
import type { McpServerConfig } from "./types.ts";

export type ReadConfig =
  | { ok: true; servers: Record<string, McpServerConfig> }
  | { ok: false; message: string };

const Text = z.string().max(8_000);
const Values = z.record(z.string().min(1).max(200), Text);

const Entry = z.object({
  type: z.enum(["stdio", "http", "sse", "streamable-http", "streamableHttp"]).optional(),
  command: Text.min(1).optional(),
  args: z.array(Text).max(200).optional(),
  env: Values.optional(),
  url: Text.optional(),
  headers: Values.optional(),
});

/** Valid names of servers: they become part of tool names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_. -]{0,39}$/;

/**
 * Parses a server configuration as people copy it from elsewhere: `{ "mcpServers": { … } }` or only the inner object.
 * Comments are not allowed.
 * @returns the servers, or a sentence that says what is wrong
 */
export function readMcpConfig(text: string): ReadConfig {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return wrong(`That is not JSON: ${(error as Error).message}.`);
  }
  if (!isObject(value)) return wrong('It should be an object: { "mcpServers": { … } }.');
  const inner = value["mcpServers"] ?? value;
  if (!isObject(inner)) return wrong("“mcpServers” should be an object with a server per name.");
  const entries = Object.entries(inner);
  if (entries.length > SERVERS) return wrong(`There can be at most ${SERVERS} servers.`);
  const servers: Record<string, McpServerConfig> = {};
  for (const [name, raw] of entries) {
    if (!NAME.test(name))
      return wrong(
        `“${name.slice(0, 60)}” cannot be a server's name: letters, digits, space, “.”, “-” and “_”, 40 at most.`,
      );
    const read = Entry.safeParse(raw);
    if (!read.success) {
      const issue = read.error.issues[0];
      return wrong(
        `${[name, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not valid"}.`,
      );
    }
    const server = serverOf(name, read.data);
    if (typeof server === "string") return wrong(server);
    servers[name] = server;
  }
  return { ok: true, servers };
}

function serverOf(name: string, entry: z.infer<typeof Entry>): McpServerConfig | string {
  const { type, command, args = [], env = {}, url, headers = {} } = entry;
  if (command !== undefined && (type === undefined || type === "stdio"))
    return { type: "stdio", command, args, env };
  if (url === undefined) return `${name} has neither a “command” nor a “url”.`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return `${name}: an address begins with http:// or https://.`;
  if (new URL(url).username !== "" || new URL(url).password !== "")
    return `${name}: a password belongs in “headers”, not in the address.`;
  for (const [header, value] of Object.entries(headers)) {
    const shown = `${name}: “${header.slice(0, 60)}”`;
    const unfit = /[^\t\x20-\x7e\x80-\xff]/u.exec(value)?.[0] ?? "";
    // For example the bullets in place of a key in an example.
    if (unfit > "\xff") return `${shown} holds “${unfit}”, which no header can carry.`;
    if (unfit !== "" || !/^[!#$%&'*+.^_`|~\w-]+$/.test(header))
      return `${shown} cannot be sent as a header.`;
  }
  return { type: type === "sse" ? "sse" : "http", url, headers };
}

const wrong = (message: string): ReadConfig => ({ ok: false, message });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
