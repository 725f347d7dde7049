/**
 * Small validators that those of whole frames are composed of. Each returns the value with its
 * type, or throws.
 */

export type ValueCheck<T> = (value: unknown) => T;

/** The type that a validator returns. */
export type Checked<C extends ValueCheck<unknown>> = ReturnType<C>;

export class FrameError extends Error {
  override name = "FrameError";
}

const refuse = (what: string): never => {
  throw new FrameError(`a frame between host and guest holds no ${what}`);
};

/** Maximum length of a text field; longer text is sent as bytes. */
const MAX_TEXT = 64 * 1024;

export const text =
  (most = MAX_TEXT): ValueCheck<string> =>
  (value) =>
    typeof value === "string" && value.length <= most ? value : refuse("short text");

/** Text of any length, or a number. */
export const textOrNumber: ValueCheck<string | number> = (value) =>
  typeof value === "string" || typeof value === "number" ? value : refuse("text or number");

export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): ValueCheck<number> =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : refuse(`number from ${least} to ${most}`);

export const yesOrNo: ValueCheck<boolean> = (value) =>
  typeof value === "boolean" ? value : refuse("yes or no");

/** True or absent; false is read as absent. */
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

/** Accepts an absent value, but not null. */
export const maybe =
  <T>(check: ValueCheck<T>): ValueCheck<T | undefined> =>
  (value) =>
    value === undefined ? undefined : check(value);

/** An object with arbitrary keys and values of one type. */
export const byName =
  <T>(item: ValueCheck<T>): ValueCheck<Record<string, T>> =>
  (value) =>
    Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, field]) => [name, item(field)]));

type Shape = Record<string, ValueCheck<unknown>>;
/** Keys of the optional fields. */
type Loose<S extends Shape> = {
  [Name in keyof S]: undefined extends Checked<S[Name]> ? Name : never;
}[keyof S];

/** The type that `record` returns, with optional fields marked as such. */
export type Fields<S extends Shape> = {
  [Name in Exclude<keyof S, Loose<S>>]: Checked<S[Name]>;
} & { [Name in Loose<S>]?: Checked<S[Name]> };

/** An object with exactly these fields: unknown ones are dropped, and absent ones stay absent. */
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
