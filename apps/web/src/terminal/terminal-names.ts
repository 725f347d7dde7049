import { words } from "../words/words.ts";

/**
 * The label of a terminal: the person's, or else "Terminal" with its number, or its name if the name is not a number.
 * @param label the label chosen by the person
 */
export function terminalLabel(name: string, label = ""): string {
  if (label !== "") return label;
  return /^\d+$/.test(name) ? words.terminal.terminal({ name }) : name;
}

/** The name for a new terminal: the lowest number, from 1, that is not taken. */
export function nextTerminal(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) number++;
  return String(number);
}
