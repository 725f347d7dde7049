import { cut } from "./text.ts";

const PROPERTIES =
  "color background-color font-size font-weight text-align padding margin gap border-radius width";

/** Where a property's value comes from: the element itself, or a rule and its style sheet. */
export interface Origin {
  value: string;
  here?: true;
  selector?: string;
  /** Number of elements to which the rule applies. */
  reach?: number;
  file?: string;
  /** The index of the style element in the document. */
  inline?: number;
}

interface Applied {
  rule: CSSStyleRule;
  sheet: Pick<Origin, "file" | "inline"> | undefined;
  layer: number;
  weight: number;
  order: number;
}

let described: Record<string, CSSStyleRule> = {};

/** The rule that sets a property of the element that was described last. */
export const ruleOf = (property: string): CSSStyleRule | undefined => described[property];

/** The specificity of a selector, as a number. */
function weigh(selector: string): number {
  const plain = selector
    .replace(/:where\((?:[^()]|\([^()]*\))*\)/g, "")
    .replace(/:(?:is|not|has)\(/g, "(")
    .replace(/"[^"]*"/g, "");
  const count = (pattern: RegExp) => (plain.match(pattern) || []).length;
  const pseudoElements = count(/::[\w-]+/g);
  const classes = count(/\.[\w\\-]/g) + count(/\[/g) + count(/:[\w-]+/g) - pseudoElements;
  const tags = count(/(?:^|[\s>+~(,])[a-z]/gi) + pseudoElements;
  return count(/#[\w-]/g) * 1e6 + classes * 1e3 + tags;
}

function sheetOf({ href, ownerNode }: CSSStyleSheet): Applied["sheet"] {
  const owner = ownerNode instanceof Element ? ownerNode : undefined;
  const id = owner?.getAttribute("data-vite-dev-id") || owner?.getAttribute("data-href");
  if (id) return { file: cut(id, 500) };
  if (href) {
    const url = new URL(href);
    return url.origin === location.origin ? { file: url.pathname } : undefined;
  }
  if (!owner) return undefined;
  return { inline: [...document.querySelectorAll("style:not([data-vite-dev-id])")].indexOf(owner) };
}

const matches = (element: Element, selector: string): boolean => {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
};

/** All rules that apply to an element, the strongest last. */
function rulesOf(element: Element): Applied[] {
  const found: Applied[] = [];
  const layers: string[] = [];
  let order = 0;
  const rank = (name: string | undefined): number => {
    if (name === undefined) return 1e9;
    if (!layers.includes(name)) layers.push(name);
    return layers.indexOf(name);
  };
  const walk = (rules: CSSRuleList, layer: string | undefined, sheet: Applied["sheet"]): void => {
    for (const one of rules) {
      order++;
      const rule = one as CSSStyleRule & CSSMediaRule & CSSImportRule & CSSLayerStatementRule;
      const kind = rule.constructor.name;
      if (rule.nameList) rule.nameList.forEach(rank);
      if (rule.selectorText && rule.style) {
        const fitting = rule.selectorText
          .split(/,(?![^(]*\))/)
          .filter((selector) => matches(element, selector));
        const weight = Math.max(...fitting.map(weigh));
        if (fitting.length > 0) found.push({ rule, sheet, layer: rank(layer), weight, order });
      } else if (rule.cssRules) {
        const applies =
          one instanceof CSSMediaRule
            ? matchMedia(one.conditionText).matches
            : kind !== "CSSKeyframesRule";
        const { name } = one as CSSLayerBlockRule;
        const inside = layer === undefined ? name : `${layer}.${name}`;
        if (applies) walk(rule.cssRules, kind === "CSSLayerBlockRule" ? inside : layer, sheet);
      } else if (rule.styleSheet) walkSheet(rule.styleSheet, layer, sheet);
    }
  };
  const walkSheet = (
    sheet: CSSStyleSheet,
    layer: string | undefined,
    from: Applied["sheet"],
  ): void => {
    try {
      walk(sheet.cssRules, layer, from);
    } catch {
      // A style sheet of another origin.
    }
  };
  for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets || [])])
    walkSheet(sheet, undefined, sheetOf(sheet));
  return found.toSorted((a, b) => a.layer - b.layer || a.weight - b.weight || a.order - b.order);
}

function reachOf(selector: string): number {
  try {
    return document.querySelectorAll(selector).length;
  } catch {
    return 0;
  }
}

/**
 * An element's style, property by property, with the rule that applies: the cascade, by importance,
 * layer, specificity and order. Style sheets of other origins cannot be read, so their rules are
 * missing.
 */
export function stylesOf(element: HTMLElement): Record<string, { value: string; by?: Origin }> {
  const rules = rulesOf(element);
  const shown = getComputedStyle(element);
  described = {};
  const styleOf = (property: string): { value: string; by?: Origin } => {
    const value = shown.getPropertyValue(property);
    const setting = rules.filter(({ rule }) => rule.style.getPropertyValue(property));
    const isImportant = ({ rule }: Applied) => rule.style.getPropertyPriority(property) !== "";
    const winner = setting.findLast(isImportant) || setting.at(-1);
    const here = element.style.getPropertyValue(property);
    const isOverruled =
      winner && isImportant(winner) && !element.style.getPropertyPriority(property);
    if (here && !isOverruled) return { value, by: { here: true, value: here } };
    if (!winner) return { value };
    const { rule, sheet } = winner;
    described[property] = rule;
    const by = {
      ...sheet,
      selector: cut(rule.selectorText, 500),
      value: cut(rule.style.getPropertyValue(property), 200),
      reach: reachOf(rule.selectorText),
    };
    return { value, by };
  };
  return Object.fromEntries(PROPERTIES.split(" ").map((property) => [property, styleOf(property)]));
}
