import { labelOf, MARK } from "./elements.ts";

/** A place in the window, in pixels. */
export interface Box {
  left: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

export interface Framed {
  element: HTMLElement | null | undefined;
  /** Drawn in place of the element's frame, without its label. */
  line?: Box | undefined;
}

const BOX =
  "position:fixed;box-sizing:border-box;border:2px solid COLOR;outline:1px solid #fff;border-radius:2px;display:none";
const LABEL =
  "position:absolute;left:-2px;font:12px/18px system-ui;padding:0 5px;color:#fff;white-space:nowrap;background:COLOR";
const HOST =
  "position:fixed;inset:0 auto auto 0;width:0;height:0;z-index:2147483647;pointer-events:none;display:block";
/** Pixels above an element that its label needs. */
const LABEL_ROOM = 20;

const pixels = (length: number) => `${length}px`;

/**
 * Frames around elements, each with a label, in a closed shadow tree beside the page's body. The
 * first frame has another color than the others.
 */
export function createFrames() {
  let mark: HTMLElement | undefined;
  let root: ShadowRoot | undefined;
  let boxes: [HTMLElement, HTMLElement][] = [];

  function open(): ShadowRoot {
    if (mark?.isConnected && root) return root;
    mark = document.createElement(MARK);
    mark.setAttribute("aria-hidden", "true");
    mark.style.cssText = HOST;
    root = mark.attachShadow({ mode: "closed" });
    boxes = [];
    document.documentElement.append(mark);
    return root;
  }

  function boxAt(index: number, parent: ShadowRoot): [HTMLElement, HTMLElement] {
    const known = boxes[index];
    if (known) return known;
    const color = index ? "#a4521f" : "#2b5d82";
    const [box, label] = [document.createElement("div"), document.createElement("span")];
    box.style.cssText = BOX.replace("COLOR", color);
    label.style.cssText = LABEL.replace("COLOR", color);
    box.append(label);
    parent.append(box);
    return (boxes[index] = [box, label]);
  }

  return {
    /** Draws these frames, and no others. */
    draw(framed: readonly Framed[]): void {
      const parent = open();
      for (let index = 0; index < Math.max(framed.length, boxes.length); index++) {
        const { element, line } = framed[index] ?? {};
        const [box, label] = boxAt(index, parent);
        const place: Box | undefined =
          line ?? (element?.isConnected ? element.getBoundingClientRect() : undefined);
        box.style.display = place ? "block" : "none";
        if (!place) continue;
        const { left, top, bottom, width, height } = place;
        const lengths = { left, top, width, height };
        for (const [name, length] of Object.entries(lengths))
          box.style.setProperty(name, pixels(length));
        label.textContent = line || !element ? "" : labelOf(element);
        const isBelow = top < LABEL_ROOM;
        const below = bottom + LABEL_ROOM < innerHeight ? "100%" : "0";
        label.style.top = isBelow ? below : "auto";
        label.style.bottom = isBelow ? "auto" : "100%";
      }
    },
    clear: () => mark?.remove(),
  };
}
