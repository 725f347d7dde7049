/** Small checks of which those of whole frames are made. Each gives the value back with its type, or throws. */

export type ValueCheck<T> = (value: unknown) => T;

/** What a check gives back. */
export type Checked<C extends ValueCheck<unknown>> = ReturnType<C>;

export class FrameError extends Error {
  override name = "FrameError";
}

const refuse = (what: string): never => {
  throw new FrameError(`a frame between host and guest holds no ${what}`);
};

/** Longest text of any field; what is longer travels as bytes. */
const MAX_TEXT = 64 * 1024;

export const text =
  (most = MAX_TEXT): ValueCheck<string> =>
  (value) =>
    typeof value === "string" && value.length <= most ? value : refuse("short text");

export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): ValueCheck<number> =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : refuse(`number from ${least} to ${most}`);

export const yesOrNo: ValueCheck<boolean> = (value) =>
  typeof value === "boolean" ? value : refuse("yes or no");

/** True, or absent; false is as good as absent. */
export const flag: ValueCheck<true | undefined> = (value) =>
  value === undefined || !yesOrNo(value) ? undefined : true;

export const oneOf =
  <T extends string>(...words: readonly T[]): ValueCheck<T> =>
  (value) =>
    words.includes(value as T) ? (value as T) : refuse(`one of ${words.join(", ")}`);

export const matching =
  (pattern: RegExp): ValueCheck<string> =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? value : refuse(`text like ${pattern}`);

export const list =
  <T>(item: ValueCheck<T>, most: number): ValueCheck<T[]> =>
  (value) =>
    Array.isArray(value) && value.length <= most ? value.map(item) : refuse("short list");

/** May be absent; null is not. */
export const maybe =
  <T>(check: ValueCheck<T>): ValueCheck<T | undefined> =>
  (value) =>
    value === undefined ? undefined : check(value);

/** Names that are not known beforehand, each with the same kind of value. */
export const byName =
  <T>(item: ValueCheck<T>): ValueCheck<Record<string, T>> =>
  (value) =>
    Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, field]) => [name, item(field)]));

type Shape = Record<string, ValueCheck<unknown>>;
/** Names of the fields that may be absent. */
type Loose<S extends Shape> = {
  [Name in keyof S]: undefined extends Checked<S[Name]> ? Name : never;
}[keyof S];

/** What `record` gives back: what may be absent is so in its type. */
export type Fields<S extends Shape> = {
  [Name in Exclude<keyof S, Loose<S>>]: Checked<S[Name]>;
} & { [Name in Loose<S>]?: Checked<S[Name]> };

/** Exactly these fields: what else there is, is left behind, and what is absent stays absent. */
export function record<S extends Shape>(shape: S): ValueCheck<Fields<S>> {
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
