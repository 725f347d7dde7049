import type { StyleComparison } from "@treadle/protocol/checks";
import type { Locator } from "playwright-core";

/** Time limit for the query, in milliseconds. */
const ASK_MS = 5_000;

/** A computed style with its expected value. */
export interface StyleSeen {
  isAsExpected: boolean;
  /** The computed value. */
  is: string;
}

/**
 * Compares a computed style of an element with a value. Colours are compared as colours in any notation. `background`
 * is what is seen behind the element: its own, or that of its nearest ancestor with one; for the page itself, that of
 * the innermost element that fills the window. `var(--name)` in the value is resolved for the element, and lengths in
 * px, rem and em are compared as lengths.
 * @param expected.compare absent: the style must equal the value
 */
export const readStyle = (
  locator: Locator,
  expected: { style: string; value: string; compare?: StyleComparison | undefined },
): Promise<StyleSeen> => locator.evaluate(COMPARE, expected, { timeout: ASK_MS });

/** Runs in the page and leaves the document unchanged: colours are drawn on a canvas outside of it and read back. */
// eslint-disable-next-line no-new-func -- the names of a page are unknown here
const COMPARE = new Function(
  "element",
  "{ style, value: written, compare }",
  `
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const pixel = (text) => {
    if (!CSS.supports("color", text)) return undefined;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data.join();
  };
  const computed = (of, name) => getComputedStyle(of).getPropertyValue(name).trim();
  const value = written.replaceAll(/var\\(\\s*(--[\\w-]+)[^()]*\\)/g, (all, name) => computed(element, name) || all);
  let is = computed(element, style);
  if (style === "background" && pixel(value) !== undefined) {
    let behind = element;
    if (element === document.body || element === document.documentElement)
      for (const one of document.body.querySelectorAll("*")) {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        const isWhole = left <= 0 && right >= document.documentElement.clientWidth && bottom - top >= innerHeight;
        if (isWhole && pixel(computed(one, "background-color")) !== "0,0,0,0") behind = one;
      }
    while (behind.parentElement && pixel(computed(behind, "background-color")) === "0,0,0,0")
      behind = behind.parentElement;
    is = computed(behind, "background-color");
    // The browser's canvas is behind everything.
    if (pixel(is) === "0,0,0,0" && !/dark/.test(computed(document.documentElement, "color-scheme"))) is = "rgb(255, 255, 255)";
  }
  const same = (text) => text.toLowerCase().replaceAll(/["'\\s]/g, "");
  const sizeOf = (of) => of ? Number.parseFloat(computed(of, "font-size")) : 16;
  const length = (text) => {
    const [, number, unit] = /^(-?[\\d.]+)(px|rem|em)?$/.exec(text.trim()) ?? [];
    const by = unit === "rem" ? sizeOf(document.documentElement) : unit === "em" ? sizeOf(style === "font-size" ? element.parentElement : element) : 1;
    return number === undefined ? undefined : Math.round(Number(number) * by * 100) / 100;
  };
  const [has, wants] = [length(is), length(value)];
  const areLengths = has !== undefined && wants !== undefined;
  const order = { "at least": has >= wants, "at most": has <= wants, "more than": has > wants, "less than": has < wants };
  if (compare) return { isAsExpected: areLengths && order[compare], is };
  if (areLengths && has === wants) return { isAsExpected: true, is };
  const color = pixel(value);
  const isAsExpected = color !== undefined && pixel(is) !== undefined ? pixel(is) === color : same(is) === same(value);
  return { isAsExpected, is };
`,
) as (
  element: unknown,
  expected: { style: string; value: string; compare?: StyleComparison | undefined },
) => StyleSeen;
