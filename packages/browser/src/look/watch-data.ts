import type { Page } from "playwright-core";

/** Milliseconds, of the page's time, after an answer that did not come in which a page says so. */
const SOON_MS = 150;
/** Changes of text that are held, and characters of the texts that are told. */
const CHANGES = 500;
const CHARS = 200;
const NAME = 'Symbol.for("treadle.texts")';

/**
 * Runs before a page's own scripts, and notes when the page puts text where. What follows at once on data that did not
 * come is there for want of it, in whatever language.
 */
const WATCH = `{
  const changes = [];
  new MutationObserver((records) => {
    const at = performance.now();
    for (const { type, target, addedNodes } of records) {
      if (changes.length >= ${CHANGES}) changes.shift();
      if (type == "characterData") changes.push({ at, node: target });
      else for (const node of addedNodes) if (node.textContent?.trim()) changes.push({ at, node });
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
  window[${NAME}] = changes;
}`;

const READ = `(async () => {
  // Entries are told of a little later than the answers themselves.
  const failed = performance.getEntriesByType("resource").filter(({ name, initiatorType, responseStatus, transferSize, decodedBodySize }) =>
    /^(fetch|xmlhttprequest)$/.test(initiatorType) && URL.parse(name)?.host != location.host &&
    decodedBodySize == 0 && (responseStatus == 0 || responseStatus == 403 || responseStatus == 502));
  if (failed.length == 0) return;
  const isShown = (node) => {
    const element = node.nodeType == 1 ? node : node.parentElement;
    return node.isConnected && element?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest("script,style,noscript,title,head");
  };
  const soon = ({ at }) => failed.some(({ responseEnd }) => at >= responseEnd - 1 && at <= responseEnd + ${SOON_MS});
  const texts = (window[${NAME}] ?? []).filter((change) => soon(change) && isShown(change.node))
    .map(({ node }) => (node.innerText ?? node.textContent).trim().replace(/\\s+/g, " "));
  return [...new Set(texts.filter((text) => /\\p{L}/u.test(text)))].join(" ").slice(0, ${CHARS}) || undefined;
})()`;

/** Has to be waited for before the page is opened. */
export const watchData = (page: Page) => page.addInitScript(WATCH);

/**
 * Text that a page put there as soon as data of another host did not come; undefined where it did nothing of the kind, or
 * was not watched.
 */
export const textInPlaceOfData = (page: Page): Promise<string | undefined> =>
  page.evaluate<string | undefined>(READ).catch(() => undefined);
