import type { RunMode } from "@treadle/protocol";
import type { Suggestion } from "../prompt/suggestions.ts";
import { words } from "../words/words.ts";

const NAMES = ["new", "plan", "discuss", "check", "undo", "compact"] as const;

/** What can be done with `/` where a message begins. */
export type CommandName = (typeof NAMES)[number];

/** As the list above the field shows them. */
export const commands = (): Suggestion[] =>
  NAMES.map((name) => ({
    text: `/${name}`,
    label: `/${name}`,
    about: words.chat.command[name],
    kind: "command",
  }));

/** The command that a suggestion stands for; undefined where it is one of a tool server's prompts. */
export const commandOf = ({ kind, text }: Suggestion): CommandName | undefined =>
  kind === "command" ? (text.slice(1) as CommandName) : undefined;

/** A message that was typed with a mode in front of it: `/plan A page for the team`. */
export function typedMode(text: string): { mode: RunMode; text: string } | undefined {
  const match = /^\/(plan|discuss)\s+(\S[\s\S]*)$/.exec(text);
  return match ? { mode: match[1] as RunMode, text: match[2] ?? "" } : undefined;
}
