/**
 * Picking an element: the one below the pointer gets a frame, a click selects it without reaching
 * the page; with the keyboard, arrow keys walk, Enter selects, Escape ends. Changes are shown at
 * once, before the source has them. The frame is in a closed shadow tree beside the page's body.
 */
export const PICKING = String.raw`
  let mark, boxes, picking = false, aim, over, chosen, chosenPath, drawing, seen, backs = [];
  const dress = () => {
    if (mark && mark.isConnected) return;
    mark = d.createElement("treadle-mark");
    mark.setAttribute("aria-hidden", "true");
    mark.style.cssText = "position:fixed;inset:0 auto auto 0;width:0;height:0;z-index:2147483647;pointer-events:none;display:block";
    const root = mark.attachShadow({ mode: "closed" });
    boxes = ["#a4521f", "#2b5d82"].map((colour) => {
      const box = d.createElement("div"), name = d.createElement("span");
      box.style.cssText = "position:fixed;box-sizing:border-box;border:2px solid " + colour + ";outline:1px solid #fff;border-radius:2px;display:none";
      name.style.cssText = "position:absolute;left:-2px;font:12px/18px system-ui;padding:0 5px;color:#fff;white-space:nowrap;background:" + colour;
      box.append(name), root.append(box);
      return [box, name];
    });
    d.documentElement.append(mark);
  };
  const draw = () => {
    drawing = 0;
    if (!picking && !chosen) { if (mark) mark.remove(); return; }
    dress();
    for (const [e, [box, name]] of [[chosen, boxes[0]], [picking && over !== chosen ? over : null, boxes[1]]]) {
      const r = e && e.isConnected && e.getBoundingClientRect();
      box.style.display = r ? "block" : "none";
      if (!r) continue;
      box.style.cssText = box.style.cssText.replace(/;(?:left|top|width|height):[^;]*/g, "");
      Object.assign(box.style, { left: r.left + "px", top: r.top + "px", width: r.width + "px", height: r.height + "px" });
      name.textContent = label(e);
      name.style[r.top < 20 ? "top" : "bottom"] = "100%";
      name.style[r.top < 20 ? "bottom" : "top"] = "auto";
      if (r.top < 20) name.style.top = r.bottom + 20 < innerHeight ? "100%" : "0";
    }
    drawing = requestAnimationFrame(draw);
  };
  const redraw = () => { drawing ||= requestAnimationFrame(draw); };
  // A click goes to aim: it selects the element, or makes it an expectation of a check.
  const pick = (on, then = on ? choose : aim || choose) => {
    aim = then;
    picking = !!on;
    over = null;
    if (on) { over = chosen || d.body; w.focus(); }
    d.documentElement.style.cursor = "";
    redraw();
    say(aim === choose ? "picking" : "expecting", { on: picking });
  };
  const tell = async () => {
    const e = chosen;
    if (!e) return;
    const what = await describe(e);
    if (e === chosen) chosenPath = what.path, say("picked", { element: what });
  };
  // The element that a hot update put in place of the selected one is found by its path from the
  // root.
  const watch = new MutationObserver((all) => {
    if (!chosen || all.every((m) => m.target === mark || m.target === d.documentElement && [...m.addedNodes, ...m.removedNodes].every((n) => n === mark) && m.type == "childList")) return;
    if (!chosen.isConnected) { const next = find(chosenPath); if (next && next.localName == chosen.localName) chosen = next; }
    clearTimeout(seen);
    seen = soon(tell, 120);
  });
  const choose = (e) => {
    if (!e || e === mark) return;
    chosen = e;
    backs = [];
    watch.observe(d, { subtree: true, childList: true, attributes: true, characterData: true });
    redraw();
    return tell();
  };
  const drop = () => { chosen = chosenPath = null; backs = []; watch.disconnect(); picking = false; redraw(); };
  const again = (path) => { const e = find(path); if (e) choose(e); else say("picked", {}); };
  const step = (e, key) => key == "ArrowUp" || key == "parent" ? (e === d.body ? e : e.parentElement) : key == "ArrowDown" || key == "child" ? e.firstElementChild : key == "ArrowLeft" || key == "previous" ? e.previousElementSibling : e.nextElementSibling;
  const move = (to) => chosen && choose(typeof to == "number" ? chainOf(chosen)[to] : step(chosen, to) || chosen);
  const attempt = ({ text, classes, property, value, rule, back }) => {
    const e = chosen;
    if (back) return backs.splice(0).reverse().forEach((f) => f());
    if (!e) return;
    if (typeof text == "string") {
      const [node] = wordsOf(e);
      if (node && wordsOf(e).length == 1) { const was = node.data; backs.push(() => (node.data = was)); node.data = was.match(/^\s*/)[0] + text + was.match(/\s*$/)[0]; }
    }
    if (typeof classes == "string") { const was = e.getAttribute("class"); backs.push(() => was == null ? e.removeAttribute("class") : e.setAttribute("class", was)); e.setAttribute("class", classes); }
    if (typeof property == "string") {
      const { style } = rule && rules[property] || e, was = style.getPropertyValue(property), strength = style.getPropertyPriority(property);
      backs.push(() => style.setProperty(property, was, strength));
      style.setProperty(property, String(value), strength);
    }
  };
  const still = (e) => { if (picking) e.preventDefault(), e.stopImmediatePropagation(); };
  for (const type of ["pointerdown", "pointerup", "mousedown", "mouseup", "dblclick", "contextmenu", "touchstart", "touchend", "submit", "focusin"]) w.addEventListener(type, still, { capture: true, passive: false });
  w.addEventListener("pointermove", (e) => { if (!picking) return; still(e); const x = d.elementFromPoint(e.clientX, e.clientY); if (x && x !== d.documentElement) over = x, redraw(); }, true);
  w.addEventListener("click", (e) => {
    if (!picking) return;
    still(e);
    const x = d.elementFromPoint(e.clientX, e.clientY) || e.target;
    pick(false);
    aim(x === d.documentElement ? d.body : x);
  }, true);
  w.addEventListener("keydown", (e) => {
    if (!picking) { if (e.key == "Escape" && chosen) say("escape", {}); return; }
    if (!/^(Arrow|Enter|Escape)/.test(e.key)) return;
    still(e);
    if (e.key == "Escape") return pick(false);
    if (e.key == "Enter") { const x = over; pick(false); return aim(x); }
    over = step(over || d.body, e.key) || over;
    if (over && over.scrollIntoView) over.scrollIntoView({ block: "nearest" });
    redraw();
  }, true);
`;
