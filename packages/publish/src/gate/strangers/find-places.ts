/** Of a link: the page, and the place in it. */
export interface Place {
  page: string;
  place: string;
}

/** What a script holds that may put a place into a page, or does something of its own with a link. */
const DRAWS =
  /innerHTML|outerHTML|insertAdjacent|append|prepend|createElement|cloneNode|replaceWith|document\.write|\.id\s{0,5}=|setAttribute|\bhash(?:change)?\b|preventDefault|\bimport\b/;
const SCRIPT = /<script\b([^<>]{0,1000})>/gi;
const SOURCE = /\ssrc\s{0,3}=\s{0,3}(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'>]{1,1000}))/i;
const ID = /\s(?:id|name)\s{0,3}=\s{0,3}(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'>]{1,1000}))/gi;
/** Programs keep what they show in it: `#/about`, `#!about`, `#tab=2`, `#:~:text=`. No place is called so. */
const STATE = /[/!=:?&]/;

/** @param hash as a link has it, with its `#` */
export function placeIn(hash: string): string | undefined {
  const place = hash.slice(1);
  // Browsers go to the beginning for these.
  return place === "" || /^top$/i.test(place) || STATE.test(place) ? undefined : place;
}

/**
 * Whether a page has such a place for certain not: one that a script may draw is not judged.
 * @param scriptOf the text of a script of the page by its address; undefined where it is not known
 */
export function lacksPlace(
  html: string,
  place: string,
  scriptOf: (address: string) => string | undefined,
): boolean {
  const names = new Set([place, decoded(place)]);
  for (const [, double, single, bare] of html.matchAll(ID))
    if (names.has((double ?? single ?? bare ?? "").replaceAll("&amp;", "&"))) return false;
  const lower = html.toLowerCase();
  for (const { 0: all, 1: attributes = "", index } of html.matchAll(SCRIPT)) {
    const [, double, single, bare] = SOURCE.exec(attributes) ?? [];
    const source = double ?? single ?? bare;
    const from = index + all.length;
    const end = lower.indexOf("</script", from);
    const text =
      source === undefined ? html.slice(from, end < 0 ? undefined : end) : scriptOf(source);
    if (text === undefined || DRAWS.test(text)) return false;
  }
  return true;
}

function decoded(place: string): string {
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}
