import type { Embedder } from "./embedder.ts";
import { cut } from "./text.ts";

/** Maximum number of entries that are sent at a time. */
const MOST_ENTRIES = 200;
/** Maximum number of a value's members that are shown, and of levels. */
const MOST_MEMBERS = 20;
const DEEPEST = 2;

const { setTimeout: soon } = window;

function formatError({ name, message, stack }: Error, depth: number): string {
  const short = `${name}: ${message}`;
  if (!stack?.includes(message)) return `${short}\n${stack || ""}`;
  return depth ? short : stack;
}

/** A value as browser consoles show it. */
function format(value: unknown, depth = 0): string {
  try {
    if (typeof value === "string") return depth ? JSON.stringify(value) : value;
    if (typeof value === "function") return `ƒ ${value.name}()`;
    if (value === null || typeof value !== "object")
      return typeof value === "bigint" ? `${value}n` : String(value);
    if (value instanceof Error) return formatError(value, depth);
    if (value instanceof Element) return (value.cloneNode() as Element).outerHTML;
    if (depth > DEEPEST) return Array.isArray(value) ? "[…]" : "{…}";
    if (Array.isArray(value)) {
      const members = value.slice(0, MOST_MEMBERS).map((member) => format(member, depth + 1));
      const more = value.length - MOST_MEMBERS;
      return `[${members.join(", ")}${more > 0 ? `, … ${more} more` : ""}]`;
    }
    if (value instanceof Date) return value.toISOString();
    if (value instanceof Map || value instanceof Set) {
      const members = format([...value].slice(0, MOST_MEMBERS), depth + 1);
      return `${value.constructor.name}(${value.size}) ${members}`;
    }
    const keys = Object.keys(value);
    const { constructor } = value;
    const kind = constructor && constructor !== Object ? `${constructor.name} ` : "";
    const members = keys
      .slice(0, MOST_MEMBERS)
      .map((key) => `${key}: ${format((value as Record<string, unknown>)[key], depth + 1)}`);
    return `${kind}{${members.join(", ")}${keys.length > MOST_MEMBERS ? ", …" : ""}}`;
  } catch {
    return "?";
  }
}

/** The text of a console message, with its placeholders filled in. */
function printedText(values: readonly unknown[]): string {
  const rest = [...values];
  if (typeof rest[0] !== "string") return rest.map((value) => format(value)).join(" ");
  const text = String(rest.shift()).replace(/%[sdifoOc%]/g, (placeholder) => {
    if (placeholder === "%%") return "%";
    if (rest.length === 0) return placeholder;
    const value = rest.shift();
    return placeholder === "%c" ? "" : format(value);
  });
  return [text, ...rest.map((value) => format(value))].join(" ");
}

/**
 * Reports what the page prints and throws, at most 200 entries at a time; further ones are only
 * counted. Stacks are sent unchanged; positions in the project's files are resolved when somebody
 * looks.
 */
export function watchConsole({ post }: Embedder): void {
  let entries: object[] = [];
  let dropped = 0;
  let timer = 0;
  const flush = () => {
    post("console", { entries, dropped });
    entries = [];
    dropped = timer = 0;
  };
  const print = (level: string, text: string, stack: unknown) => {
    if (entries.length < MOST_ENTRIES)
      entries.push({ level, text: cut(text), stack: cut(stack || "", 1500), at: Date.now() });
    else dropped++;
    timer ||= soon(flush, 60);
  };
  for (const level of ["debug", "log", "info", "warn", "error"] as const) {
    const was = console[level];
    console[level] = function (this: unknown, ...values) {
      try {
        const thrown = values.find((value) => value instanceof Error);
        print(level, printedText(values), thrown?.stack || new Error().stack);
      } catch {
        // An error while reporting a message must not break the page.
      }
      return Reflect.apply(was, this, values);
    };
  }
  const { assert } = console;
  console.assert = function (this: unknown, isTrue, ...values) {
    if (!isTrue) print("error", `Assertion failed: ${printedText(values)}`, new Error().stack);
    return Reflect.apply(assert, this, [isTrue, ...values]);
  };
  const firstLine = (thrown: unknown) => format(thrown).split("\n")[0];
  window.addEventListener("error", ({ target, error, message, filename, lineno, colno }) => {
    if (target !== window || !message || message.startsWith("ResizeObserver loop")) return;
    const stack = `${filename}:${lineno}:${colno}\n${error?.stack || ""}`;
    print("error", `Uncaught ${error ? firstLine(error) : message}`, stack);
  });
  window.addEventListener("unhandledrejection", ({ reason }) =>
    print("error", `Uncaught (in promise) ${firstLine(reason)}`, reason?.stack),
  );
}
