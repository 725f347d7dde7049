import { shiftClock } from "@treadle/protocol/checks";

/**
 * Wraps a shell command so that its Node programs see a given time when they start, from which their clock runs on.
 * Other programs see the machine's clock.
 */
export function startAt(command: string, date: Date | undefined): string {
  if (date === undefined) return command;
  const script = Buffer.from(shiftClock(date.getTime() - Date.now())).toString("base64");
  return `export NODE_OPTIONS="$NODE_OPTIONS --import=data:text/javascript;base64,${script}"; ${command}`;
}
