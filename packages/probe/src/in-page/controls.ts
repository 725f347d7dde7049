/** Maximum length of a control's name, in characters. */
const NAME_CHARS = 60;
/** Maximum number of listed controls per page. */
const LISTED = 60;

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

/** Properties of controls and fields; each has only some of them. */
export interface Control extends HTMLElement {
  type?: string;
  value?: string;
  alt?: string;
  name?: string;
  form?: HTMLFormElement | null;
  checked?: boolean;
  required?: boolean;
  disabled?: boolean;
  min?: string;
  minLength?: number;
  options?: HTMLOptionsCollection;
  open?: boolean;
  paused?: boolean;
}

export const CONTROLS =
  "button,[role=button],[role=tab],[role=menuitem],[role=switch],[role=link],a[href],input[type=button],input[type=submit],input[type=reset],input[type=image],summary,[onclick]";
const OVERLAYS = "vite-error-overlay,nextjs-portal,#webpack-dev-server-client-overlay";
const IS_BUTTON = /^(?:button|submit|reset|image)$/;

/** Values that fields accept, by their type. */
const SAMPLES: Record<string, string> = {
  email: "person@example.com",
  url: "https://example.com",
  tel: "+15550100",
  password: "Correct-horse-7",
  date: "2030-01-15",
  time: "10:30",
  "datetime-local": "2030-01-15T10:30",
  month: "2030-01",
  week: "2030-W03",
};

