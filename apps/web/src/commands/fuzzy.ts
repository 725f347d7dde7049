/** Characters after which a word begins. */
const SIGN = /[\s/._:()（）「」·-]/;
const begins = (text: string, at: number) => at === 0 || SIGN.test(text[at - 1] ?? "");

/**
 * Scores how well a text matches a query, word by word: each literally, or else its letters in that order. Higher is
 * better; undefined if a word does not match. Matches at the beginning of a word and in a row score more.
 */
export function fuzzy(text: string, query: string): number | undefined {
  const low = text.toLocaleLowerCase();
  let score = -text.length / 20;
  for (const word of query.toLocaleLowerCase().split(/\s+/).filter(Boolean)) {
    const one = scoreOf(low, word);
    if (one === undefined) return undefined;
    score += one;
  }
  return score;
}

function scoreOf(text: string, word: string): number | undefined {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (begins(text, at)) return (at === 0 ? 120 : 100) + word.length;
  if (text.includes(word)) return 60 + word.length;
  let score = 0;
  let last = -1;
  for (const character of word) {
    let at = text.indexOf(character, last + 1);
    if (at < 0) return undefined;
    // The beginning of a later word is more likely intended than the next letter of this one.
    if (at !== last + 1)
      for (let later = at; later >= 0; later = text.indexOf(character, later + 1))
        if (begins(text, later)) {
          at = later;
          break;
        }
    score += at === last + 1 ? 6 : begins(text, at) ? 5 : 1;
    last = at;
  }
  return score;
}
