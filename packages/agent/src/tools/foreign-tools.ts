import type { JSONSchema7 } from "@ai-sdk/provider";
import { createHash } from "node:crypto";
import { z } from "zod";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { fence } from "../text/fence.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { sentence } from "@treadle/protocol/sentences";
import { done, refused, type Tool } from "./tool.ts";
import { portableSchema } from "./portable-schema.ts";
import { McpError, type McpTool } from "../mcp/types.ts";

/** The providers' limit for the name of a tool. */
const NAME_LIMIT = 64;

const Arguments = z.looseObject({});

/** A tool that runs on an external server. */
export interface ForeignTool extends Tool {
  /** The name of its server, and the tool's name on that server. */
  readonly origin: { readonly server: string; readonly tool: string };
  /** The part of the server's schema that the model receives. */
  readonly schema: JSONSchema7;
}

/** Maximum number of tools in a request, including the built-in ones; OpenAI's limit. */
export const TOOLS_SENT = 128;

/**
 * Tools of connected servers, sorted by name, each name unique. The caller drops those beyond
 * `TOOLS_SENT`.
 */
export function foreignTools(tools: readonly McpTool[]): ForeignTool[] {
  const named = new Map<string, ForeignTool>();
  for (const tool of tools) {
    const plain = toolName(tool.server, tool.definition.name);
    const name = named.has(plain) ? distinct(plain, tool) : plain;
    named.set(name, foreignTool(name, tool));
  }
  return [...named.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The name for the model: `mcp__server__tool`, in characters that every provider accepts. */
export function toolName(server: string, tool: string): string {
  const clean = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]+/g, "_");
  const name = `mcp__${clean(server)}__${clean(tool)}`;
  return name.length <= NAME_LIMIT ? name : shortened(name, `${server}\0${tool}`);
}

const distinct = (name: string, { server, definition }: McpTool) =>
  shortened(name, `${server}\0${definition.name}`);

function shortened(name: string, longName: string): string {
  const mark = createHash("sha256").update(longName).digest("hex").slice(0, 8);
  return `${name.slice(0, NAME_LIMIT - mark.length - 1)}_${mark}`;
}

function foreignTool(name: string, tool: McpTool): ForeignTool {
  const { server, definition } = tool;
  const { schema, restore } = portableSchema(definition.inputSchema);
  const shown = clipLine(visibleText(`${definition.name} of ${server}`), 120);
  return {
    name,
    description: visibleText(definition.description),
    input: Arguments,
    origin: { server, tool: definition.name },
    schema,
    // The server may have access to the project's files.
    changes: !definition.readOnly,
    commands: false,
    subject() {
      const { allowed, digest } = tool.standing();
      return { kind: allowed ? "read" : "outside", what: [server, definition.name, digest] };
    },
    reason: () => tool.standing().why,
    async execute(input, { signal }) {
      try {
        const { ok, text } = await tool.call(restore(input as Record<string, unknown>), signal);
        const answer = text === "" ? "It answered nothing." : fence("result", text);
        return ok
          ? done(sentence("asked-tool", { tool: shown }), answer)
          : refused(`${shown} failed`, answer);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof McpError)) throw error;
        return refused(`${shown} failed`, error.message);
      }
    },
  };
}

/** Accepts any arguments; replaces a schema that a provider refuses. */
const ANYTHING: JSONSchema7 = { type: "object", properties: {} };
/** Maximum length of a description that includes the schema; OpenAI's limit. */
const TOLD_CHARS = 1_024;
/** Share of that for the tool's own description. */
const OWN_CHARS = 400;

/** Returns the tool with its schema only as text; undefined if that was already done. */
export function withoutSchema(tool: ForeignTool): ForeignTool | undefined {
  if (tool.schema === ANYTHING) return undefined;
  const head = `${clipMiddle(tool.description, OWN_CHARS)}\nIts arguments, as a JSON schema: `;
  const description = head + clipMiddle(JSON.stringify(tool.schema), TOLD_CHARS - head.length);
  return { ...tool, description, schema: ANYTHING };
}
