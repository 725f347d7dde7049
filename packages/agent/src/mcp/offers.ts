import type { MCPClient } from "@ai-sdk/mcp";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import {
  ARGUMENTS,
  DESCRIPTION_LIMIT,
  NAME_LENGTH,
  SCHEMA_LIMIT,
  SHORT_LIMIT,
  TOOLS,
  TOOLS_LIMIT,
  URI_LENGTH,
} from "./limits.ts";
import type { McpDefinition, McpPrompt, McpResource, McpToolList } from "./types.ts";

type Listed<K extends "listTools" | "listResources" | "listPrompts"> = Awaited<
  ReturnType<MCPClient[K]>
>;
type Tool = Listed<"listTools">["tools"][number];
type Resource = Listed<"listResources">["resources"][number];
type Template = Awaited<
  ReturnType<MCPClient["listResourceTemplates"]>
>["resourceTemplates"][number];
type Prompt = Listed<"listPrompts">["prompts"][number];

/**
 * Selects the tools of a server that can be used, and reports the ones that are left out. Descriptions are cut here and
 * not later, so that a person approves exactly what the model reads (A36).
 * @param more whether the server has more tools than these
 */
export function toolsOf(listed: readonly Tool[], more: boolean): McpToolList {
  const tools: McpDefinition[] = [];
  const odd: string[] = [];
  const twice: string[] = [];
  const long: string[] = [];
  const names = new Set<string>();
  let size = 0;
  let unused = more ? 1 : 0;
  for (const tool of listed) {
    if (!isName(tool.name)) {
      odd.push(tool.name);
      continue;
    }
    // An approval of one would also apply to the other, whatever its description says (A36).
    if (names.has(tool.name)) {
      twice.push(tool.name);
      continue;
    }
    names.add(tool.name);
    const json = JSON.stringify(tool.inputSchema);
    // The schema would take up most of the model's request.
    if (json.length > SCHEMA_LIMIT) {
      long.push(tool.name);
      continue;
    }
    const definition: McpDefinition = {
      name: tool.name,
      description: clipMiddle(visibleText(tool.description ?? tool.title ?? ""), DESCRIPTION_LIMIT),
      inputSchema: visibleSchema(json),
      readOnly: tool.annotations?.readOnlyHint === true,
    };
    const total = tool.name.length + definition.description.length + json.length;
    if (tools.length >= TOOLS || size + total > TOOLS_LIMIT) unused++;
    else {
      size += total;
      tools.push(definition);
    }
  }
  const left = [
    unused > 0 && `It offers more tools than are used: the first ${tools.length} are.`,
    long.length > 0 &&
      `Left out, as their arguments are described at too great a length: ${list(long)}.`,
    twice.length > 0 && `Offered twice, of which the first is used: ${list(twice)}.`,
    odd.length > 0 && `Left out, as they have no usable name: ${list(odd)}.`,
  ].filter((sentence) => sentence !== false);
  return { tools, left: left.length > 0 ? left.join(" ") : undefined };
}

export const resourcesOf = (listed: readonly Resource[]): McpResource[] =>
  listed.flatMap(({ uri, ...rest }) => (isUri(uri) ? [{ uri, ...aboutOf(rest) }] : []));

/** Templates of resource addresses, with placeholders `{like}` this. */
export const templatesOf = (listed: readonly Template[]): McpResource[] =>
  listed.flatMap(({ uriTemplate, ...rest }) =>
    isUri(uriTemplate) ? [{ uri: uriTemplate, ...aboutOf(rest), template: true as const }] : [],
  );

export const promptsOf = (listed: readonly Prompt[]): McpPrompt[] =>
  listed.flatMap((prompt) => {
    const given = prompt.arguments ?? [];
    if (!isName(prompt.name) || given.some(({ name }) => !isName(name))) return [];
    if (given.length > ARGUMENTS) return [];
    return [
      {
        name: prompt.name,
        ...described(prompt.description ?? prompt.title),
        arguments: given.map(({ name, description, required }) => ({
          name,
          ...described(description),
          required: required === true,
        })),
      },
    ];
  });

/** Escapes invisible characters in a schema, which the model reads, too (A42). */
const visibleSchema = (json: string) =>
  JSON.parse(json, (_key, value: unknown) =>
    typeof value === "string" ? visibleText(value) : value,
  ) as McpDefinition["inputSchema"];

const isName = (name: string) => name.trim() !== "" && name.length <= NAME_LENGTH;
/** An address may contain spaces, since mentions can be quoted. */
const isUri = (uri: string) =>
  uri !== "" && uri.length <= URI_LENGTH && uri === uri.trim() && !/\p{Cc}/u.test(uri);

const described = (description: string | undefined) =>
  description === undefined ? {} : { description: clipLine(description, SHORT_LIMIT) };

const aboutOf = (offer: {
  name: string;
  description?: string | undefined;
  mimeType?: string | undefined;
}) => ({
  name: clipLine(offer.name, NAME_LENGTH),
  ...described(offer.description),
  mimeType: offer.mimeType === undefined ? undefined : clipLine(offer.mimeType, NAME_LENGTH),
});

const NAMES = 10;

function list(names: readonly string[]): string {
  const shown = names.slice(0, NAMES).map((name) => clipLine(name, 60) || "(empty)");
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
