import { createArgumentReader } from "@treadle/dialects/json-arguments";
import type { Coalescer } from "../async/coalesce.ts";
import { INPUT_LIMIT } from "./limits.ts";
import type { RunScope } from "../ports/run-scope.ts";

/** Decodes a call's arguments while they stream, emitting them as `call-delta`. */
export interface ArgumentStream {
  write(json: string): void;
  end(): void;
  /** Restarts the arguments from the beginning; new ones replace those already emitted. */
  restart(): void;
  /** Complete short top-level strings, by which an interrupted call can be described. */
  known(): Record<string, string>;
}

/** Arguments that give a place and not content: they are emitted in `call-input`, and `path` with each delta. */
const NOT_STREAMED = new Set(["path", "under", "glob", "template"]);

export function createArgumentStream(
  call: string,
  emit: RunScope["emit"],
  coalescer: Coalescer,
): ArgumentStream {
  let known: Record<string, string> = Object.create(null);
  /** Fields of which the log holds text that was replaced by a restart. */
  let stale = new Set<string>();
  const reported = new Set<string>();
  let current: { field: string; top: boolean; text: string } | undefined;
  const read = () =>
    createArgumentReader({
      onEvent(event) {
        if (event.type === "string-open") {
          current = { field: event.path.join("."), top: event.path.length === 1, text: "" };
        } else if (event.type === "string-delta" && current) {
          const { field, top } = current;
          if (top && current.text.length <= INPUT_LIMIT) current.text += event.text;
          if (NOT_STREAMED.has(field)) return;
          coalescer.push(`${call} ${field}`, event.text, (text) => {
            const path = known["path"];
            const isWhole = stale.delete(field);
            reported.add(field);
            emit({ type: "call-delta", call, field, text, path, whole: isWhole || undefined });
          });
        } else if (event.type === "string-close" && current) {
          if (event.complete && current.top && current.text.length <= INPUT_LIMIT)
            known[current.field] = current.text;
          current = undefined;
        }
      },
    });
  let reader = read();
  return {
    write: (json) => reader.write(json),
    end: () => reader.end(),
    restart() {
      coalescer.flush();
      known = Object.create(null);
      current = undefined;
      stale = new Set(reported);
      reader = read();
    },
    known: () => known,
  };
}
