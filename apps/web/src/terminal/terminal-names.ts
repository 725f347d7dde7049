import { words } from "../words/words.ts";

/**
 * The label of a terminal: the page numbers its own; others have a name.
 * @param label the label chosen by the person
 */
export function terminalLabel(name: string, label = ""): string {
  if (label !== "") return label;
  return /^\d+$/.test(name) ? words.terminal.terminal({ name }) : name;
}

/** The lowest free number. */
export function nextTerminal(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) number++;
  return String(number);
}
