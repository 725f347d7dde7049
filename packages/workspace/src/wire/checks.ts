/** Small checks of which those of whole frames are made. Each gives the value back with its type, or throws. */

export type Check<T> = (value: unknown) => T;

export class FrameError extends Error {
  override name = "FrameError";
}

const refuse = (what: string): never => {
  throw new FrameError(`a frame of the guest holds no ${what}`);
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

/** Exactly these fields: what else there is, is left behind, and what is absent stays absent. */
export function record<Shape extends Record<string, Check<unknown>>>(
  shape: Shape,
): Check<{ [Name in keyof Shape]: ReturnType<Shape[Name]> }> {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) refuse("record");
    const given = value as Record<string, unknown>;
    const taken: Record<string, unknown> = {};
    for (const [name, check] of Object.entries(shape)) {
      const field = check(Object.hasOwn(given, name) ? given[name] : undefined);
      if (field !== undefined) taken[name] = field;
    }
    return taken as { [Name in keyof Shape]: ReturnType<Shape[Name]> };
  };
}
