/** The target of a link: the page, and the anchor in it. */
export interface Place {
  page: string;
  place: string;
}

/** Signs that a script may create anchors, or handle links itself. */
const DRAWS =
  /innerHTML|outerHTML|insertAdjacent|append|prepend|createElement|cloneNode|replaceWith|document\.write|\.id\s{0,5}=|setAttribute|\bhash(?:change)?\b|preventDefault|\bimport\b/;
const SCRIPT = /<script\b([^<>]{0,1000})>/gi;
const SOURCE = /\ssrc\s{0,3}=\s{0,3}(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'>]{1,1000}))/i;
const ID = /\s(?:id|name)\s{0,3}=\s{0,3}(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'>]{1,1000}))/gi;
/**
 * Hashes in which programs keep state: `#/about`, `#!about`, `#tab=2`, `#:~:text=`. Anchors have no
 * such names.
 */
const STATE = /[/!=:?&]/;

/** The anchor that a link names; undefined if it names none. @param hash of the link, including `#` */
export function placeIn(hash: string): string | undefined {
  const place = hash.slice(1);
  // Browsers scroll to the top for these.
  return place === "" || /^top$/i.test(place) || STATE.test(place) ? undefined : place;
}

/**
 * Whether a page certainly lacks an anchor; pages in which a script may create it are not judged.
 * @param scriptOf returns the text of a script by its address, or undefined if unknown
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
