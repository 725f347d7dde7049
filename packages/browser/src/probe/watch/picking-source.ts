/**
 * Picking an element: the one below the pointer gets a frame, a click selects it without reaching
 * the page; with the keyboard, arrow keys walk, Enter selects, Escape ends. Changes are shown at
 * once, before the source has them. The frame is in a closed shadow tree beside the page's body.
 */
export const PICKING = String.raw`
  let mark, root, boxes, picking = false, aim, over, chosen, chosenPath, also = [], drag, dragged = false, drawing, seen, backs = [];
  const dress = () => {
    if (mark && mark.isConnected) return;
    mark = d.createElement("treadle-mark");
    mark.setAttribute("aria-hidden", "true");
    mark.style.cssText = "position:fixed;inset:0 auto auto 0;width:0;height:0;z-index:2147483647;pointer-events:none;display:block";
    root = mark.attachShadow({ mode: "closed" });
    boxes = [];
    d.documentElement.append(mark);
  };
  // The first box frames the element below the pointer, or is the line where a dragged element would be dropped.
  const boxAt = (index) => boxes[index] ||= (() => {
    const colour = index ? "#a4521f" : "#2b5d82", box = d.createElement("div"), name = d.createElement("span");
    box.style.cssText = "position:fixed;box-sizing:border-box;border:2px solid " + colour + ";outline:1px solid #fff;border-radius:2px;display:none";
    name.style.cssText = "position:absolute;left:-2px;font:12px/18px system-ui;padding:0 5px;color:#fff;white-space:nowrap;background:" + colour;
    box.append(name), root.append(box);
    return [box, name];
  })();
  const draw = () => {
    drawing = 0;
    if (!picking && !chosen) { if (mark) mark.remove(); return; }
    dress();
    const all = [drag && drag.to || (picking && over !== chosen ? over : null), chosen, ...also];
    for (let n = 0; n < Math.max(all.length, boxes.length); n++) {
      const e = all[n], [box, name] = boxAt(n), r = n == 0 && drag && drag.to ? drag.line : e && e.isConnected && e.getBoundingClientRect();
      box.style.display = r ? "block" : "none";
      if (!r) continue;
      box.style.cssText = box.style.cssText.replace(/;(?:left|top|width|height):[^;]*/g, "");
      Object.assign(box.style, { left: r.left + "px", top: r.top + "px", width: r.width + "px", height: r.height + "px" });
      name.textContent = r === (drag && drag.line) ? "" : label(e);
      name.style[r.top < 20 ? "top" : "bottom"] = "100%";
      name.style[r.top < 20 ? "bottom" : "top"] = "auto";
      if (r.top < 20) name.style.top = r.bottom + 20 < innerHeight ? "100%" : "0";
    }
    drawing = requestAnimationFrame(draw);
  };
  const redraw = () => { drawing ||= requestAnimationFrame(draw); };
  // Clicks are passed to aim, which selects the element or makes it an expectation of a check.
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
    also = also.filter((x) => x.isConnected);
    // The first element is described last: changes that are shown at once use the rules of the element described last.
    const more = [];
    for (const x of also) more.push(await describe(x));
    const what = await describe(e);
    if (e === chosen) chosenPath = what.path, say("picked", { element: what, more });
  };
  // The element that a hot update put in place of the selected one is found by its path from the
  // root.
  const watch = new MutationObserver((all) => {
    if (!chosen || all.every((m) => m.target === mark || m.target === d.documentElement && [...m.addedNodes, ...m.removedNodes].every((n) => n === mark) && m.type == "childList")) return;
    if (!chosen.isConnected) { const next = find(chosenPath); if (next && next.localName == chosen.localName) chosen = next; }
    clearTimeout(seen);
    seen = soon(tell, 120);
  });
  // With Shift, an element joins the selected ones, or leaves them.
  const choose = (e, add) => {
    if (!e || e === mark) return;
    if (add && chosen) { if (e !== chosen) also = also.includes(e) ? also.filter((x) => x !== e) : [...also, e].slice(-30); }
    else chosen = e, also = [];
    backs = [];
    watch.observe(d, { subtree: true, childList: true, attributes: true, characterData: true });
    redraw();
    return tell();
  };
  const drop = () => { chosen = chosenPath = drag = null; also = []; backs = []; watch.disconnect(); picking = false; redraw(); };
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
    if (typeof property == "string") for (const x of [e, ...also]) {
      const { style } = rule && x === e && rules[property] || x, was = style.getPropertyValue(property), strength = style.getPropertyPriority(property);
      backs.push(() => style.setProperty(property, was, strength));
      style.setProperty(property, String(value), strength);
    }
  };
  // The place among its siblings to which a dragged element would move, and the line that shows it.
  const besides = () => [...chosen.parentElement.children].filter((x) => x !== chosen && !own(x) && x.getClientRects().length);
  const aimAt = ({ clientX: x, clientY: y }) => {
    drag.to = besides().find((s) => { const r = s.getBoundingClientRect(); return x >= r.left && x <= r.right && y >= r.top && y <= r.bottom; });
    if (!drag.to) return;
    const r = drag.to.getBoundingClientRect(), c = chosen.getBoundingClientRect(), down = c.bottom <= r.top + 1 || r.bottom <= c.top + 1;
    drag.after = down ? y > r.top + r.height / 2 : x > r.left + r.width / 2;
    drag.line = down ? { left: r.left, top: (drag.after ? r.bottom : r.top) - 2, bottom: 0, width: r.width, height: 4 } : { left: (drag.after ? r.right : r.left) - 2, top: r.top, bottom: 0, width: 4, height: r.height };
  };
  // The page itself is not changed until its source is: frameworks do not expect their elements to move.
  const put = async (e, to, after) => {
    const like = [...e.parentElement.children].filter((x) => x.localName == e.localName && !own(x) && x !== e);
    const all = [...e.parentElement.children].filter((x) => x !== e), end = all.indexOf(to) + (after ? 1 : 0);
    const path = [...pathOf(e).slice(0, -1), [e.localName, like.filter((x) => all.indexOf(x) < end).length]];
    const beside = await describe(to);
    say("moved", { element: await describe(e), beside, after, path });
  };
  const shift = (by) => {
    const all = chosen ? [...chosen.parentElement.children].filter((x) => x === chosen || !own(x) && x.getClientRects().length) : [];
    const to = all[all.indexOf(chosen) + by];
    if (to) put(chosen, to, by > 0);
  };
  const grab = (e) => !picking && chosen && !also.length && chosen !== d.body && e.isPrimary && !e.button && !e.shiftKey && chosen.contains(e.target);
  const stop = (e) => { e.preventDefault(); e.stopImmediatePropagation(); };
  w.addEventListener("pointerdown", (e) => { dragged = false; drag = grab(e) ? { x: e.clientX, y: e.clientY } : null; }, true);
  w.addEventListener("pointermove", (e) => {
    if (!drag) return;
    if (!e.buttons) drag = null;
    else if (dragged ||= Math.hypot(e.clientX - drag.x, e.clientY - drag.y) > 5) stop(e), aimAt(e), redraw();
  }, true);
  w.addEventListener("pointerup", (e) => {
    const { to, after } = drag || {};
    drag = null;
    if (!dragged) return;
    stop(e);
    if (to && to.isConnected) put(chosen, to, after);
    redraw();
  }, true);
  for (const type of ["dragstart", "selectstart"]) w.addEventListener(type, (e) => { if (drag) stop(e); }, true);
  // With Shift, a press adds to the selection while there is one.
  const adds = (e) => e.shiftKey && chosen && aim === choose;
  const still = (e) => { if (picking || adds(e)) e.preventDefault(), e.stopImmediatePropagation(); };
  for (const type of ["pointerdown", "pointerup", "mousedown", "mouseup", "dblclick", "contextmenu", "touchstart", "touchend", "submit", "focusin"]) w.addEventListener(type, still, { capture: true, passive: false });
  w.addEventListener("pointermove", (e) => { if (!picking) return; still(e); const x = d.elementFromPoint(e.clientX, e.clientY); if (x && x !== d.documentElement) over = x, redraw(); }, true);
  w.addEventListener("click", (e) => {
    if (dragged) { dragged = false; return stop(e); }
    if (!picking && !adds(e)) return;
    still(e);
    const x = d.elementFromPoint(e.clientX, e.clientY) || e.target;
    if (adds(e)) return choose(x === d.documentElement ? d.body : x, true);
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
