/** Helpers of the exported checks, as a file beside them that only needs Playwright. */
export const STEPS_TEXT = String.raw`import { expect, type Download, type Locator, type Page } from "@playwright/test";

/** An element: a role and a name, words, or a selector; and the element that it is in. */
export interface Target {
  css?: string;
  role?: string;
  name?: string;
  words?: string;
  level?: number;
  states?: string[];
  within?: Target;
}

type Role = Parameters<Page["getByRole"]>[0];

const STATES: Record<string, string> = {
  checked: ':checked, [aria-checked="true"]',
  unchecked: 'input:is([type="checkbox"], [type="radio"]):not(:checked):not(:indeterminate), [aria-checked="false"]',
  mixed: ':indeterminate:not(progress), [aria-checked="mixed"], [aria-pressed="mixed"]',
  disabled: ':disabled, [aria-disabled="true"]',
  enabled: ':not(:disabled, [aria-disabled="true"])',
  focused: ":focus",
  selected: 'option:checked, [aria-selected="true"]',
  pressed: '[aria-pressed="true"]',
  expanded: 'details[open] > summary, [aria-expanded="true"]',
  collapsed: 'details:not([open]) > summary, [aria-expanded="false"]',
};

/**
 * Every visible element that matches: exact names before partial ones, controls before plain text.
 */
async function all(page: Page, root: Page | Locator, target: Target): Promise<Locator | undefined> {
  const scope = target.within ? await all(page, root, target.within) : root;
  if (!scope) return undefined;
  for (const way of ways(page, scope, target)) {
    let found = way;
    for (const state of target.states ?? []) found = found.and(page.locator(STATES[state]));
    found = found.filter({ visible: true });
    if ((await found.count()) > 0) return found;
  }
  if (target.words === undefined || target.states || !/\S\s+\S/.test(target.words)) return undefined;
  // A label and the value beside it are read as one text.
  const parts = target.words.trim().split(/\s+/).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  const spread = scope.getByText(new RegExp(parts.join("\\s*"), "i")).filter({ visible: true });
  return (await spread.count()) > 0 ? spread : undefined;
}

function ways(page: Page, root: Page | Locator, { css, role, name, words, level }: Target): Locator[] {
  if (css !== undefined) return [root.locator(css)];
  if (words !== undefined) return byWords(root, words);
  const of = level === undefined ? {} : { level };
  const as = role as Role;
  if (name === undefined)
    return level === undefined ? [...byWords(root, role!), root.getByRole(as)] : [root.getByRole(as, of)];
  return [
    root.getByRole(as, { ...of, name, exact: true }),
    root.getByRole(as, of).filter({ has: page.getByText(name, { exact: true }) }),
    root.getByRole(as, { ...of, name }),
    root.getByRole(as, of).filter({ hasText: name }),
  ];
}

const byWords = (root: Page | Locator, words: string) =>
  [true, false].flatMap((exact) => [
    root.getByRole("button", { name: words, exact }).or(root.getByRole("link", { name: words, exact })),
    root.getByLabel(words, { exact }),
    root.getByPlaceholder(words, { exact }),
    root.getByText(words, { exact }),
  ]);

/** The number of visible matching elements. */
export const count = async (page: Page, target: Target) => (await (await all(page, page, target))?.count()) ?? 0;

/** The first matching element, once it exists. */
export async function the(page: Page, target: Target, timeout = 5_000): Promise<Locator> {
  await expect.poll(() => count(page, target), { timeout, message: JSON.stringify(target) }).toBeGreaterThan(0);
  return (await all(page, page, target))!.first();
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** An element's field value, else its text, or undefined if the element is missing. */
export async function content(page: Page, target: Target): Promise<string | undefined> {
  const found = (await all(page, page, target))?.first();
  const text = found && (await found.inputValue({ timeout: 1_000 }).catch(() => found.innerText({ timeout: 1_000 })));
  return text === undefined ? undefined : plain(text);
}

/** Whether an element contains a text. */
export async function says(page: Page, target: Target, text: string): Promise<boolean> {
  const found = await content(page, target);
  return found !== undefined && (text === "" ? found === "" : found.toLowerCase().includes(plain(text).toLowerCase()));
}

export async function isIn(page: Page, target: Target, state: string): Promise<boolean> {
  const found = (await all(page, page, target))?.first();
  return found !== undefined && (await found.and(page.locator(STATES[state])).count()) > 0;
}

/**
 * Whether a computed style has a value; colours are compared by value, and a background by its
 * visible colour.
 */
export async function hasStyle(page: Page, target: Target, style: string, written: string, compare?: string): Promise<boolean> {
  const found = await the(page, target);
  return found.evaluate(
    (element, wanted) => {
      const context = new OffscreenCanvas(1, 1).getContext("2d")!;
      const pixel = (text: string) => {
        if (!CSS.supports("color", text)) return undefined;
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = text;
        context.fillRect(0, 0, 1, 1);
        return context.getImageData(0, 0, 1, 1).data.join();
      };
      const computed = (of: Element, name: string) => getComputedStyle(of).getPropertyValue(name).trim();
      const value = wanted.written.replaceAll(/var\(\s*(--[\w-]+)[^()]*\)/g, (all, name) => computed(element, name) || all);
      let is = computed(element, wanted.style);
      if (wanted.style === "background" && pixel(value) !== undefined) {
        let behind = element;
        if (element === document.body)
          for (const one of document.body.querySelectorAll("*")) {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            const isWhole = left <= 0 && right >= document.documentElement.clientWidth && bottom - top >= innerHeight;
            if (isWhole && pixel(computed(one, "background-color")) !== "0,0,0,0") behind = one;
          }
        while (behind.parentElement && pixel(computed(behind, "background-color")) === "0,0,0,0")
          behind = behind.parentElement;
        is = computed(behind, "background-color");
      }
      const same = (text: string) => text.toLowerCase().replaceAll(/["'\s]/g, "");
      const sizeOf = (of: Element | null) => (of ? Number.parseFloat(computed(of, "font-size")) : 16);
      const length = (text: string) => {
        const [, number, unit] = /^(-?[\d.]+)(px|rem|em)?$/.exec(text.trim()) ?? [];
        const around = wanted.style === "font-size" ? element.parentElement : element;
        const by = unit === "rem" ? sizeOf(document.documentElement) : unit === "em" ? sizeOf(around) : 1;
        return number === undefined ? Number.NaN : Math.round(Number(number) * by * 100) / 100;
      };
      const [has, wants] = [length(is), length(value)];
      if (wanted.compare === "at least") return has >= wants;
      if (wanted.compare === "at most") return has <= wants;
      if (wanted.compare === "more than") return has > wants;
      if (wanted.compare === "less than") return has < wants;
      if (has === wants) return true;
      const color = pixel(value);
      return color !== undefined && pixel(is) !== undefined ? pixel(is) === color : same(is) === same(value);
    },
    { style, written, compare },
  );
}

/**
 * Uploads a file to a field, even a hidden one behind a label, or to a control that opens a file
 * chooser.
 */
export async function upload(page: Page, target: Target, name: string, text: string): Promise<void> {
  const file = { name, mimeType: name.endsWith(".csv") ? "text/csv" : "application/octet-stream", buffer: Buffer.from(text) };
  const isField = page.locator('input[type="file"]');
  const labelled = page.getByLabel(target.words ?? target.name ?? "", { exact: true }).and(isField);
  if ((await labelled.count()) > 0) return labelled.first().setInputFiles(file);
  const found = await the(page, target);
  if ((await found.and(isField).count()) > 0) return found.setInputFiles(file);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), found.click()]);
  await chooser.setFiles(file);
}

/** Observes a page from before it is opened, and accepts its dialogs. */
export function watch(page: Page): { errors: string[]; downloads: Download[] } {
  const seen: { errors: string[]; downloads: Download[] } = { errors: [], downloads: [] };
  page.on("dialog", (dialog) => void dialog.accept().catch(() => {}));
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("console", (message) => void (message.type() === "error" && seen.errors.push(message.text())));
  page.on("download", (download) => seen.downloads.push(download));
  return seen;
}

/** The content of the last downloaded file of this name, or undefined if there was none. */
export async function fileText(downloads: Download[], name: string): Promise<string | undefined> {
  const found = downloads.findLast((one) => one.suggestedFilename() === name);
  if (!found) return undefined;
  const parts: Buffer[] = [];
  for await (const part of await found.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/** A unique word. */
export const freshValue = () => "n" + Math.random().toString(36).slice(2, 9).padEnd(7, "0");
`;
