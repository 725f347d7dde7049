import type { RunMode } from "@treadle/protocol";
import type { Suggestion } from "../prompt/suggestions.ts";
import { words } from "../words/words.ts";

const NAMES = ["new", "plan", "discuss", "check", "undo", "compact"] as const;

/** Commands offered when a message begins with `/`. */
export type CommandName = (typeof NAMES)[number];

/** The commands as suggestions for the list above the field. */
export const commands = (): Suggestion[] =>
  NAMES.map((name) => ({
    text: `/${name}`,
    label: `/${name}`,
    about: words.chat.command[name],
    kind: "command",
  }));

/** The command for a suggestion; undefined for a prompt of a tool server. */
export const commandOf = ({ kind, text }: Suggestion): CommandName | undefined =>
  kind === "command" ? (text.slice(1) as CommandName) : undefined;

/** Parses a message with a mode in front of it, such as `/plan A page for the team`; undefined for any other text. */
export function typedMode(text: string): { mode: RunMode; text: string } | undefined {
  const match = /^\/(plan|discuss)\s+(\S[\s\S]*)$/.exec(text);
  return match ? { mode: match[1] as RunMode, text: match[2] ?? "" } : undefined;
}
