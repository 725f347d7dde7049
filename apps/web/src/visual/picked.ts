/** This module parses the previewed page's description of the picked element; all of it comes from generated code. */

export const PROPERTIES = [
  "color",
  "background-color",
  "font-size",
  "font-weight",
  "text-align",
  "padding",
  "margin",
  "gap",
  "border-radius",
  "width",
] as const;
export type Property = (typeof PROPERTIES)[number];

/** The rule that sets a property. */
export interface SettingRule {
  /** Whether it is the element's own `style`. */
  here: boolean;
  /** The style sheet's file as named by the dev server, or its URL. */
  file: string | undefined;
  /** Index of the `<style>` element in the document. */
  inline: number | undefined;
  selector: string;
  value: string;
  /** Number of elements on the page that the rule matches. */
  reach: number;
}

export interface Picked {
  tag: string;
  label: string;
  id: string;
  classes: string;
  style: string;
  text: string;
  /** Number of its own text nodes. */
  texts: number;
  /** Whether it has no child elements. */
  bare: boolean;
  /** Number of elements on the page that come from the same place in the source. */
  same: number;
  /** From the root: each a tag, and its index among siblings of that tag. */
  path: [string, number][];
  /** Labels of its ancestors and itself, the outermost first. */
  chain: string[];
  from: {
    kind: "react" | "svelte" | "vue" | "html";
    /** `file:line:column`, a file, or a URL. */
    at: string | undefined;
    /** Where the component that rendered it is used. */
    within: string | undefined;
  };
  styles: Record<Property, { value: string; by: SettingRule | undefined }>;
}

/** The person dragged an element to another place among its siblings. */
export interface Move {
  element: Picked;
  /** The sibling at the new place. */
  beside: Picked;
  /** Whether the element comes after that sibling; otherwise before it. */
  after: boolean;
}

type Sent = Record<string, unknown>;
const isSent = (value: unknown): value is Sent =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown, limit = 2000) =>
  typeof value === "string" ? value.slice(0, limit) : "";
const count = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;

export type PickMessage =
  | { type: "picking"; on: boolean }
  | { type: "picked"; element: Picked | undefined; more: Picked[] }
  /** The selected element was dragged beside a sibling; `path` leads to its new place. */
  | { type: "moved"; move: Move; path: Picked["path"] }
  | { type: "escape" };

/** Parses a message about picking elements; undefined for anything else. The caller has checked the sender. */
export function readPickMessage(data: unknown): PickMessage | undefined {
  if (!isSent(data)) return undefined;
  switch (data["type"]) {
    case "treadle:picking":
      return { type: "picking", on: data["on"] === true };
    case "treadle:escape":
      return { type: "escape" };
    case "treadle:picked":
      return { type: "picked", element: readPicked(data["element"]), more: readMore(data["more"]) };
    case "treadle:moved": {
      const [element, beside] = [readPicked(data["element"]), readPicked(data["beside"])];
      if (!element || !beside) return undefined;
      const move = { element, beside, after: data["after"] === true };
      return { type: "moved", move, path: readPath(data["path"]) };
    }
    default:
      return undefined;
  }
}

/** Elements that can be selected beside the first. */
const MAX_MORE = 30;

const readMore = (data: unknown): Picked[] =>
  (Array.isArray(data) ? data : []).slice(0, MAX_MORE).flatMap((one) => readPicked(one) ?? []);

const readPath = (data: unknown): Picked["path"] =>
  (Array.isArray(data) ? data : []).slice(0, 200).map((step: unknown) => {
    const [tag, nth]: unknown[] = Array.isArray(step) ? step : [];
    return [text(tag, 60), count(nth)];
  });

function readPicked(data: unknown): Picked | undefined {
  if (!isSent(data) || text(data["tag"]) === "") return undefined;
  const from = isSent(data["from"]) ? data["from"] : {};
  const kind = (["react", "svelte", "vue"] as const).find((one) => one === from["kind"]) ?? "html";
  const styles = isSent(data["styles"]) ? data["styles"] : {};
  return {
    tag: text(data["tag"], 60),
    label: text(data["label"], 80),
    id: text(data["id"], 200),
    classes: text(data["classes"]),
    style: text(data["style"]),
    text: text(data["text"]),
    texts: count(data["texts"]),
    bare: data["bare"] === true,
    same: Math.max(1, count(data["same"])),
    path: readPath(data["path"]),
    chain: (Array.isArray(data["chain"]) ? data["chain"] : [])
      .slice(0, 8)
      .map((one) => text(one, 80)),
    from: {
      kind,
      at: text(from["at"], 500) || undefined,
      within: text(from["within"], 500) || undefined,
    },
    styles: Object.fromEntries(
      PROPERTIES.map((name) => [name, readStyle(styles[name])]),
    ) as Picked["styles"],
  };
}

function readStyle(data: unknown): Picked["styles"][Property] {
  if (!isSent(data)) return { value: "", by: undefined };
  const { by } = data;
  return {
    value: text(data["value"], 200),
    by: isSent(by)
      ? {
          here: by["here"] === true,
          file: text(by["file"], 500) || undefined,
          inline: typeof by["inline"] === "number" ? count(by["inline"]) : undefined,
          selector: text(by["selector"], 500),
          value: text(by["value"], 200),
          reach: count(by["reach"]),
        }
      : undefined,
  };
}
