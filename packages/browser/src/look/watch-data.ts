import type { Page } from "playwright-core";

/** Milliseconds of page time after a failed answer within which a page shows a message about it. */
const SOON_MS = 150;
/** Maximum number of recorded text changes, and length of the reported texts in characters. */
const CHANGES = 500;
const CHARS = 200;
const NAME = 'Symbol.for("treadle.texts")';

/**
 * Runs before a page's own scripts, and records when the page changes text where. Text that appears
 * right after a failed request replaces its data, in any language.
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
  // Entries appear a little later than the answers themselves.
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

/** Starts the recording of text changes. Await it before the page is opened. */
export const watchData = (page: Page) => page.addInitScript(WATCH);

/**
 * The text that a page shows instead of data from another host; undefined if there is none, or the
 * page was not watched.
 */
export const textInPlaceOfData = (page: Page): Promise<string | undefined> =>
  page.evaluate<string | undefined>(READ).catch(() => undefined);
