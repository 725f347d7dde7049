import { ariaKeys, shownKeys } from "./keys.ts";
import { keysOf, type CommandId } from "./list.ts";

/** A button's tooltip with its keyboard shortcut, and the shortcut for screen readers. */
export function keysHint(
  id: CommandId,
  name: string,
): { title: string; "aria-keyshortcuts": string | undefined } {
  const keys = keysOf(id);
  const [first] = keys;
  return {
    title: first === undefined ? name : `${name} (${shownKeys(first).join(" ")})`,
    "aria-keyshortcuts": ariaKeys(keys),
  };
}
