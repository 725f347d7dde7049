import type { Locator, Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];

/** `button "Add"`: the way in which the outline names things. */
const ROLE_AND_NAME = /^([a-z]+)(?:\s+"(.*)")?$/s;

const ROLES: ReadonlySet<string> = new Set<Role>([
  ...(["alert", "article", "banner", "button", "cell", "checkbox", "columnheader"] as const),
  ...(["combobox", "complementary", "contentinfo", "dialog", "figure", "form", "grid"] as const),
  ...(["gridcell", "group", "heading", "img", "link", "list", "listbox", "listitem"] as const),
  ...(["main", "menu", "menuitem", "meter", "navigation", "option", "paragraph"] as const),
  ...(["progressbar", "radio", "radiogroup", "region", "row", "rowheader", "search"] as const),
  ...(["searchbox", "separator", "slider", "spinbutton", "status", "switch", "tab"] as const),
  ...(["table", "tablist", "tabpanel", "textbox", "timer", "toolbar", "tree", "treeitem"] as const),
]);

/** Milliseconds between two looks for something that is not there yet. */
const AGAIN_MS = 100;

export interface Target {
  locator: Locator;
  /** How many things fit what was asked for; the first one is taken. */
  among: number;
}

/**
 * Finds what a person would mean: exact names before parts of one, what can be used before plain text, and only what
 * is visible. Resolves with undefined when nothing came within `ms`. Rejects when `css=` is followed by no selector.
 */
export async function findTarget(page: Page, on: string, ms: number): Promise<Target | undefined> {
  const ways = waysTo(page, on);
  const until = performance.now() + ms;
  for (;;) {
    for (const way of ways) {
      const visible = way.filter({ visible: true });
      const among = await visible.count();
      if (among > 0) return { locator: visible.first(), among };
    }
    if (performance.now() >= until) return undefined;
    await page.waitForTimeout(AGAIN_MS);
  }
}

function waysTo(page: Page, on: string): Locator[] {
  if (on.startsWith("css=")) return [page.locator(on)];
  const [, role, name] = ROLE_AND_NAME.exec(on) ?? [];
  const named =
    role !== undefined && ROLES.has(role) ? byRole(page, role as Role, name) : ([] as Locator[]);
  // A lone word such as "list" may be a role as well as what a button says.
  return name !== undefined && named.length > 0 ? named : [...byWords(page, on), ...named];
}

function byRole(page: Page, role: Role, name: string | undefined): Locator[] {
  if (name === undefined) return [page.getByRole(role)];
  return [
    page.getByRole(role, { name, exact: true }),
    page.getByRole(role, { name }),
    // Paragraphs and list items have no name of their own: a person means what they say.
    page.getByRole(role).filter({ hasText: name }),
  ];
}

function byWords(page: Page, words: string): Locator[] {
  return [true, false].flatMap((exact) => [
    page
      .getByRole("button", { name: words, exact })
      .or(page.getByRole("link", { name: words, exact })),
    page.getByLabel(words, { exact }),
    page.getByPlaceholder(words, { exact }),
    page.getByText(words, { exact }),
  ]);
}
