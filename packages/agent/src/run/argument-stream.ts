import { createArgumentReader } from "@treadle/protocol/json-arguments";
import type { Coalescer } from "./coalesce.ts";
import { INPUT_LIMIT } from "./limits.ts";
import type { Run } from "./state.ts";

/** A call's arguments while they stream: decoded once, told as `call-delta`. */
export interface ArgumentStream {
  write(json: string): void;
  end(): void;
  /** Short top-level strings that are complete: what an interrupted call is known by. */
  known(): Record<string, string>;
}

/** Arguments that say where, not what: they stand in `call-input`, and `path` on each delta. */
const NOT_STREAMED = new Set(["path", "under", "glob", "template"]);

export function createArgumentStream(call: string, run: Run, coalescer: Coalescer): ArgumentStream {
  const known: Record<string, string> = Object.create(null);
  let current: { field: string; top: boolean; text: string } | undefined;
  const reader = createArgumentReader({
    onEvent(event) {
      if (event.type === "string-open") {
        current = { field: event.path.join("."), top: event.path.length === 1, text: "" };
      } else if (event.type === "string-delta" && current) {
        const { field, top } = current;
        if (top && current.text.length <= INPUT_LIMIT) current.text += event.text;
        if (NOT_STREAMED.has(field)) return;
        coalescer.push(`${call} ${field}`, event.text, (text) => {
          const path = known["path"];
          run.emit({
            type: "call-delta",
            call,
            field,
            text,
            ...(path === undefined ? {} : { path }),
          });
        });
      } else if (event.type === "string-close" && current) {
        if (event.complete && current.top && current.text.length <= INPUT_LIMIT)
          known[current.field] = current.text;
        current = undefined;
      }
    },
  });
  return { write: (json) => reader.write(json), end: () => reader.end(), known: () => known };
}
