import { sentence } from "@treadle/protocol/sentences";
import type { MCPClient } from "@ai-sdk/mcp";
import { clipLine } from "../text/clip.ts";
import { bounded, resourceText, resultText } from "./answer-text.ts";
import { asMcpError } from "./as-mcp-error.ts";
import {
  CALL_MS,
  COMPLETE_MS,
  COMPLETIONS,
  LIST_MS,
  LISTED,
  PAGES,
  SHORT_LIMIT,
  TOOLS,
} from "./limits.ts";
import { promptsOf, resourcesOf, templatesOf, toolsOf } from "./offers.ts";
import { promptAnswer } from "./prompt-answer.ts";
import { McpError, type McpAnswer, type McpConnection } from "./types.ts";

/**
 * The methods of a connected server, with a limit to each answer. @param state.gone why the connection has ended, if it
 * has
 */
export function connectionOf(
  client: MCPClient,
  state: {
    onClose(): void;
    gone(): McpError | undefined;
    named(error: unknown): McpError;
  },
): McpConnection {
  const { capabilities, serverInfo } = client.initializeResult;
  const lists = { timeout: LIST_MS, maxTotalTimeout: LIST_MS };
  const paged = (cursor: string | undefined) => ({
    params: cursor === undefined ? undefined : { cursor },
    options: lists,
  });

  async function guarded<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (signal?.aborted) throw new McpError("aborted", sentence("mcp-was-stopped"));
      throw state.gone() ?? state.named(error);
    }
  }

  return {
    title: clipLine(`${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`, 120),
    tools: () =>
      guarded(async () => {
        if (!capabilities.tools) return { tools: [] };
        const { found, more } = await pages(TOOLS, async (cursor) => {
          const { tools, nextCursor } = await client.listTools(paged(cursor));
          return { items: tools, next: nextCursor };
        });
        return toolsOf(found, more);
      }),
    resources: () =>
      guarded(async () => {
        if (!capabilities.resources) return [];
        const { found } = await pages(LISTED, async (cursor) => {
          const { resources, nextCursor } = await client.listResources(paged(cursor));
          return { items: resources, next: nextCursor };
        });
        return [...resourcesOf(found.slice(0, LISTED)), ...(await templates())];
      }),
    prompts: () =>
      guarded(async () => {
        if (!capabilities.prompts) return [];
        const { found } = await pages(LISTED, async (cursor) => {
          const { prompts, nextCursor } = await client.listPrompts(paged(cursor));
          return { items: prompts, next: nextCursor };
        });
        return promptsOf(found.slice(0, LISTED));
      }),
    call: (name, input, signal) =>
      guarded(async () => {
        const result: Record<string, unknown> = await client.callTool({
          name,
          arguments: input,
          options: { signal, timeout: CALL_MS, maxTotalTimeout: CALL_MS },
        });
        return { ok: result["isError"] !== true, text: resultText(result) };
      }, signal),
    readResource: (uri, signal) =>
      guarded(async (): Promise<McpAnswer> => {
        const { contents } = await client.readResource({
          uri,
          options: { ...lists, signal },
        });
        return { ok: true, text: bounded(contents.map(resourceText).join("\n")) };
      }, signal),
    getPrompt: (name, values) =>
      guarded(async () =>
        promptAnswer(await client.getPrompt({ name, arguments: values, options: lists })),
      ),
    completes: capabilities.completions !== undefined,
    complete: (prompt, argument, values) =>
      guarded(async () => {
        if (!capabilities.completions) return [];
        const { completion } = await client.complete({
          ref: { type: "ref/prompt", name: prompt },
          argument,
          context: { arguments: values },
          options: { timeout: COMPLETE_MS, maxTotalTimeout: COMPLETE_MS },
        });
        return completion.values
          .filter((value) => value !== "" && value.length <= SHORT_LIMIT)
          .slice(0, COMPLETIONS);
      }),
    async close() {
      state.onClose();
      await client.close().catch(() => undefined);
    },
  };

  /** Many servers have resources, but no method for templates. */
  async function templates() {
    try {
      const { resourceTemplates } = await client.listResourceTemplates({ options: lists });
      return templatesOf(resourceTemplates.slice(0, LISTED));
    } catch (error) {
      const gone = state.gone();
      if (gone) throw gone;
      if (!["failed", "malformed"].includes(asMcpError(error).code)) throw error;
      return [];
    }
  }
}

/** Collects the pages of a list until a limit, which the last page may exceed. */
async function pages<T>(
  limit: number,
  page: (cursor: string | undefined) => Promise<{ items: T[]; next: string | undefined }>,
): Promise<{ found: T[]; more: boolean }> {
  const found: T[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < PAGES; count++) {
    const { items, next } = await page(cursor);
    for (const item of items) found.push(item);
    if (next === undefined || next === cursor) return { found, more: false };
    cursor = next;
    if (found.length > limit) break;
  }
  return { found, more: true };
}
