import { useQuery } from "@tanstack/react-query";
import type { McpOffers, McpPromptInfo } from "@treadle/protocol";
import { writeResource } from "@treadle/protocol/mentions";
import { useMemo } from "react";
import { readOffers } from "../api/mcp.ts";
import { listed, words } from "../words/words.ts";
import type { OfferedSuggestions, Suggestion } from "../prompt/suggestions.ts";

/** Polling interval for starting servers, and how long results stay fresh, in milliseconds. */
const LOOK_MS = 1_000;
const HOLDS_MS = 10_000;

export interface OfferedPrompt extends McpPromptInfo {
  server: string;
  /** Whether its server supports completion. */
  completes: boolean;
}

/**
 * Prompts and resources of the project's tool servers for a message, requested when the text first needs them. A `/` at
 * its beginning starts servers that are not running.
 */
export function useOffers(project: string, text: string) {
  const command = text.startsWith("/");
  const { data } = useQuery({
    queryKey: ["mcp", project, "offers", command],
    queryFn: ({ signal }) => readOffers(project, command, signal),
    enabled: command || text.includes("@"),
    staleTime: HOLDS_MS,
    refetchInterval: ({ state }) => (command && starting(state.data).length > 0 ? LOOK_MS : false),
  });
  const offered = useMemo(() => offeredOf(data), [data]);
  return {
    offered,
    /** The prompt for a suggestion. */
    find: ({ text: chosen }: Suggestion): OfferedPrompt | undefined =>
      data?.servers
        .flatMap(({ name, completes, prompts }) =>
          prompts.map((prompt) => ({ ...prompt, completes, server: name })),
        )
        .find((prompt) => commandOf(prompt) === chosen),
  };
}

const commandOf = ({ server, name }: { server: string; name: string }) => `/${server}:${name}`;

const starting = (data: McpOffers | undefined) =>
  (data?.servers ?? []).filter(({ state }) => state === "connecting" || state === "idle");

function offeredOf(data: McpOffers | undefined): OfferedSuggestions | undefined {
  if (!data || data.servers.length === 0) return undefined;
  return {
    prompts: data.servers.flatMap(({ name: server, prompts }) =>
      prompts.map(({ name, description = "" }): Suggestion => {
        const text = commandOf({ server, name });
        return { text, label: text, about: description, kind: "prompt" };
      }),
    ),
    resources: data.servers.flatMap(({ name: server, resources }) =>
      resources.flatMap(({ uri, name, template }): Suggestion[] => {
        const text = writeResource(server, uri);
        if (text === undefined) return [];
        const label = `${server}:${uri}`;
        return [{ text, label, about: name, kind: "resource", continues: template }];
      }),
    ),
    note: noteOf(data),
  };
}

/**
 * A note about prompts that may be missing: which servers are starting, have failed or need a sign-in, or that no
 * server has any. Undefined if nothing is missing.
 */
function noteOf(data: McpOffers): string | undefined {
  const waiting = starting(data).map(({ name }) => name);
  const failed = data.servers.filter(({ state }) => state === "failed").map(({ name }) => name);
  const out = data.servers.filter(({ state }) => state === "sign-in").map(({ name }) => name);
  const notes = [
    waiting.length > 0 && words.mcp.waitsFor({ servers: listed(waiting) }),
    failed.length > 0 && words.mcp.notStarted({ servers: listed(failed) }),
    out.length > 0 && words.mcp.wantsSignIn({ servers: listed(out) }),
  ].filter((one) => one !== false);
  if (notes.length === 0)
    return data.servers.some(({ prompts }) => prompts.length > 0) ? undefined : words.mcp.noPrompts;
  const all = notes.join("; ");
  return failed.length + out.length > 0 ? words.mcp.seeSettings({ what: all }) : all;
}
