import { ACTS } from "@treadle/browser";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import { lacksPlace, placeIn, type Place } from "./find-places.ts";
import { isHtml, type Answer, type Ask } from "./ask.ts";
import { findSecrets } from "../secrets/find-secrets.ts";
import type { Found, GateFile, NamedValue } from "../types.ts";

const MB = 1024 * 1024;
/** Number of files named for a page that is too heavy. */
const HEAVIEST = 3;
/**
 * Maximum number of the page's files, of linked pages (at any distance), and of anchors in these.
 */
const MOST = { files: 80, links: 40, places: 200 };
/** Maximum number of characters in which elements are searched. */
const MOST_READ = 500_000;
const TAG =
  /<(a|area|object|embed|link|script|img|source|video|audio|html|iframe)\b([^>]{0,1000})>/gi;
const IN_USE = /\brel=["']?(?:stylesheet|modulepreload|preload|icon|manifest)/i;

/**
 * Checks the first page as an anonymous visitor gets it: its files and links, its weight, and what
 * it reveals.
 * @param firstPageMB maximum transfer size with all its files, in megabytes
 */
export async function checkPage(
  ask: Ask,
  { isApp, own, firstPageMB }: { isApp: boolean; own: readonly NamedValue[]; firstPageMB: number },
): Promise<Found[]> {
  const { page, at, cookies } = await firstAnswer(ask);
  if (!page || !isHtml(page) || page.status !== 200) return [];
  const { files, chosen, painted, links, places, found } = readPage(page.text, at);
  const weights: [path: string, bytes: number][] = [[at, page.bytes]];
  const read: GateFile[] = [{ path: at, text: page.text }];
  let left = MOST.files;
  const want = async (path: string): Promise<Answer | undefined> => {
    left--;
    const answer = await ask(path);
    if (!isGone(answer)) return answer;
    found.push(notify(sentence("gate-file-gone"), path, sentence("gate-do-file")));
    return undefined;
  };
  // The files that a stylesheet refers to are added to those that the loop below requests.
  const take = async (path: string): Promise<number> => {
    const answer = await want(path);
    if (!answer || !isText(answer)) return answer?.bytes ?? 0;
    read.push({ path, text: answer.text });
    if (/^text\/css\b/i.test(answer.headers["content-type"] ?? "")) {
      const inside = readStyle(answer.text.slice(0, MOST_READ), path);
      for (const one of inside.files) files.add(one);
      for (const one of inside.chosen) chosen.add(one);
      for (const one of inside.painted) painted.add(one);
    }
    return answer.bytes;
  };
  for (const path of files) if (left > 0) weights.push([path, await take(path)]);
  // A browser picks one of several sizes, and only the needed pictures and fonts of a stylesheet;
  // none is weighed, except for a picture that is too large for any use.
  for (const path of chosen) {
    if (left <= 0 || files.has(path)) continue;
    const bytes = (await want(path))?.bytes ?? 0;
    if (painted.has(path) && bytes > firstPageMB * MB) weights.push([path, bytes]);
  }
  const scripts = new Map(read.slice(1).map(({ path, text }) => [path, text]));
  const followed = await followLinks(ask, { links, places, at, page: page.text, scripts });
  found.push(...followed.found);
  // Files of further pages are neither weighed nor requested twice.
  for (const path of followed.files) {
    if (left <= 0) break;
    if (files.has(path) || chosen.has(path)) continue;
    files.add(path);
    await take(path);
  }
  const weight = weights.reduce((sum, [, bytes]) => sum + bytes, 0);
  if (weight > firstPageMB * MB)
    found.push(
      notify(
        sentence("gate-weight", { size: megabytes(weight), budget: String(firstPageMB) }),
        heaviest(weights),
        sentence("gate-do-weight"),
      ),
    );
  // A static site's headers are Treadle's, and its files were already searched.
  if (!isApp) return found;
  const behind = await filesBehind(ask, read);
  return [
    ...found,
    ...checkHeaders(page),
    ...checkCookies("/", cookies),
    ...(await findSecrets([...read, ...followed.read, ...behind], "output", own)),
  ];
}

/** Maximum number of redirects from `/` to the first page. */
const MOST_STEPS = 3;

/** The page that a visitor sees: many apps redirect from `/`, for example to a sign-in. */
export async function firstAnswer(
  ask: Ask,
): Promise<{ page: Answer | undefined; at: string; cookies: string[] }> {
  const cookies: string[] = [];
  let at = "/";
  for (let left = MOST_STEPS; ; left--) {
    const page = await ask(at);
    cookies.push(...(page?.headers["set-cookie"] ?? []));
    const leads = page && page.status >= 300 && page.status < 400 && page.headers.location;
    // Some redirect to their own supposed address.
    const next = leads ? ownPath(leads.replace(/^https?:\/\/localhost(?::\d+)?(?=\/|$)/, ""), at) : undefined; // prettier-ignore
    if (next === undefined || left <= 0) return { page, at, cookies };
    at = next;
  }
}

/** Maximum number of files that scripts load later, and of source maps. */
const MOST_BEHIND = 40;
const BEHIND =
  /["'`]((?:\.{0,2}\/)?(?:[\w@.-]{1,100}\/){0,6}[\w@.-]{1,100}\.m?js)["'`]|\/[/*][#@] sourceMappingURL=([^\s'"*]{1,500})/g;

async function filesBehind(ask: Ask, read: readonly GateFile[]): Promise<GateFile[]> {
  const known = new Set(read.map(({ path }) => path));
  const found: GateFile[] = [];
  let left = MOST_BEHIND;
  const scripts = read.filter(({ path }) => SCRIPT.test(path));
  // Files found on the way are searched as well.
  for (const { path: by, text } of scripts)
    for (const [, script, map] of text.matchAll(BEHIND)) {
      const resource = script ?? map ?? "";
      // Vite gives paths relative to the site's base, other bundlers relative to the script.
      for (const path of [ownPath(resource, by), ownPath(resource, "/")]) {
        if (path === undefined || known.has(path) || left-- <= 0) continue;
        known.add(path);
        const answer = await ask(path);
        if (answer?.status !== 200 || isHtml(answer) || !isText(answer)) continue;
        found.push({ path, text: answer.text });
        if (script !== undefined) scripts.push({ path, text: answer.text });
        break;
      }
    }
  return found;
}

const SCRIPT = /\.m?js(?:\?|$)/;

const megabytes = (bytes: number) => (bytes / MB).toFixed(1);

const heaviest = (weights: readonly [path: string, bytes: number][]): string =>
  weights
    .filter(([, bytes]) => bytes >= MB / 20)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, HEAVIEST)
    .map(([path, bytes]) => `${path.slice(0, 100)} (${megabytes(bytes)} MB)`)
    .join(", ") || "/";

/** Attributes of a link that acts as a button. */
const IS_BUTTON = /\s(?:on\w{1,30}|role|data-[\w-]{0,40}(?:toggle|target|dismiss|action))\s{0,3}=/i;

/** Follows links breadth-first, up to the limit. */
async function followLinks(
  ask: Ask,
  first: Pick<Read, "links" | "places"> & {
    at: string;
    page: string;
    scripts: ReadonlyMap<string, string>;
  },
): Promise<{ found: Found[]; files: Set<string>; read: GateFile[] }> {
  const found: Found[] = [];
  const files = new Set<string>();
  const known = new Set(first.links);
  const places = [...first.places];
  const pages = new Map([[first.at, first.page]]);
  let asked = 0;
  // Pages found on the way are followed as well.
  for (const path of known) {
    if (asked++ >= MOST.links) break;
    const answer = await ask(path);
    if (isGone(answer))
      found.push(notify(sentence("gate-link-gone"), path, sentence("gate-do-link")));
    else if (answer?.status === 200 && isHtml(answer) && !/<base\b/i.test(answer.text)) {
      const further = readPage(answer.text, path);
      for (const one of further.links) known.add(one);
      for (const one of [...further.files, ...further.chosen]) files.add(one);
      places.push(...further.places);
      pages.set(path, answer.text);
    }
  }
  const gone = new Map<string, Found>();
  for (const { page, place } of places.slice(0, MOST.places)) {
    const text = pages.get(page);
    const where = `${page}#${place.slice(0, 100)}`;
    if (text === undefined || gone.has(where)) continue;
    const scriptOf = (address: string) => first.scripts.get(ownPath(address, page) ?? "");
    if (lacksPlace(text.slice(0, MOST_READ), place, scriptOf))
      gone.set(
        where,
        notify(sentence("gate-no-place"), where, "Give the target that id, or change the link."),
      );
  }
  const read = [...pages].slice(1).map(([path, text]) => ({ path, text }));
  return { found: [...found, ...gone.values()], files, read };
}

const notify = (title: string | Sentence, where: string, todo: string | Sentence): Found =>
  finding({
    check: "page",
    severity: "minor",
    title,
    where,
    todo,
  });

/** Whether a file or page is missing: no answer, a 404 or 410, or a server error. */
export const isGone = (answer: Answer | undefined) =>
  answer === undefined || answer.status === 404 || answer.status === 410 || answer.status >= 500;

const isText = ({ headers }: Answer) =>
  /text|javascript|json|xml/i.test(headers["content-type"] ?? "");

/** The page's resources and links on its own host, and its accessibility problems. */
function readPage(html: string, at: string): Read {
  const read = html.slice(0, MOST_READ);
  const styled = withoutScripts(read, NO_MARKUP);
  const inline = [...styled.matchAll(STYLED)].map(([, double, single]) =>
    (double ?? single ?? "").replace(/&quot;|&#3[49];/g, '"'),
  );
  const sheets = [...styled.matchAll(STYLE)].map(([, style]) => style);
  const { files, chosen, painted } = readStyle([...sheets, ...inline].join("\n"), at);
  const links = new Set<string>();
  const places: Place[] = [];
  const found: Found[] = [];
  const bare = withoutScripts(read, NO_ELEMENTS);
  for (const [, tag = "", attributes = ""] of bare.matchAll(TAG)) {
    const name = tag.toLowerCase();
    const address = attribute(attributes, ADDRESSES[name] ?? "src");
    const path = ownPath(address, at);
    const place = name === "a" && !IS_BUTTON.test(attributes) ? placeOf(address, at) : undefined;
    if (place) places.push(place);
    if (path !== undefined && path !== "/") {
      if (name === "a" || name === "area") {
        if (!ACTS.test(path) && attribute(attributes, "download") === undefined) links.add(path);
      } else if (isFetchedLater(name, attributes)) chosen.add(path);
      else if (name !== "link" || IN_USE.test(attributes)) files.add(path);
    }
    const other = [
      attribute(attributes, "poster"),
      ...sizesIn(attribute(attributes, name === "link" ? "imagesrcset" : "srcset")),
    ];
    for (const each of other) add(chosen, ownPath(each, at));
    if (name === "img" && attribute(attributes, "alt") === undefined)
      found.push(
        notify(
          sentence("gate-no-alt"),
          `/ ${(attribute(attributes, "src") ?? "").slice(0, 100)}`.trim(),
          sentence("gate-do-alt"),
        ),
      );
    if (name === "html" && attribute(attributes, "lang") === undefined)
      found.push(
        notify(
          sentence("gate-no-language"),
          "/",
          "Write it into the first element, such as <html lang=“en”>: screen readers choose their voice by it.",
        ),
      );
  }
  return { files, chosen, painted, links: [...links], places, found };
}

/** Whether a resource is not loaded with the page: media is loaded when played, lazy content when it comes near. */
const isFetchedLater = (name: string, attributes: string) =>
  /^(?:video|audio|source)$/.test(name)
    ? attribute(attributes, "autoplay") === undefined
    : /^(?:img|iframe)$/.test(name) && /^lazy$/i.test(attribute(attributes, "loading") ?? "");

/** Attributes with an element's address, if it is not `src`. */
const ADDRESSES: Record<string, string> = { a: "href", area: "href", link: "href", object: "data" };

/** Resources without which a page cannot be drawn, and those of which a browser picks some. */
interface Wanted {
  files: Set<string>;
  chosen: Set<string>;
  /** Those of `chosen` to which a style refers, such as background pictures. */
  painted: Set<string>;
}

interface Read extends Wanted {
  links: string[];
  places: Place[];
  found: Found[];
}

const add = (to: Set<string>, path: string | undefined) =>
  void (path === undefined || to.add(path));

const NO_ELEMENTS = /<!--|<(script|style|template)\b[^<>]{0,1000}>/gi;
const NO_MARKUP = /<!--|<(script|template)\b[^<>]{0,1000}>/gi;
const STYLED = /\sstyle\s{0,3}=\s{0,3}(?:"([^"]{1,5000})"|'([^']{1,5000})')/gi;
const STYLE = /<style\b[^<>]{0,1000}>([^<]*)/gi;
const IMPORT = /@import\s{1,5}(?:url\(\s{0,5})?["']?([^"'()\s;]{1,1000})/gi;
const URLS =
  /\burl\(\s{0,5}(?:"([^"\n]{1,1000})"|'([^'\n]{1,1000})'|([^"'()\s]{1,1000}))\s{0,5}\)/gi;

const addressesIn = (style: string): string[] =>
  [...style.matchAll(URLS)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");

/** The addresses in a `srcset`, without their sizes; none if it contains data URLs. */
const sizesIn = (srcset = ""): string[] =>
  // A data URL contains commas.
  srcset.includes("data:")
    ? []
    : srcset.split(/,\s|,$/).map((one) => one.trim().split(/\s/, 1)[0]!);

function readStyle(text: string, at: string): Wanted {
  const style = text
    .replace(/\/\*[^]*?(?:\*\/|$)/g, "")
    // A browser picks one of several font formats.
    .replace(/@font-face\s{0,10}\{[^{}]{0,5000}\}/gi, (face) =>
      addressesIn(face).length > 1 ? "" : face,
    );
  const [files, chosen] = [new Set<string>(), new Set<string>()];
  for (const [, address] of style.matchAll(IMPORT)) add(files, ownPath(address, at));
  for (const address of addressesIn(style)) add(chosen, ownPath(address, at));
  return { files, chosen, painted: new Set(chosen) };
}

/** Removes comments and the content of the elements in `left` in a single pass, even if they are unclosed. */
function withoutScripts(html: string, left: RegExp): string {
  // Lower-casing other alphabets may change the length.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let text = "";
  let at = 0;
  for (const opening of html.matchAll(left)) {
    if (opening.index < at) continue;
    const [all, name] = opening;
    const inside = opening.index + all.length;
    text += html.slice(at, name === undefined ? opening.index : inside);
    const end = lower.indexOf(name === undefined ? "-->" : `</${name.toLowerCase()}`, inside);
    if (end < 0) return text;
    at = end + (name === undefined ? 3 : 0);
  }
  return text + html.slice(at);
}

function attribute(attributes: string, name: string): string | undefined {
  const shape = new RegExp(`(?:^|\\s)${name}(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+)))?(?=[\\s/]|$)`, "i"); // prettier-ignore
  const match = shape.exec(attributes);
  return match ? (match[1] ?? match[2] ?? match[3] ?? "") : undefined;
}

const HERE = "http://here.invalid";

function ownPath(address: string | undefined, at: string): string | undefined {
  if (address === undefined || address === "" || address.startsWith("#")) return undefined;
  const decoded = address.replaceAll("&amp;", "&");
  if (!URL.canParse(decoded, HERE + at)) return undefined;
  const { origin, pathname, search } = new URL(decoded, HERE + at);
  return origin === HERE ? pathname + search : undefined;
}

function placeOf(address: string | undefined, at: string): Place | undefined {
  const decoded = address?.replaceAll("&amp;", "&");
  if (!decoded?.includes("#") || !URL.canParse(decoded, HERE + at)) return undefined;
  const { origin, pathname, search, hash } = new URL(decoded, HERE + at);
  const place = origin === HERE ? placeIn(hash) : undefined;
  return place === undefined ? undefined : { page: pathname + search, place };
}

function checkHeaders({ headers }: Answer): Found[] {
  const policy = String(headers["content-security-policy"] ?? "");
  const missing = [
    headers["x-content-type-options"] === "nosniff" ? [] : ["X-Content-Type-Options: nosniff"],
    headers["x-frame-options"] !== undefined || policy.includes("frame-ancestors")
      ? []
      : ["Content-Security-Policy: frame-ancestors 'self'"],
  ].flat();
  const found: Found[] = [];
  if (missing.length > 0)
    found.push(
      finding({
        check: "headers",
        severity: "minor",
        title: sentence("gate-headers"),
        where: "/",
        todo: sentence("gate-do-headers", { headers: missing.join(" and ") }),
      }),
    );
  return found;
}

/**
 * Finds session cookies that scripts can read.
 * @param lines `Set-Cookie` headers of an answer at that path
 */
export function checkCookies(path: string, lines: readonly string[] = []): Found[] {
  return lines.flatMap((cookie) => {
    const name = cookie.slice(0, Math.max(0, cookie.indexOf("=")));
    const isSession = /sess|sid$|auth|token|jwt/i.test(name) && !/csrf|xsrf/i.test(name);
    if (
      !isSession ||
      /;\s*httponly/i.test(cookie) ||
      /=(?:;|$)/.test(cookie.slice(0, name.length + 2))
    )
      return [];
    return [
      finding({
        check: "headers",
        severity: "minor",
        title: sentence("gate-cookie"),
        where: `${path} ${name.slice(0, 60)}`,
        todo: sentence("gate-do-cookie"),
      }),
    ];
  });
}
