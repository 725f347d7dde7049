import { words } from "../words/words.ts";

/**
 * How a terminal is called: the page counts its own; others have names that somebody gave them.
 * @param label what the person calls it
 */
export function terminalLabel(name: string, label = ""): string {
  if (label !== "") return label;
  return /^\d+$/.test(name) ? words.terminal.terminal({ name }) : name;
}

/** The lowest number that is not taken. */
export function nextTerminal(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) number++;
  return String(number);
}
