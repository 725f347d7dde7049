import { cut } from "./text.ts";

/** An element as checks name it: by role and name, by its text, or by a selector. */
export interface Target {
  role?: string;
  name?: string;
  /** The row or item that contains the element, if several match. */
  within?: { role: string; name: string };
  words?: string;
  css?: string;
}

type Field = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;

const SCOPES =
  "tr,li,article,dialog,[role=row],[role=listitem],[role=article],[role=dialog],[role=group],fieldset";
const rolesIn = (rows: string) =>
  new Map(rows.split(" ").map((row) => row.split(":") as [string, string]));
const TAG_ROLES = rolesIn(
  "A:link BUTTON:button TEXTAREA:textbox SELECT:combobox OPTION:option IMG:img LI:listitem TR:row TD:cell " +
    "TH:columnheader TABLE:table UL:list OL:list ARTICLE:article DIALOG:dialog FIELDSET:group " +
    "PROGRESS:progressbar METER:meter OUTPUT:status",
);
const INPUT_ROLES = rolesIn(
  "button:button submit:button reset:button image:button checkbox:checkbox radio:radio range:slider " +
    "number:spinbutton search:searchbox",
);

/** A text on one line. */
export const tidy = (text: unknown, size = 80): string =>
  cut(
    String(text || "")
      .replace(/\s+/g, " ")
      .trim(),
    size,
  ).trim();

const isDisplayed = (element: Element | null) =>
  !element?.checkVisibility || element.checkVisibility({ visibilityProperty: true });

export function roleOf(element: Element): string {
  const own = (element.getAttribute("role") || "").trim().split(/\s+/)[0];
  if (own) return /^(presentation|none|generic)$/.test(own) ? "" : own;
  const { tagName } = element;
  const { list, type, multiple, size, isContentEditable } = element as Field;
  if (/^H[1-6]$/.test(tagName)) return "heading";
  if (tagName === "INPUT") return list ? "combobox" : INPUT_ROLES.get(type) || "textbox";
  if (tagName === "SELECT" && (multiple || size > 1)) return "listbox";
  if (tagName === "A") return element.hasAttribute("href") ? "link" : "";
  const { parentElement } = element;
  const isEditor = isContentEditable && parentElement && !parentElement.isContentEditable;
  return isEditor ? "textbox" : TAG_ROLES.get(tagName) || "";
}

/** Whether an element takes text or a chosen value. */
export function isField(element: Element): boolean {
  const { isContentEditable, type } = element as Field;
  return (
    isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
    (element.tagName === "INPUT" && !INPUT_ROLES.has(type)) ||
    /^(number|search|range)$/.test(type)
  );
}

/** The text of a node as it is displayed and read aloud. */
export function contentOf(node: Node): string {
  if (node.nodeType === 3) return (node as Text).data;
  const element = node as HTMLImageElement;
  if (node.nodeType !== 1 || element.getAttribute("aria-hidden") === "true") return "";
  if (!isDisplayed(element)) return "";
  const label = element.getAttribute("aria-label") || element.alt;
  const text = label || [...(element.shadowRoot || element).childNodes].map(contentOf).join("");
  return getComputedStyle(element).display.startsWith("inline") ? text : ` ${text} `;
}

/** The texts of the elements that `aria-labelledby` names. */
function labelledBy(element: Element): string {
  const root = element.getRootNode() as Document;
  return (element.getAttribute("aria-labelledby") || "")
    .split(/\s+/)
    .map((id) => id && root.getElementById(id))
    .filter((label) => label instanceof Element)
    .map(contentOf)
    .join(" ");
}

/** The texts of a field's labels, without the field itself. */
const labelsOf = (element: Element) =>
  [...((element as Field).labels || [])]
    .map((label) =>
      [...label.childNodes]
        .map((node) => (node.contains(element) ? "" : contentOf(node)))
        .join(" "),
    )
    .join(" ");

function nameOf(element: Element): string {
  const { value, alt, type, title, placeholder } = element as Field & HTMLImageElement;
  const { tagName } = element;
  const isButton = tagName === "INPUT" && INPUT_ROLES.get(type) === "button";
  const legend = tagName === "FIELDSET" && element.querySelector("legend");
  const isNamedByContent = !isField(element) || /^(checkbox|radio)$/.test(roleOf(element));
  return tidy(
    labelledBy(element) ||
      element.getAttribute("aria-label") ||
      labelsOf(element) ||
      (isButton && (value || alt || type)) ||
      (legend && contentOf(legend)) ||
      (isNamedByContent && contentOf(element)) ||
      title ||
      placeholder ||
      alt,
  );
}

function selectorOf(element: Element): string {
  const path: string[] = [];
  let at: Element | null = element;
  for (; at && at !== document.documentElement && path.length < 6; at = at.parentElement) {
    const byId = `#${CSS.escape(at.id)}`;
    if (at.id && document.querySelectorAll(byId).length === 1) {
      path.unshift(byId);
      break;
    }
    const siblings = at.parentElement ? [...at.parentElement.children] : [];
    const place = siblings.length > 1 ? `:nth-child(${siblings.indexOf(at) + 1})` : "";
    path.unshift(at.localName + place);
  }
  return cut(path.join(" > "), 300);
}

/** Number of displayed elements with this role and name. */
function countAlike(element: Element, role: string, name: string): number {
  const used = element.getAttribute("role")
    ? "[role],button,a,input"
    : `${element.localName},[role]`;
  return [...document.querySelectorAll(used)].filter(
    (one) => isDisplayed(one) && roleOf(one) === role && nameOf(one) === name,
  ).length;
}

function firstText(element: Element, without: Element): string {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode as Text;
    const text = tidy(node.data, 60);
    if (text && !without.contains(node) && isDisplayed(node.parentElement)) return text;
  }
  return "";
}

/** How a check finds an element: without role, name and text, by a selector. */
export function targetOf(element: Element): Target {
  const [role, name] = [roleOf(element), nameOf(element)];
  if (!role || !name) {
    const text = !isField(element) && tidy(contentOf(element));
    return text ? { words: text } : { css: selectorOf(element) };
  }
  if (countAlike(element, role, name) < 2) return { role, name };
  const scope = element.parentElement?.closest(SCOPES);
  const within = scope ? firstText(scope, element) : "";
  const isShared =
    scope &&
    [...document.querySelectorAll(scope.localName)].some(
      (one) => one !== scope && !one.contains(scope) && contentOf(one).includes(within),
    );
  if (!scope || !within || isShared || !roleOf(scope)) return { css: selectorOf(element) };
  return { role, name, within: { role: roleOf(scope), name: within } };
}
