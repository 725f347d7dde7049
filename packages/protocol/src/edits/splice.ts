/** Items that may be given as arguments at once; far below what engines take. */
const ARGUMENT_LIMIT = 10_000;

/** As `Array.prototype.splice`, for any number of items; the array that results may be another one. */
export function splice<T>(array: T[], at: number, removed: number, items: readonly T[]): T[] {
  if (items.length > ARGUMENT_LIMIT)
    return array.slice(0, at).concat(items, array.slice(at + removed));
  array.splice(at, removed, ...items);
  return array;
}
