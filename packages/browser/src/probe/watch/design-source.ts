/**
 * Applies design tokens that a person tries before they are saved, as a style sheet after the
 * page's own. When they are removed, the last values stay until the page looks the same without
 * them, as a dev server needs a moment to deliver the saved ones.
 */
export const DESIGN = String.raw`
  let worn, wornNames = [];
  const rootValues = () => { const s = getComputedStyle(d.documentElement); return wornNames.map((n) => s.getPropertyValue(n).trim()).join("\n"); };
  const unwear = () => {
    const now = rootValues();
    worn.disabled = true;
    if (rootValues() !== now) { worn.disabled = false; return; }
    d.adoptedStyleSheets = d.adoptedStyleSheets.filter((s) => s !== worn);
    worn = null;
    leaving.disconnect();
  };
  const leaving = new MutationObserver(() => worn && unwear());
  d.addEventListener("load", () => worn && !worn.stays && unwear(), true);
  const wear = ({ css, back }) => {
    if (css === "") {
      if (!worn) return;
      worn.stays = false;
      if (back) worn.replaceSync("");
      unwear();
      if (worn) leaving.observe(d, { subtree: true, childList: true, characterData: true, attributes: true });
      return;
    }
    leaving.disconnect();
    if (!worn) { worn = new CSSStyleSheet(); d.adoptedStyleSheets = [...d.adoptedStyleSheets, worn]; }
    worn.stays = true;
    worn.replaceSync(String(css));
    wornNames = [...new Set(String(css).match(/--[\w-]+(?=:)/g))];
  };
`;
