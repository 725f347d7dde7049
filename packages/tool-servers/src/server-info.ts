import { definitionDigest, describeChange, type McpDefinition } from "@treadle/agent";
import type { McpServerInfo } from "@treadle/protocol";
import { shownConfig, whereOf } from "./kept-values.ts";
import type { SetUp } from "./instances.ts";
import type { AllowedTool } from "./mcp-store.ts";
import type { ToolServer } from "./tool-server.ts";

/** A server as shown on the page, without any key. */
export function serverInfo(parts: {
  setUp: SetUp;
  server: ToolServer;
  allowed: Record<string, AllowedTool>;
  /** Whether it has a sign-in. */
  signs: boolean;
  /** Names of the tools given to the last turn; undefined: none. */
  given: ReadonlySet<string> | undefined;
}): McpServerInfo {
  const { server, allowed, signs } = parts;
  const { place, name, entry } = parts.setUp;
  const state = server.state === "sign-in" && !signs ? "failed" : server.state;
  const later = state === "connected" ? changedSince(parts.given, server) : undefined;
  return {
    name,
    scope: place === "global" ? "global" : "project",
    config: shownConfig(name, entry.config),
    where: whereOf(entry.config),
    enabled: entry.enabled,
    trusted: entry.trusted,
    program: entry.config.type === "stdio",
    state: entry.enabled ? state : "off",
    problem: state === "failed" ? server.problem : undefined,
    left: server.left,
    later,
    title: server.title,
    tools: server.definitions.map((definition) => {
      const known = allowed[definition.name];
      const same = known?.digest === definitionDigest(entry.config, definition);
      return {
        name: definition.name,
        description: definition.description,
        input: JSON.stringify(definition.inputSchema),
        allowed: same,
        changed: known && !same ? describeChange(known.definition, definition) : undefined,
        tokens: tokensOf(definition),
      };
    }),
    resources: [...server.resources],
    prompts: [...server.prompts],
    log: server.log,
  };
}

/** Estimates the tokens of a tool as in the prompt's budget: characters / 4. */
const tokensOf = ({ name, description, inputSchema }: McpDefinition) =>
  Math.ceil((name.length + description.length + JSON.stringify(inputSchema).length) / 4);

const NAMES = 10;

/**
 * Describes which tools appeared or disappeared since the last turn. A turn keeps its tools, so that the provider's
 * prefix cache applies.
 */
function changedSince(
  given: ReadonlySet<string> | undefined,
  { definitions }: ToolServer,
): string | undefined {
  if (!given) return undefined;
  const now = new Set(definitions.map(({ name }) => name));
  const fresh = [...now].filter((name) => !given.has(name));
  const gone = [...given].filter((name) => !now.has(name));
  const list = (names: string[]) =>
    names.slice(0, NAMES).join(", ") + (names.length > NAMES ? " and more" : "");
  const sentences = [
    fresh.length > 0 && `New since the last turn began: ${list(fresh)}.`,
    gone.length > 0 && `Gone since then: ${list(gone)}; a call is answered with an error.`,
    fresh.length + gone.length > 0 && "A turn keeps its tools: the change comes with the next.",
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}
