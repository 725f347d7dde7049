import { holdsWholeFile, toolEntry } from "@treadle/protocol/tools";
import { getToolName, isToolUIPart, type UIMessage } from "ai";

/**
 * Minimum size of outdated contents worth leaving out, in characters: each removal invalidates the
 * provider's cache.
 */
const WORTH_IT = 64_000;
/** Contents below this size, in characters, cost less than their placeholder. */
const SMALLEST = 400;

interface Content {
  call: string;
  path: string;
  /** Whether the call shows the complete file, so that earlier contents are no longer needed. */
  isWhole: boolean;
  characters: number;
}

/**
 * Returns calls whose file content is outdated because a later call shows the complete file. Empty
 * if they are too small to matter. Content that was read before an edit is still needed: only both
 * together give the current text.
 */
export function staleContents(shown: readonly UIMessage[]): string[] {
  const shownLater = new Set<string>();
  const stale = shown
    .flatMap(contentsOf)
    .toReversed()
    .filter(({ path, isWhole, characters }) => {
      const isStale = shownLater.has(path) && characters >= SMALLEST;
      if (isWhole) shownLater.add(path);
      return isStale;
    });
  const characters = stale.reduce((sum, content) => sum + content.characters, 0);
  return characters < WORTH_IT ? [] : stale.map(({ call }) => call).toReversed();
}

function contentsOf({ parts }: UIMessage): Content[] {
  return parts.flatMap((part): Content[] => {
    if (!isToolUIPart(part) || part.state !== "output-available") return [];
    const input = (part.input ?? {}) as Record<string, unknown>;
    const { path, content } = input;
    if (typeof path !== "string") return [];
    const call = part.toolCallId;
    const tool = getToolName(part);
    if (holdsWholeFile(tool))
      return [{ call, path, isWhole: true, characters: String(content).length }];
    if (toolEntry(tool)?.result !== "files") return [];
    const isWhole = input["offset"] === undefined && input["limit"] === undefined;
    return [{ call, path, isWhole, characters: String(part.output).length }];
  });
}
