/**
 * An element's style, property by property, with the rule that applies: the cascade, by importance,
 * layer, specificity and order. Style sheets of other origins cannot be read, so their rules are
 * missing.
 */
export const STYLES = String.raw`
  const PROPERTIES = ["color", "background-color", "font-size", "font-weight", "text-align", "padding", "margin", "gap", "border-radius", "width"];
  let rules = {};
  const weigh = (selector) => {
    const plain = selector.replace(/:where\((?:[^()]|\([^()]*\))*\)/g, "").replace(/:(?:is|not|has)\(/g, "(").replace(/"[^"]*"/g, "");
    const count = (pattern) => (plain.match(pattern) || []).length;
    const pseudo = count(/::[\w-]+/g);
    return count(/#[\w-]/g) * 1e6 + (count(/\.[\w\\-]/g) + count(/\[/g) + count(/:[\w-]+/g) - pseudo) * 1e3 + count(/(?:^|[\s>+~(,])[a-z]/gi) + pseudo;
  };
  const sheetOf = ({ href, ownerNode: o }) => {
    const id = o && o.getAttribute && (o.getAttribute("data-vite-dev-id") || o.getAttribute("data-href"));
    if (id) return { file: cut(id, 500) };
    if (href) { const u = new URL(href); return u.origin == location.origin ? { file: u.pathname } : void 0; }
    return o ? { inline: [...d.querySelectorAll("style:not([data-vite-dev-id])")].indexOf(o) } : void 0;
  };
  const stylesOf = (e) => {
    const found = [], layers = [];
    let order = 0;
    const rank = (name) => { if (name == null) return 1e9; if (!layers.includes(name)) layers.push(name); return layers.indexOf(name); };
    const walk = (list, layer, sheet) => {
      for (const r of list) {
        order++;
        if (r.nameList) r.nameList.forEach(rank);
        if (r.selectorText && r.style) {
          const fits = r.selectorText.split(/,(?![^(]*\))/).filter((s) => { try { return e.matches(s); } catch { return false; } });
          if (fits.length) found.push({ r, sheet, layer: rank(layer), weight: Math.max(...fits.map(weigh)), order });
        } else if (r.cssRules) {
          if (r instanceof CSSMediaRule ? matchMedia(r.conditionText).matches : r.constructor.name != "CSSKeyframesRule")
            walk(r.cssRules, r.constructor.name == "CSSLayerBlockRule" ? (layer == null ? "" : layer + ".") + r.name : layer, sheet);
        } else if (r.styleSheet) try { walk(r.styleSheet.cssRules, layer, sheet); } catch {}
      }
    };
    for (const s of [...d.styleSheets, ...(d.adoptedStyleSheets || [])]) try { walk(s.cssRules, null, sheetOf(s)); } catch {}
    found.sort((a, b) => a.layer - b.layer || a.weight - b.weight || a.order - b.order);
    const shown = getComputedStyle(e), styles = {};
    rules = {};
    for (const p of PROPERTIES) {
      const says = found.filter(({ r }) => r.style.getPropertyValue(p));
      const winner = says.findLast(({ r }) => r.style.getPropertyPriority(p)) || says.at(-1);
      const here = e.style.getPropertyValue(p), strong = winner && winner.r.style.getPropertyPriority(p) && !e.style.getPropertyPriority(p);
      styles[p] = { value: shown.getPropertyValue(p) };
      if (here && !strong) styles[p].by = { here: true, value: here };
      else if (winner) {
        rules[p] = winner.r;
        let reach = 0;
        try { reach = d.querySelectorAll(winner.r.selectorText).length; } catch {}
        styles[p].by = { ...winner.sheet, selector: cut(winner.r.selectorText, 500), value: cut(winner.r.style.getPropertyValue(p), 200), reach };
      }
    }
    return styles;
  };
`;
