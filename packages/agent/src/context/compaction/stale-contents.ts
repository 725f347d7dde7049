import { holdsWholeFile, toolEntry } from "@treadle/protocol/tools";
import { getToolName, isToolUIPart, type UIMessage } from "ai";

/** Characters from which on contents are worth leaving out: each time the provider's cache of what follows is lost. */
const WORTH_IT = 64_000;
/** A smaller one costs less than the word that would stand in its place. */
const SMALLEST = 400;

interface Content {
  call: string;
  path: string;
  /** Whether it shows the whole file, so that whatever came before it is not needed any more. */
  isWhole: boolean;
  characters: number;
}

/**
 * Calls whose file content is out of date, since a later call shows the whole file as it is. Empty where they are too
 * few to be worth it. What was read before an edit is still needed: only both together say what stands there.
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
