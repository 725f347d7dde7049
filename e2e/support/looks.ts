import type { Page } from "playwright-core";

/** How the parts of the page of components are drawn: a line for each element that is seen, by the part's name. */
export type Looks = Record<string, string[]>;

/**
 * What of a part's look does not hang on the fonts of a machine: colours, edges, sizes of letters, and how high things are
 * (a line is as high as its letters say). How wide they are does, and what stands within a line is as high as its font is:
 * both are left out.
 */
export function looksOf(page: Page): Promise<Looks> {
  return page.evaluate(() => {
    const hex = (colour: string) => {
      // Mixed of two it is told otherwise.
      if (!/^(?:rgb|color\()/.test(colour)) return colour.replace(/(\.\d\d)\d+/g, "$1");
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      const wide = colour.startsWith("color(") ? 255 : 1;
      const part = (value: number) =>
        Math.round(value * wide)
          .toString(16)
          .padStart(2, "0");
      if (alpha === 0) return "-";
      return `${part(red)}${part(green)}${part(blue)}${alpha === 1 ? "" : `/${alpha.toFixed(2)}`}`;
    };
    const lineOf = (element: Element, top: number) => {
      const box = element.getBoundingClientRect();
      const look = getComputedStyle(element);
      const words = [...element.childNodes].some(
        (node) => node.nodeType === 3 && node.nodeValue?.trim(),
      );
      const edge = ["Top", "Right", "Bottom", "Left"].map((side) =>
        parseFloat(look.getPropertyValue(`border-${side.toLowerCase()}-width`)),
      );
      return [
        element.tagName.toLowerCase(),
        look.display === "inline"
          ? "in a line"
          : `${Math.round(box.top - top)}+${Math.round(box.height)}`,
        hex(look.backgroundColor),
        words || element.tagName === "svg"
          ? `${hex(look.color)} ${look.fontSize} ${look.fontWeight}${look.fontFamily.includes("mono") ? " mono" : ""}`
          : "",
        edge.some((width) => width > 0)
          ? `edge ${edge.join(" ")} ${hex(look.borderBottomColor)}`
          : "",
        look.borderRadius === "0px" ? "" : `r${look.borderRadius}`,
        look.opacity === "1" ? "" : `o${look.opacity}`,
      ]
        .filter(Boolean)
        .join(" ");
    };
    const looks: Record<string, string[]> = {};
    for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) {
      const { top } = part.getBoundingClientRect();
      looks[part.dataset["part"] ?? ""] = [...part.querySelectorAll("*")]
        // A mark is one thing, whatever its strokes are.
        .filter((element) => !element.closest("svg") || element.tagName === "svg")
        .filter((element) => element.checkVisibility() && !element.classList.contains("sr-only"))
        .map((element) => lineOf(element, top));
    }
    return looks;
  });
}

/** Pixels by which two heights or places count as the same: fonts round them otherwise. */
const NEAR = 2;

/** What is otherwise than it was, a line each. */
export function otherLooks(was: Looks, is: Looks): string[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => {
    const [before = [], after = []] = [was[name], is[name]];
    const other = after.findIndex((line, index) => !isNear(before[index], line));
    if (other !== -1 || before.length !== after.length) {
      const at = other === -1 ? after.length : other;
      return [`${name}: was ${before[at] ?? "nothing"}, is ${after[at] ?? "nothing"}`];
    }
    return [];
  });
}

function isNear(was: string | undefined, is: string): boolean {
  const place = / (-?\d+)\+(\d+) /;
  const [a, b] = [place.exec(was ?? ""), place.exec(is)];
  if (!a || !b) return was === is;
  const near = [1, 2].every((part) => Math.abs(Number(a[part]) - Number(b[part])) <= NEAR);
  return near && was!.replace(place, " ") === is.replace(place, " ");
}
