/**
 * Maximum depth of a call's arguments. Tools' arguments are flat; recursive readers of deeper values could exhaust the
 * stack.
 */
export const MAX_JSON_DEPTH = 64;

/** Replaces values that are nested too deep. */
const TOO_DEEP = "(nested too deep)";

/**
 * Makes all strings and keys of a value well formed, and cuts it at `MAX_JSON_DEPTH`. Returns the same object if
 * nothing had to change. Bytes and instances of classes stay unchanged.
 */
export function cleanValue<T>(value: T, depth = MAX_JSON_DEPTH): T {
  return clean(value, depth) as T;
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return value;
  if (depth === 0) return TOO_DEEP;
  if (isList) {
    let changed: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const entry: unknown = clean(value[index], depth - 1);
      if (entry !== value[index]) (changed ??= value.slice())[index] = entry;
    }
    return changed ?? value;
  }
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  let changed: (readonly [string, unknown])[] | undefined;
  for (const [index, key] of keys.entries()) {
    const name = key.isWellFormed() ? key : key.toWellFormed();
    const entry = clean(record[key], depth - 1);
    if (name !== key || entry !== record[key])
      changed ??= keys.slice(0, index).map((one) => [one, record[one]]);
    changed?.push([name, entry]);
  }
  return changed ? Object.fromEntries(changed) : value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether JSON text nests deeper than `MAX_JSON_DEPTH`. Reads it once, without recursion; it need not be valid. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
