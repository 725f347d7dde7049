/**
 * Runs before a page's own scripts without interfering: it records what scripts do beyond the
 * document (storage, requests, clipboard, sound, drawing) and changes of the document, and lists
 * and fills controls. The headless browser calls it under its symbol.
 */
import {
  type Control,
  CONTROLS,
  fillFields,
  findControls,
  listControls,
  placeOf,
  type PressEffects,
  tickBoxes,
  valuesOf,
} from "./controls.ts";

/** Functions whose calls are effects: of a prototype, or of a global object. */
const EFFECTS: Record<string, string> = {
  "Storage.prototype": "setItem removeItem clear",
  "History.prototype": "pushState replaceState back forward go",
  window: "open print alert confirm prompt fetch scrollTo scrollBy scroll close",
  "XMLHttpRequest.prototype": "send",
  "WebSocket.prototype": "send",
  "Worker.prototype": "postMessage",
  "BroadcastChannel.prototype": "postMessage",
  "Navigator.prototype": "sendBeacon share vibrate",
  "Clipboard.prototype": "write writeText read readText",
  "Document.prototype": "execCommand exitFullscreen",
  "Element.prototype":
    "scrollIntoView scrollTo scrollBy requestFullscreen requestPointerLock animate",
  "HTMLElement.prototype": "focus click showPopover hidePopover",
  "HTMLInputElement.prototype": "showPicker select",
  "HTMLFormElement.prototype": "submit requestSubmit reset",
  "HTMLMediaElement.prototype": "play pause load",
  "AudioScheduledSourceNode.prototype": "start stop",
  "BaseAudioContext.prototype": "createOscillator createBufferSource",
  "SpeechSynthesis.prototype": "speak cancel",
  "IDBObjectStore.prototype": "put add delete clear",
  "CanvasRenderingContext2D.prototype":
    "fillRect clearRect drawImage stroke fill putImageData fillText",
  "WebGLRenderingContext.prototype": "drawArrays drawElements clear",
  "WebGL2RenderingContext.prototype": "drawArrays drawElements clear",
  URL: "createObjectURL",
};

/** `idle`: changes count as the page's own. `armed`: they are recorded as effects of a press. `off`: neither. */
let state: "off" | "idle" | "armed" = "off";
const byItself = new Set<string>();
const restless = new WeakSet<Node>();
let hard = new Set<string>();
let changed = new Map<Element, Map<string, string | null>>();
let pressed: Control | undefined;
let values = "";

const inHandler = () =>
  /^(?:click|pointer|mouse|key|submit|input|change|touch)/.test(window.event?.type ?? "");

function note(effect: string): void {
  if (state === "idle") byItself.add(effect);
  else if (state === "armed" && (!byItself.has(effect) || inHandler())) hard.add(effect);
}

type Functions = Record<string, unknown>;

function wrap(owner: Functions | undefined, name: string): void {
  const plain = owner?.[name];
  if (!owner || typeof plain !== "function") return;
  try {
    owner[name] = function (this: unknown, ...given: unknown[]) {
      // A control that takes the focus, or animates itself, only shows that it was pressed.
      const isOwn = /^(?:focus|animate)$/.test(name) && pressed?.contains(this as Node);
      if (!isOwn) note(name);
      return Reflect.apply(plain, this, given);
    };
  } catch {
    // Calls of a function that cannot be replaced are not recorded.
  }
}

const globals = window as unknown as Record<string, Functions & { prototype?: Functions }>;
for (const [place, names] of Object.entries(EFFECTS)) {
  const [name = "", isPrototype] = place.split(".");
  const owner = isPrototype ? globals[name]?.prototype : globals[name];
  for (const one of names.split(" ")) wrap(owner, one);
}
// A missing share function of this machine is not the page's fault.
navigator.share ??= async () => note("share");
const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
if (cookie?.set) {
  const { set } = cookie;
  Object.defineProperty(Document.prototype, "cookie", {
    ...cookie,
    set(value) {
      note("cookie");
      set.call(this, value);
    },
  });
}
// A link without a target scrolls to the top as well.
window.addEventListener("scroll", () => pressed?.localName === "a" || note("scroll"), true);
window.addEventListener("invalid", () => note("invalid"), true);
window.addEventListener("toggle", () => note("toggle"), true);

const PICTURES = "img,svg,canvas,input,video";

/** Whether a node is only feedback for a press: an element without text or picture. */
function isRipple(node: Node): boolean {
  const element = node as Element;
  if (node.nodeType === Node.TEXT_NODE || node.textContent?.trim()) return false;
  return (
    !element.querySelector?.(PICTURES) && !PICTURES.split(",").includes(node.nodeName.toLowerCase())
  );
}

function see(records: readonly MutationRecord[]): void {
  for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
    if (state === "idle") restless.add(target);
    if (state !== "armed" || restless.has(target)) continue;
    if (type === "attributes") {
      const known = changed.get(target as Element) ?? new Map<string, string | null>();
      changed.set(target as Element, known);
      if (!known.has(attributeName!)) known.set(attributeName!, oldValue);
    } else if (type === "characterData") hard.add("text");
    else {
      const nodes = [...addedNodes, ...removedNodes].filter(
        ({ nodeType }) => nodeType !== Node.COMMENT_NODE,
      );
      const isFeedback = (target as Element).closest?.(CONTROLS) && nodes.every(isRipple);
      if (nodes.length > 0 && !isFeedback) hard.add("elements");
    }
  }
}

const observer = new MutationObserver(see);
const watch = (root: Node) =>
  observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeOldValue: true,
  });
watch(document);
const { attachShadow } = Element.prototype;
Element.prototype.attachShadow = function (init) {
  const root = attachShadow.call(this, init);
  watch(root);
  return root;
};

const site = {
  /** From now on, changes count as the page's own activity. */
  idle: () => void (state = "idle"),
  list: listControls,
  /** The position of a control; undefined if it does not exist or is covered. Ends recording. */
  place(key: string) {
    const element = findControls().get(key);
    state = "off";
    return element && placeOf(element);
  },
  /** Fills the form of a control, or the whole page. */
  fill(key?: string): void {
    const form = key === undefined ? undefined : findControls().get(key)?.form;
    fillFields(form ?? document);
  },
  tick: tickBoxes,
  /** Records effects from now on, as those of this control. */
  arm(key: string): void {
    observer.takeRecords();
    pressed = findControls().get(key);
    hard = new Set();
    changed = new Map();
    values = valuesOf();
    state = "armed";
  },
  effects(): PressEffects {
    see(observer.takeRecords());
    if (values !== valuesOf()) hard.add("values");
    const isChanged = ([element, attributes]: [Element, Map<string, string | null>]) =>
      element.isConnected &&
      [...attributes].some(
        ([name, before]) => (element.getAttribute(name) ?? "") !== (before ?? ""),
      );
    return { hard: [...hard], soft: [...changed].some(isChanged) };
  },
  /** Takes the focus from a control. */
  rest(): void {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return;
    if (!activeElement.matches("input,textarea,select")) (activeElement as HTMLElement).blur();
  },
  /** Draws an outline around a control, or removes it. Returns false if the control does not exist. */
  outline(key: string, isOn: boolean): boolean {
    const element = findControls().get(key);
    if (!element) return false;
    element.scrollIntoView({ block: "center", behavior: "instant" });
    element.style.outline = isOn ? "3px solid #e11d48" : "";
    element.style.outlineOffset = isOn ? "3px" : "";
    return true;
  },
};

Object.assign(window, { [Symbol.for("treadle.press")]: site });
