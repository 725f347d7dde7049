/** Maximum number of the page's own links reported. */
const LINKS = 20;
/** Maximum number of texts examined. */
const TEXTS = 400;
/** Maximum number of doubtful texts compared with the picture. */
const BOXES = 30;
/** Colour difference, of 255, from which on two colours are distinguishable. */
export const APART = 10;
/** The same for a text and its background: black differs by 18 from the dark canvas. */
export const READABLE = 24;
/** Number of characters by which a text is named. */
const NAMED = 60;

/** What the looking browser reads beyond the probe: see `READ_PAGE`. */
export interface PageReading {
  /**
   * Whether something is certainly visible: a text that differs from its background, a picture, a
   * field.
   */
  certain: boolean;
  /** Positions of texts that may have the colour of their background, relative to the document. */
  doubtful: Doubtful[];
  /** Whether an animated element has a name that suggests loading. */
  waits: boolean;
  /** Path and query of links to the same host. */
  links: string[];
}

/** `faded`: intentionally invisible in the page's current state (a menu shown on hover). */
interface Doubtful {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  faded: boolean;
}

/**
 * An expression that runs in the page. Canvases, frames and backgrounds are not judged here, as
 * only a picture shows their content.
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
  // A page without a background shows the canvas of the colour scheme that it declares.
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
