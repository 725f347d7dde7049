import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ARGUMENTS, ARTIFACTS, DIFFS, type Texts, TOOL_TAGS, TOOLS } from "./protocol-texts.ts";

export interface Writer {
  write(chunk: string): void;
  end(): unknown;
}

/**
 * The readers of `@treadle/dialects` that are measured. `onEvent` receives each event, and each
 * edit.
 */
export type Readers = Record<string, { make: () => Writer; texts: Texts }>;

/** The readers of the built package in a checkout of this or an earlier version of Treadle. */
export async function readersOf(root: string, onEvent: (event: object) => void): Promise<Readers> {
  // In versions before the readers had their own package.
  const home = existsSync(join(root, "packages/dialects")) ? "dialects" : "protocol";
  const part = (name: string) =>
    import(pathToFileURL(join(root, "packages", home, "dist", name, "index.js")).href);
  const [artifact, tags, blocks, json] = await Promise.all(
    ["artifact", "tool-tags", "search-replace", "json-arguments"].map(part),
  );
  return {
    "artifact parser": { make: () => artifact.createArtifactParser({ onEvent }), texts: ARTIFACTS },
    "tool-tag parser": {
      make: () => tags.createToolTagParser({ tools: TOOLS, onEvent }),
      texts: TOOL_TAGS,
    },
    "SEARCH/REPLACE reader": {
      make: () => blocks.createSearchReplaceReader({ onEdit: onEvent }),
      texts: DIFFS,
    },
    "argument reader": { make: () => json.createArgumentReader({ onEvent }), texts: ARGUMENTS },
  };
}
