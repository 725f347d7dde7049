import type { SendMessage } from "@treadle/protocol";
import { words } from "../words/words.ts";

/**
 * A message that asks to repair what is broken now; the server adds the errors. Written in the page's language, because
 * the model answers in the language of the message.
 */
export const askRepair = (): SendMessage => ({ text: words.evidence.askRepair, fix: true });

/**
 * A message that asks to repair the error in a terminal. It only names the terminal; the server reads its output and
 * passes it as data, not as the person's words.
 */
export const askTerminalRepair = (terminal: string): SendMessage => ({
  text: words.terminal.askRepair({ mention: `@terminal:${terminal}` }),
});
