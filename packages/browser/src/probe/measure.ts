/**
 * An expression that runs in the page and describes what it shows; used by the probe and the
 * headless browser, so that both judge alike. Yields `{ title, lang?, rendered, text, overlay? }`.
 * Includes the texts of open shadow roots and painted backgrounds; a closed shadow root cannot be
 * read, so its host counts. A framework's error overlay is no content, and neither is an element
 * without size.
 */
export const MEASURE = String.raw`() => {
  const d = document;
  const overlays = "vite-error-overlay,nextjs-portal,#webpack-dev-server-client-overlay";
  const shown = (e) => !e.checkVisibility || e.checkVisibility({ visibilityProperty: true });
  const big = (e, { width: w, height: h } = e.getBoundingClientRect()) => w > 1 && h > 1 && shown(e);
  const drawn = (e) => getComputedStyle(e).backgroundImage != "none";
  let text = "", rendered = false;
  const walk = (root) => {
    for (const e of root.children) {
      if (root != d.documentElement && root != d.body && shown(e)) text += e.innerText + "\n";
    }
    for (const e of root.querySelectorAll("*")) {
      if (e.matches(overlays)) continue;
      if (!rendered && e.naturalWidth !== 0 && (/^(img|svg|canvas|video|iframe|object|embed|input|button|select|textarea|progress|meter)$/i.test(e.tagName) || (e.tagName.includes("-") && !e.shadowRoot) || drawn(e))) rendered = big(e);
      if (e.shadowRoot) walk(e.shadowRoot);
    }
  };
  const page = d.body || d.documentElement;
  if (page) {
    if (shown(page)) text = (page.innerText || "") + "\n";
    walk(page);
    rendered ||= page.tagName == "svg" || drawn(page) || drawn(d.documentElement);
  }
  text = text.trim().slice(0, 2000);
  const o = d.querySelector(overlays), s = o && (o.shadowRoot || o.contentDocument);
  const overlay = s && [...s.querySelectorAll(".message,.file,.frame,.stack,[data-nextjs-dialog],body")].map((e) => e.innerText || e.textContent).join("\n").trim().slice(0, 4000);
  return { title: d.title.slice(0, 300), ...(/html/i.test(d.contentType) && { lang: d.documentElement.lang.slice(0, 35) }), rendered: rendered || text != "", text, ...(overlay && { overlay }) };
}`;
