/** A style sheet with tokens that a person tries. */
interface Tried {
  sheet: CSSStyleSheet;
  /** The names of the tokens that it sets. */
  names: string[];
  /** Whether the person still tries it; otherwise it is removed as soon as the page looks the same without it. */
  stays: boolean;
}

/**
 * Applies design tokens that a person tries before they are saved, as a style sheet after the
 * page's own. When they are removed, the last values stay until the page looks the same without
 * them, as a dev server needs a moment to deliver the saved ones.
 * @returns a function that applies a style sheet, or removes it if it is empty; `back` restores the page's values at
 * once
 */
export function createDesignTrial(): (trial: { css?: unknown; back?: unknown }) => void {
  let tried: Tried | undefined;
  const rootValues = ({ names }: Tried) => {
    const style = getComputedStyle(document.documentElement);
    return names.map((name) => style.getPropertyValue(name).trim()).join("\n");
  };
  /** Removes the sheet, unless the page looks different without it. */
  const leave = (one: Tried) => {
    const { sheet } = one;
    const before = rootValues(one);
    sheet.disabled = true;
    if (rootValues(one) !== before) {
      sheet.disabled = false;
      return;
    }
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    tried = undefined;
    leaving.disconnect();
  };
  const leaving = new MutationObserver(() => tried && leave(tried));
  document.addEventListener("load", () => tried && !tried.stays && leave(tried), true);
  const remove = (isBack: boolean) => {
    if (!tried) return;
    tried.stays = false;
    if (isBack) tried.sheet.replaceSync("");
    leave(tried);
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    if (tried) leaving.observe(document, all);
  };
  return ({ css, back }) => {
    if (css === "") return remove(Boolean(back));
    const text = String(css);
    leaving.disconnect();
    if (!tried) {
      tried = { sheet: new CSSStyleSheet(), names: [], stays: true };
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, tried.sheet];
    }
    tried.stays = true;
    tried.sheet.replaceSync(text);
    tried.names = [...new Set(text.match(/--[\w-]+(?=:)/g))];
  };
}