function isDisplayed(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  const isVisible = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return width > 3 && height > 3 && isVisible;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a link leads nowhere; one with a target needs no script. */
function isDeadEnd(link: Element): boolean {
  const target = (link.getAttribute("href") ?? "").trim();
  if (target === "") return true;
  if (/^(?:#!?|javascript:\s*(?:void\s*\(?\s*0?\s*\)?\s*;?|;|))$/i.test(target)) return true;
  if (!/^#[^/!]/.test(target) || /^#top$/i.test(target)) return false;
  const id = decoded(target.slice(1));
  return !document.getElementById(id) && !document.getElementsByName(id)[0];
}

/** Whether a control is already the chosen one of several. */
const isChosen = (element: Element): boolean =>
  ["aria-selected", "aria-pressed", "aria-checked"].some(
    (name) => element.getAttribute(name) === "true",
  ) || !["false", null].includes(element.getAttribute("aria-current"));

function nameOf(element: Control): string {
  const labelledBy = (element.getAttribute("aria-labelledby") ?? "")
    .split(/\s+/)
    .map((id) => document.getElementById(id)?.textContent ?? "")
    .join(" ");
  const texts: unknown[] = [
    element.getAttribute("aria-label"),
    labelledBy,
    element.innerText,
    element.value,
    element.title,
    element.querySelector<HTMLImageElement>("img[alt]")?.alt,
    element.querySelector("svg title")?.textContent,
    element.getAttribute("alt"),
  ];
  const names = texts.map((text) =>
    (typeof text === "string" ? text : "").trim().replace(/\s+/g, " "),
  );
  return names.find((name) => name !== "")?.slice(0, NAME_CHARS) ?? "";
}

function roleOf(element: Element): string {
  const { localName } = element;
  const role = element.getAttribute("role");
  if (role !== null) return role;
  if (localName === "a") return "link";
  return /^(?:summary|button|input)$/.test(localName) ? "button" : localName;
}

function subjectOf(element: Control): string {
  const { localName, id, classList } = element;
  const name = nameOf(element);
  if (name) return `${roleOf(element)} ${JSON.stringify(name)}`;
  const mark = id ? `#${id}` : classList[0] ? `.${classList[0]}` : "";
  return `${roleOf(element)} css=${localName}${mark}`;
}

/** All controls of a document, with those of open shadow roots. */
function* allControls(root: ParentNode): Generator<Control> {
  for (const element of root.querySelectorAll<Control>("*")) {
    if (element.matches(CONTROLS)) yield element;
    if (element.shadowRoot && !element.matches(OVERLAYS)) yield* allControls(element.shadowRoot);
  }
}

/** Whether pressing a control has to have an effect. */
function isPressed(element: Control): boolean {
  const { localName, type = "" } = element;
  if (element.closest(OVERLAYS) || element.parentElement?.closest(CONTROLS)) return false;
  if (!isDisplayed(element)) return false;
  if (element.matches(":disabled,[aria-disabled=true],[inert],[inert] *")) return false;
  if (getComputedStyle(element).pointerEvents === "none") return false;
  if (/^(?:body|html|label|input|select|textarea)$/.test(localName) && !IS_BUTTON.test(type))
    return false;
  const isLink = localName === "a" && element.hasAttribute("href");
  return !(isLink && !isDeadEnd(element)) && !isChosen(element);
}

/** The page's controls that have to have an effect when pressed, by their keys. */
export function findControls(): Map<string, Control> {
  const found = new Map<string, Control>();
  const counts = new Map<string, number>();
  for (const element of allControls(document)) {
    if (found.size >= LISTED) break;
    if (!isPressed(element)) continue;
    const subject = subjectOf(element);
    const count = counts.get(subject) ?? 0;
    counts.set(subject, count + 1);
    found.set(`${subject} #${count}`, element);
  }
  return found;
}

const parents: (ParentNode | null)[] = [];

function groupOf({ parentNode }: Element): number {
  if (!parents.includes(parentNode)) parents.push(parentNode);
  return parents.indexOf(parentNode);
}

export const listControls = (): ListedControl[] =>
  [...findControls()].map(([key, element]) => ({
    key,
    subject: subjectOf(element),
    kind: element.localName === "a" && element.hasAttribute("href") ? "link" : "control",
    isSubmit: Boolean(element.form) && /^(?:submit|image)$/.test(element.type ?? ""),
    group: groupOf(element),
  }));

/** The position of a control in the window, after scrolling to it; undefined if it is covered. */
export function placeOf(element: Element): { x: number; y: number } | undefined {
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit && (element.contains(hit) || hit.contains(element)) ? { x, y } : undefined;
}

/** Sets a value as typing does, which frameworks notice. */
function setValue(field: Control, value: string): void {
  const owner =
    field.localName === "select"
      ? HTMLSelectElement
      : field.localName === "textarea"
        ? HTMLTextAreaElement
        : HTMLInputElement;
  Object.getOwnPropertyDescriptor(owner.prototype, "value")!.set!.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function isGroupChosen({ form, name = "" }: Control): boolean {
  const group = form?.elements.namedItem(name) as { value?: string } | null | undefined;
  return Boolean(group?.value);
}

function fillField(field: Control): void {
  const { type = "", required, value } = field;
  if (!isDisplayed(field) || field.matches(":disabled,[readonly]")) return;
  if (/^(?:button|submit|reset|image|file|hidden|color|range)$/.test(type)) return;
  if (type === "radio") {
    if (required && !isGroupChosen(field)) field.click();
  } else if (type === "checkbox") {
    if (required && !field.checked) field.click();
  } else if (value !== "") return;
  else if (field.localName === "select") {
    const option = [...field.options!].find((one) => one.value && !one.disabled);
    if (option) setValue(field, option.value);
  } else if (type === "number") setValue(field, field.min || "1");
  else setValue(field, SAMPLES[type] ?? "Sample".padEnd(Math.max(0, field.minLength!), "s"));
}

/** Fills the empty fields of a form, or of the whole page. */
export function fillFields(scope: ParentNode): void {
  for (const field of scope.querySelectorAll<Control>("input,textarea,select")) fillField(field);
}

/** Ticks all displayed and enabled checkboxes. */
export function tickBoxes(): void {
  const boxes = document.querySelectorAll<Control>("input[type=checkbox]:not(:checked)");
  for (const box of boxes) if (isDisplayed(box) && !box.disabled) box.click();
}

/** The state of everything in the page that keeps a value. */
export function valuesOf(): string {
  const holders = "input,textarea,select,details,dialog,video,audio";
  return [...document.querySelectorAll<Control>(holders)]
    .map(({ localName, value, checked, open, paused }) =>
      localName === "input" || value !== undefined
        ? (checked ? "+" : "-") + value
        : String(open ?? paused),
    )
    .join("\n");
}
