import type { Frame } from "./types.ts";

/** One server-sent event with a JSON body. */
export function event(name: string | undefined, data: unknown, characters = 0): Frame {
  const head = name === undefined ? "" : `event: ${name}\n`;
  return { text: `${head}data: ${JSON.stringify(data)}\n\n`, characters };
}
