/** A description of what a page shows. */
export interface Sight {
  title: string;
  /** The language of an HTML document, as it states it. */
  lang?: string;
  rendered: boolean;
  text: string;
  /** The text of a framework's error overlay. */
  overlay?: string;
}

/**
 * Describes what the page shows; used by the probe and the headless browser, so that both judge
 * alike. Includes the texts of open shadow roots and painted backgrounds; a closed shadow root
 * cannot be read, so its host counts. A framework's error overlay is no content, and neither is an
 * element without size.
 *
 * The headless browser passes its text to the page: it uses nothing from outside itself.
 */
export function measure(): Sight {
  const OVERLAYS = "vite-error-overlay,nextjs-portal,#webpack-dev-server-client-overlay";
  const DRAWN =
    /^(img|svg|canvas|video|iframe|object|embed|input|button|select|textarea|progress|meter)$/i;
  const isShown = (element: Element) =>
    !element.checkVisibility || element.checkVisibility({ visibilityProperty: true });
  const isBig = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && isShown(element);
  };
  const hasBackground = (element: Element) => getComputedStyle(element).backgroundImage !== "none";
  const draws = (element: Element) =>
    (element as HTMLImageElement).naturalWidth !== 0 &&
    (DRAWN.test(element.tagName) ||
      (element.tagName.includes("-") && !element.shadowRoot) ||
      hasBackground(element));
  const root = document.documentElement;
  let text = "";
  let rendered = false;
  const walk = (parent: ParentNode) => {
    for (const element of parent.querySelectorAll("*")) {
      if (element.matches(OVERLAYS)) continue;
      if (!rendered && draws(element)) rendered = isBig(element);
      if (!element.shadowRoot) continue;
      for (const child of element.shadowRoot.children)
        if (isShown(child)) text += `${(child as HTMLElement).innerText}\n`;
      walk(element.shadowRoot);
    }
  };
  const page: HTMLElement | null = document.body || root;
  if (page) {
    if (isShown(page)) text = `${page.innerText || ""}\n`;
    walk(page);
    rendered ||= page.tagName === "svg" || hasBackground(page) || hasBackground(root);
  }
  text = text.trim().slice(0, 2000);
  const box = document.querySelector(OVERLAYS);
  const inside = box && (box.shadowRoot || (box as HTMLIFrameElement).contentDocument);
  const overlay =
    inside &&
    [
      ...inside.querySelectorAll<HTMLElement>(
        ".message,.file,.frame,.stack,[data-nextjs-dialog],body",
      ),
    ]
      .map((element) => element.innerText || element.textContent)
      .join("\n")
      .trim()
      .slice(0, 4000);
  return {
    title: document.title.slice(0, 300),
    ...(/html/i.test(document.contentType) && { lang: root.lang.slice(0, 35) }),
    rendered: rendered || text !== "",
    text,
    ...(overlay && { overlay }),
  };
}
