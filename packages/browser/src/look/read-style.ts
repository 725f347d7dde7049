import type { Page } from "playwright-core";
import { z } from "zod";
import { until } from "./wait-for-rest.ts";

const Text = z.string().max(300);
const Size = z.number().min(0).max(1_000);
/** The page's scripts can replace the functions that return the result, so it is validated. */
const PageStyle = z.object({
  background: Text,
  text: Text,
  font: Text,
  size: Size,
  heading: z.object({ font: Text, size: Size, color: Text }).optional(),
  link: Text.optional(),
  button: z.object({ background: Text, text: Text, radius: Size }).optional(),
  border: Text.optional(),
  radii: z.array(Size).max(3),
  gaps: z.array(Size).max(5),
});

/** A page's visual style: computed values of prominent elements, lengths in CSS pixels. */
export type PageStyle = z.infer<typeof PageStyle>;

/** Maximum number of elements read; the first ones show the style. */
const MAX_ELEMENTS = 3_000;
/** Time limits for loading the page, and then for its style sheets, in milliseconds. */
const LOAD_MS = 30_000;

const READ = String.raw`() => {
  const clear = (colour) => /^rgba\(.*, 0\)$|^transparent$/.test(colour);
  const isSeen = (one) => { const r = one.getBoundingClientRect(); return r.width > 8 && r.height > 8; };
  const style = (one) => getComputedStyle(one);
  const all = [...document.querySelectorAll("body *")].slice(0, ${MAX_ELEMENTS}).filter(isSeen);
  const counts = (values) => {
    const found = new Map();
    for (const value of values) found.set(value, (found.get(value) || 0) + 1);
    return [...found].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  };
  const pixels = (value) => { const n = parseFloat(value); return Number.isFinite(n) && n <= 1000 ? Math.round(n * 100) / 100 : 0; };
  const cut = (text) => String(text).slice(0, 300);
  const body = style(document.body), root = style(document.documentElement);
  const ground = [body, root].map((s) => s.backgroundColor).find((c) => !clear(c)) || "rgb(255, 255, 255)";
  const heading = all.find((one) => /^H[12]$/.test(one.tagName));
  const link = all.find((one) => one.tagName === "A" && one.textContent.trim() && style(one).color !== body.color);
  const buttons = all.filter((one) => (one.tagName === "BUTTON" || one.tagName === "A" || one.getAttribute("role") === "button") && !clear(style(one).backgroundColor) && style(one).backgroundColor !== ground);
  const colour = (buttons.length > 0 ? counts(buttons.map((one) => style(one).backgroundColor))[0] : undefined);
  const button = buttons.find((one) => style(one).backgroundColor === colour);
  const borders = all.filter((one) => parseFloat(style(one).borderTopWidth) > 0 && style(one).borderTopStyle !== "none" && !clear(style(one).borderTopColor));
  const lengths = (values, most) => counts(values.map(pixels).filter((n) => n > 0)).slice(0, most);
  return {
    background: cut(ground),
    text: cut(body.color),
    font: cut(body.fontFamily),
    size: pixels(body.fontSize),
    heading: heading && { font: cut(style(heading).fontFamily), size: pixels(style(heading).fontSize), color: cut(style(heading).color) },
    link: link && cut(style(link).color),
    button: button && { background: cut(style(button).backgroundColor), text: cut(style(button).color), radius: pixels(style(button).borderTopLeftRadius) },
    border: borders.length > 0 ? cut(counts(borders.map((one) => style(one).borderTopColor))[0]) : undefined,
    radii: lengths(all.map((one) => style(one).borderTopLeftRadius), 3),
    gaps: lengths(all.flatMap((one) => [style(one).paddingLeft, style(one).rowGap, style(one).marginTop]), 5),
  };
}`;

/**
 * Opens an address and reads the page's style.
 * @returns undefined if the page does not load, or returns an invalid result; rejects only with the
 * signal's reason
 */
export async function readStyle(
  page: Page,
  address: string,
  signal: AbortSignal,
): Promise<PageStyle | undefined> {
  try {
    const response = await until(
      page.goto(address, { waitUntil: "load", timeout: LOAD_MS }),
      signal,
    );
    if (!response?.ok()) return undefined;
    const seen = PageStyle.safeParse(await until(page.evaluate(`(${READ})()`), signal));
    return seen.success ? seen.data : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
