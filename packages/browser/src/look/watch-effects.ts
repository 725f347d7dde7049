/** Maximum length of a control's name, in characters. */
const NAME_CHARS = 60;
/** Maximum number of listed controls per page. */
const LISTED = 60;

/** The key under which `WATCH_EFFECTS` is on the window. */
const SITE = 'Symbol.for("treadle.press")';

/** A control in the list. */
export interface ListedControl {
  /** Role, name, and index among those with the same role and name. */
  key: string;
  /** For example `button "Export"`. */
  subject: string;
  kind: "control" | "link";
  isSubmit: boolean;
  /** Index of its parent element: controls with one parent belong together. */
  group: number;
}

/** The effects of a press so far. `soft`: possibly only effects of pointer and focus. */
export interface PressEffects {
  hard: string[];
  soft: boolean;
}

/**
 * Runs before a page's own scripts without interfering: it records what scripts do beyond the
 * document (storage, requests, clipboard, sound, drawing) and changes of the document, and lists
 * and fills controls.
 */
export const WATCH_EFFECTS = String.raw`{
  const d = document, byItself = new Set(), restless = new WeakSet();
  let state = "off", hard = new Set(), changed = new Map(), scrolls = 0, pressed, fields;
  const inHandler = () => /^(?:click|pointer|mouse|key|submit|input|change|touch)/.test(window.event?.type ?? "");
  const note = (what) => {
    if (state == "idle") byItself.add(what);
    else if (state == "armed" && (!byItself.has(what) || inHandler())) hard.add(what);
  };
  const wrap = (owner, ...names) => {
    for (const name of names) {
      const plain = owner?.[name];
      if (typeof plain != "function") continue;
      try {
        owner[name] = function (...args) {
          // A control that takes the focus, or animates itself, only shows that it was pressed.
          if (!(/^(?:focus|animate)$/.test(name) && pressed?.contains(this))) note(name);
          return Reflect.apply(plain, this, args);
        };
      } catch {}
    }
  };
  const of = (name) => window[name]?.prototype;
  wrap(of("Storage"), "setItem", "removeItem", "clear");
  wrap(of("History"), "pushState", "replaceState", "back", "forward", "go");
  wrap(window, "open", "print", "alert", "confirm", "prompt", "fetch", "scrollTo", "scrollBy", "scroll", "close");
  wrap(of("XMLHttpRequest"), "send");
  wrap(of("WebSocket"), "send");
  wrap(of("Worker"), "postMessage");
  wrap(of("BroadcastChannel"), "postMessage");
  wrap(of("Navigator"), "sendBeacon", "share", "vibrate");
  wrap(of("Clipboard"), "write", "writeText", "read", "readText");
  wrap(of("Document"), "execCommand", "exitFullscreen");
  wrap(of("Element"), "scrollIntoView", "scrollTo", "scrollBy", "requestFullscreen", "requestPointerLock", "animate");
  wrap(of("HTMLElement"), "focus", "click", "showPopover", "hidePopover");
  wrap(of("HTMLInputElement"), "showPicker", "select");
  wrap(of("HTMLFormElement"), "submit", "requestSubmit", "reset");
  wrap(of("HTMLMediaElement"), "play", "pause", "load");
  wrap(of("AudioScheduledSourceNode"), "start", "stop");
  wrap(of("BaseAudioContext"), "createOscillator", "createBufferSource");
  wrap(of("SpeechSynthesis"), "speak", "cancel");
  wrap(of("IDBObjectStore"), "put", "add", "delete", "clear");
  wrap(of("CanvasRenderingContext2D"), "fillRect", "clearRect", "drawImage", "stroke", "fill", "putImageData", "fillText");
  for (const gl of ["WebGLRenderingContext", "WebGL2RenderingContext"]) wrap(of(gl), "drawArrays", "drawElements", "clear");
  wrap(URL, "createObjectURL");
  // A missing share function of this machine is not the page's fault.
  navigator.share ??= async () => note("share");
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  if (cookie?.set) Object.defineProperty(Document.prototype, "cookie", { ...cookie, set(value) { note("cookie"); cookie.set.call(this, value); } });
  // A link without a target scrolls to the top as well.
  addEventListener("scroll", () => pressed?.localName == "a" || note("scroll"), true);
  addEventListener("invalid", () => note("invalid"), true);
  addEventListener("toggle", () => note("toggle"), true);

  // Feedback that only shows that something was pressed: an added element inside a control, without
  // text or picture.
  const isRipple = (node) => node.nodeType != 3 && !node.textContent?.trim() && !node.querySelector?.("img,svg,canvas,input,video") && !/^(?:img|svg|canvas|input|video)$/i.test(node.nodeName);
  const see = (records) => {
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      if (state == "idle") { restless.add(target); continue; }
      if (state != "armed" || restless.has(target)) continue;
      if (type == "attributes") {
        const known = changed.get(target) ?? new Map();
        changed.set(target, known);
        if (!known.has(attributeName)) known.set(attributeName, oldValue);
      } else if (type == "characterData") hard.add("text");
      else {
        const nodes = [...addedNodes, ...removedNodes].filter((node) => node.nodeType != 8);
        if (nodes.length > 0 && !(target.closest?.(CONTROLS) && nodes.every(isRipple))) hard.add("elements");
      }
    }
  };
  const observer = new MutationObserver(see);
  const watch = (root) => observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });
  watch(d);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init);
    watch(root);
    return root;
  };

  const CONTROLS = "button,[role=button],[role=tab],[role=menuitem],[role=switch],[role=link],a[href],input[type=button],input[type=submit],input[type=reset],input[type=image],summary,[onclick]";
  const OVERLAYS = "vite-error-overlay,nextjs-portal,#webpack-dev-server-client-overlay";
  const shown = (e) => {
    const { width, height } = e.getBoundingClientRect();
    return width > 3 && height > 3 && e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  // Links with a target need no script.
  const deadEnd = (a) => {
    const to = (a.getAttribute("href") ?? "").trim();
    if (/^(?:#!?|javascript:\s*(?:void\s*\(?\s*0?\s*\)?\s*;?|;|))$/i.test(to) || to == "") return true;
    if (!/^#[^/!]/.test(to) || /^#top$/i.test(to)) return false;
    let id = to.slice(1);
    try { id = decodeURIComponent(id); } catch {}
    return !d.getElementById(id) && !d.getElementsByName(id)[0];
  };
  const isSo = (e) => e.getAttribute("aria-selected") == "true" || e.getAttribute("aria-pressed") == "true" || e.getAttribute("aria-checked") == "true" || !["false", null].includes(e.getAttribute("aria-current"));
  const labelled = (e) => (e.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => d.getElementById(id)?.textContent ?? "").join(" ");
  const nameOf = (e) => [e.getAttribute("aria-label"), labelled(e), e.innerText, e.value, e.title, e.querySelector("img[alt]")?.alt, e.querySelector("svg title")?.textContent, e.getAttribute("alt")]
    .map((text) => (typeof text == "string" ? text : "").trim().replace(/\s+/g, " ")).find((text) => text != "")?.slice(0, ${NAME_CHARS}) ?? "";
  const roleOf = (e) => e.getAttribute("role") ?? (e.localName == "a" ? "link" : e.localName == "summary" || /^(?:button|input)$/.test(e.localName) ? "button" : e.localName);
  const subjectOf = (e) => {
    const name = nameOf(e);
    if (name) return roleOf(e) + " " + JSON.stringify(name);
    return roleOf(e) + " css=" + e.localName + (e.id ? "#" + e.id : e.classList[0] ? "." + e.classList[0] : "");
  };
  const all = (root, found = []) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.matches(CONTROLS)) found.push(e);
      if (e.shadowRoot && !e.matches(OVERLAYS)) all(e.shadowRoot, found);
    }
    return found;
  };
  const controls = () => {
    const found = new Map(), counts = new Map();
    for (const e of all(d)) {
      if (found.size >= ${LISTED}) break;
      if (e.closest(OVERLAYS) || e.parentElement?.closest(CONTROLS)?.matches(CONTROLS) || !shown(e)) continue;
      if (e.matches(":disabled,[aria-disabled=true],[inert],[inert] *") || getComputedStyle(e).pointerEvents == "none") continue;
      if (/^(?:body|html|label|input|select|textarea)$/.test(e.localName) && !/^(?:button|submit|reset|image)$/.test(e.type ?? "")) continue;
      if (e.localName == "a" && e.hasAttribute("href") && !deadEnd(e)) continue;
      if (isSo(e)) continue;
      const subject = subjectOf(e), count = counts.get(subject) ?? 0;
      counts.set(subject, count + 1);
      found.set(subject + " #" + count, e);
    }
    return found;
  };
  const parents = [];
  const groupOf = (e) => { const p = e.parentNode; if (!parents.includes(p)) parents.push(p); return parents.indexOf(p); };
  const VALUES = { email: "person@example.com", url: "https://example.com", tel: "+15550100", password: "Correct-horse-7", date: "2030-01-15", time: "10:30", "datetime-local": "2030-01-15T10:30", month: "2030-01", week: "2030-W03" };
  const set = (e, name, value) => {
    const owner = e.localName == "select" ? HTMLSelectElement : e.localName == "textarea" ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(owner.prototype, name).set.call(e, value);
    e.dispatchEvent(new Event("input", { bubbles: true }));
    e.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const fill = (scope) => {
    for (const e of scope.querySelectorAll("input,textarea,select")) {
      if (!shown(e) || e.matches(":disabled,[readonly]")) continue;
      if (/^(?:button|submit|reset|image|file|hidden|color|range)$/.test(e.type)) continue;
      if (e.type == "radio") { if (e.required && !e.form?.elements[e.name]?.value) e.click(); }
      else if (e.type == "checkbox") { if (e.required && !e.checked) e.click(); }
      else if (e.value != "") continue;
      else if (e.localName == "select") { const option = [...e.options].find((one) => one.value && !one.disabled); if (option) set(e, "value", option.value); }
      else if (e.type == "number") set(e, "value", e.min || "1");
      else set(e, "value", VALUES[e.type] ?? "Sample".padEnd(Math.max(0, e.minLength), "s"));
    }
  };
  const values = () => [...d.querySelectorAll("input,textarea,select,details,dialog,video,audio")].map((e) => e.localName == "input" || e.value !== undefined ? (e.checked ? "+" : "-") + e.value : String(e.open ?? e.paused)).join("\n");

  window[${SITE}] = {
    idle() { state = "idle"; },
    list: () => [...controls()].map(([key, e]) => ({
      key, subject: subjectOf(e), kind: e.localName == "a" && e.hasAttribute("href") ? "link" : "control",
      isSubmit: !!e.form && (e.type == "submit" || e.type == "image"), group: groupOf(e),
    })),
    // The position of a control; nothing if it does not exist or is covered.
    place(key) {
      const e = controls().get(key);
      state = "off";
      if (!e) return;
      e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { left, top, width, height } = e.getBoundingClientRect();
      const x = left + width / 2, y = top + height / 2;
      let hit = d.elementFromPoint(x, y);
      while (hit?.shadowRoot) { const inner = hit.shadowRoot.elementFromPoint(x, y); if (!inner || inner == hit) break; hit = inner; }
      return hit && (e == hit || e.contains(hit) || hit.contains(e)) ? { x, y } : undefined;
    },
    fill(key) {
      const form = key === undefined ? undefined : controls().get(key)?.form;
      fill(form ?? d);
    },
    tick() { for (const e of d.querySelectorAll("input[type=checkbox]:not(:checked)")) if (shown(e) && !e.disabled) e.click(); },
    arm(key) {
      observer.takeRecords();
      pressed = controls().get(key);
      hard = new Set(); changed = new Map(); fields = values(); state = "armed";
    },
    effects() {
      see(observer.takeRecords());
      if (fields != values()) hard.add("values");
      let soft = false;
      for (const [node, attributes] of changed)
        for (const [name, before] of attributes) if (node.isConnected && (node.getAttribute(name) ?? "") !== (before ?? "")) soft = true;
      return { hard: [...hard], soft };
    },
    rest() { if (d.activeElement && d.activeElement != d.body && !d.activeElement.matches("input,textarea,select")) d.activeElement.blur(); },
    outline(key, on) {
      const e = controls().get(key);
      if (!e) return false;
      e.scrollIntoView({ block: "center", behavior: "instant" });
      e.style.outline = on ? "3px solid #e11d48" : "";
      e.style.outlineOffset = on ? "3px" : "";
      return true;
    },
  };
}`;

/** An expression that calls one of the functions above in the page. */
export const inPage = (call: string): string => `window[${SITE}]?.${call}`;
