import type { ToolContext } from "./tool.ts";

/** A file at this path, or in this folder, that the person left as the model has not seen it; one that is gone is none. */
export function unreadIn(
  place: string,
  { personWrites, seen }: Pick<ToolContext, "personWrites" | "seen">,
): string | undefined {
  const folder = `${place.replace(/\/+$/, "")}/`;
  for (const [path, version] of personWrites)
    if (version !== "" && (path === place || path.startsWith(folder)) && seen.get(path) !== version)
      return path;
  return undefined;
}
