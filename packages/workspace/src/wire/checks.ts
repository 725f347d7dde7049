/** Small checks of which those of whole frames are made. Each gives the value back with its type, or throws. */

export type Check<T> = (value: unknown) => T;

/** What a check gives back. */
export type Checked<C extends Check<unknown>> = ReturnType<C>;

export class FrameError extends Error {
  override name = "FrameError";
}

const refuse = (what: string): never => {
  throw new FrameError(`a frame between host and guest holds no ${what}`);
};

/** Longest text of any field; what is longer travels as bytes. */
const MAX_TEXT = 64 * 1024;

export const text =
  (most = MAX_TEXT): Check<string> =>
  (value) =>
    typeof value === "string" && value.length <= most ? value : refuse("short text");

export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check<number> =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : refuse(`number from ${least} to ${most}`);

export const yesOrNo: Check<boolean> = (value) =>
  typeof value === "boolean" ? value : refuse("yes or no");

/** True, or absent; false is as good as absent. */
export const flag: Check<true | undefined> = (value) =>
  value === undefined || !yesOrNo(value) ? undefined : true;

export const oneOf =
  <T extends string>(...words: readonly T[]): Check<T> =>
  (value) =>
    words.includes(value as T) ? (value as T) : refuse(`one of ${words.join(", ")}`);

export const matching =
  (pattern: RegExp): Check<string> =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? value : refuse(`text like ${pattern}`);

export const list =
  <T>(item: Check<T>, most: number): Check<T[]> =>
  (value) =>
    Array.isArray(value) && value.length <= most ? value.map(item) : refuse("short list");

/** May be absent; null is not. */
export const maybe =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value) =>
    value === undefined ? undefined : check(value);

/** Names that are not known beforehand, each with the same kind of value. */
export const byName =
  <T>(item: Check<T>): Check<Record<string, T>> =>
  (value) =>
    Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, field]) => [name, item(field)]));

type Shape = Record<string, Check<unknown>>;
/** Names of the fields that may be absent. */
type Loose<S extends Shape> = {
  [Name in keyof S]: undefined extends Checked<S[Name]> ? Name : never;
}[keyof S];

/** What `record` gives back: what may be absent is so in its type. */
export type Fields<S extends Shape> = {
  [Name in Exclude<keyof S, Loose<S>>]: Checked<S[Name]>;
} & { [Name in Loose<S>]?: Checked<S[Name]> };

/** Exactly these fields: what else there is, is left behind, and what is absent stays absent. */
export function record<S extends Shape>(shape: S): Check<Fields<S>> {
  return (value) => {
    const given = fieldsOf(value);
    const taken: Record<string, unknown> = {};
    for (const [name, check] of Object.entries(shape)) {
      const field = check(Object.hasOwn(given, name) ? given[name] : undefined);
      if (field !== undefined) taken[name] = field;
    }
    return taken as Fields<S>;
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse("record");
  return value as Record<string, unknown>;
}
