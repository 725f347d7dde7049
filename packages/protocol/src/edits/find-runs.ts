/**
 * Where `pattern` stands in `keys`, as indices, overlaps included. Knuth-Morris-Pratt: linear whatever repeats, since
 * files of closing braces are common.
 * @param limit stop after so many.
 */
export function findRuns(
  keys: readonly string[],
  pattern: readonly string[],
  limit = Number.POSITIVE_INFINITY,
): number[] {
  const found: number[] = [];
  if (pattern.length === 0 || pattern.length > keys.length) return found;
  const back = failureTable(pattern);
  let matched = 0;
  for (let at = 0; at < keys.length; at++) {
    while (matched > 0 && keys[at] !== pattern[matched]) matched = back[matched - 1]!;
    if (keys[at] === pattern[matched]) matched++;
    if (matched === pattern.length) {
      found.push(at - matched + 1);
      if (found.length >= limit) break;
      matched = back[matched - 1]!;
    }
  }
  return found;
}

function failureTable(pattern: readonly string[]): number[] {
  const back = [0];
  let length = 0;
  for (let at = 1; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = back[length - 1]!;
    if (pattern[at] === pattern[length]) length++;
    back.push(length);
  }
  return back;
}
