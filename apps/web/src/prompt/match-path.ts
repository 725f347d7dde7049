/**
 * Scores how well a path matches a query: its characters in that order, anywhere. Higher is better; undefined if it does
 * not match. Matches in the file name, at the beginning of a word and in a row score more; short paths beat long ones, and
 * files beat folders.
 */
export function matchPath(path: string, query: string): number | undefined {
  if (query === "") return 0;
  const low = path.toLowerCase();
  const lowQuery = query.toLowerCase();
  const folder = low.endsWith("/") ? 10 : 0;
  const name = low.slice(0, low.endsWith("/") ? -1 : undefined).lastIndexOf("/") + 1;
  const position = low.lastIndexOf(lowQuery);
  if (position >= 0)
    return (
      1_000 + (position >= name ? 500 : 0) + (position === name ? 200 : 0) - path.length - folder
    );
  let score = 0;
  let at = -1;
  for (const character of lowQuery) {
    const next = low.indexOf(character, at + 1);
    if (next < 0) return undefined;
    const begins = next === 0 || /[/._-]/.test(low[next - 1]!) || path[next] !== low[next];
    score += next === at + 1 ? 8 : begins ? 6 : next >= name ? 2 : 1;
    at = next;
  }
  return score - path.length / 10;
}
