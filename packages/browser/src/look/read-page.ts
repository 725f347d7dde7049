/** Links of its own that are told of a page. */
const LINKS = 20;
/** Texts that are looked at closely. */
const TEXTS = 400;
/** Of those that may not be readable, so many are compared with the picture. */
const BOXES = 30;
/** How far colours lie apart, of 255, that nobody takes for one. */
export const APART = 10;
/** The same for a text and its ground: black on the dark canvas is 18 away from it. */
export const READABLE = 24;
/** Characters by which a text is named. */
const NAMED = 60;

/** What the looking browser finds out beyond what the probe can: see `READ_PAGE`. */
export interface PageReading {
  /** Something shows for certain: a text that differs from its ground, a picture, a field. */
  certain: boolean;
  /** Where texts stand that may have the colour of their ground, from the document's corner on. */
  doubtful: Doubtful[];
  /** Something moves or glows that is called after waiting. */
  waits: boolean;
  /** Path and query of what is linked to on the same host. */
  links: string[];
}

/** `faded`: it is not meant to be seen as the page stands (a menu that shows when it is pointed at). */
interface Doubtful {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  faded: boolean;
}

/**
 * An expression that is run in the page. Canvases, frames and grounds are not judged here: whether something is drawn in
 * them only a picture shows.
 */
export const READ_PAGE = String.raw`() => {
  const d = document, seen = new Map(), doubtful = [];
  const overlays = "vite-error-overlay,nextjs-portal,#webpack-dev-server-client-overlay";
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const above = (e) => e.assignedSlot || e.parentElement || (e.getRootNode().host ?? null);
  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    if (!seen.has(text)) {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = text;
      paint.fillRect(0, 0, 1, 1);
      seen.set(text, paint.getImageData(0, 0, 1, 1).data);
    }
    return seen.get(text);
  };
  const readable = (e) => {
    const ink = colour(getComputedStyle(e).webkitTextFillColor);
    let ground = canvas;
    for (let at = e; at; at = above(at)) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      if (backgroundImage != "none") return true;
      const [r, g, b, a] = colour(backgroundColor);
      if (a > 230) { ground = [r, g, b]; break; }
    }
    return ink[3] > 20 && ground.some((value, i) => Math.abs(value - ink[i]) * ink[3] / 255 > ${READABLE});
  };
  // What lies under a page without a background has the colour scheme that the page says it knows.
  const said = getComputedStyle(d.documentElement).colorScheme;
  const knows = said == "normal" ? (d.querySelector("meta[name=color-scheme i]")?.content ?? "") : said;
  const isDark = /\bdark\b/.test(knows) && (!/\blight\b/.test(knows) || matchMedia("(prefers-color-scheme: dark)").matches);
  const canvas = isDark ? [18, 18, 18] : [255, 255, 255];
  let certain = false, texts = 0;
  const walk = (root) => {
    const nodes = d.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node.nodeType == 1 && (node.matches(overlays) || /^(script|style|template|noscript|title|head)$/i.test(node.tagName)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let node = nodes.nextNode(); node && texts <= ${TEXTS}; node = nodes.nextNode()) {
      if (node.nodeType == 3) {
        const e = node.parentElement ?? root.host;
        if (!e || !node.data.trim()) continue;
        texts++;
        const range = d.createRange();
        range.selectNodeContents(node);
        const { left, top, width, height } = range.getBoundingClientRect();
        if (width < 1 || height < 1) continue;
        const faded = !shown(e);
        if (!faded && readable(e)) certain = true;
        else if (doubtful.length < ${BOXES} && e.checkVisibility({ visibilityProperty: true }))
          doubtful.push({ x: left + scrollX, y: top + scrollY, width, height, faded, text: node.data.trim().replace(/\s+/g, " ").slice(0, ${NAMED}) });
      } else {
        if (!certain && node.naturalWidth !== 0 && /^(img|svg|video|object|embed|input|button|select|textarea|progress|meter)$/i.test(node.tagName) && shown(node)) {
          const r = node.getBoundingClientRect();
          certain = r.width > 1 && r.height > 1;
        }
        if (node.shadowRoot) walk(node.shadowRoot);
      }
    }
  };
  if (d.documentElement) walk(d.documentElement);
  const links = new Set();
  for (const a of d.querySelectorAll("a[href]")) {
    if (links.size == ${LINKS}) break;
    if (a.origin != location.origin || !shown(a) || /^#/.test(a.getAttribute("href"))) continue;
    const path = a.pathname + a.search;
    if (path != location.pathname + location.search) links.add(path);
  }
  const waits = [...d.querySelectorAll('[aria-busy="true"],[role="progressbar"],[class*="spinner" i],[class*="loader" i],[class*="loading" i],[class*="skeleton" i]')].some(shown);
  return { certain, doubtful, waits, links: [...links] };
}`;
