import { shiftClock } from "@treadle/protocol/checks";

/**
 * A shell command whose programs in Node take it to be a certain time as they start; time goes on from there. Other programs
 * keep the machine's clock.
 */
export function startAt(command: string, date: Date | undefined): string {
  if (date === undefined) return command;
  const script = Buffer.from(shiftClock(date.getTime() - Date.now())).toString("base64");
  return `export NODE_OPTIONS="$NODE_OPTIONS --import=data:text/javascript;base64,${script}"; ${command}`;
}
