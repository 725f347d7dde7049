import { OWN_ROOT } from "../own-paths.ts";
import { askPlaces } from "./ask-places.ts";
import { stylesOf } from "./styles.ts";
import { cut } from "./text.ts";

/** The tag name of Treadle's element that frames the picked elements. */
export const MARK = "treadle-mark";

/** A path from the root: names, each with its index among the siblings of that name. */
export type Path = [tag: string, index: number][];

/** Number of elements of one name beyond which those of the same place are not counted. */
const MOST_ALIKE = 2000;

/** React's internal record of an element or component. */
interface Fiber {
  stateNode?: unknown;
  sibling?: Fiber;
  child?: Fiber;
  return?: Fiber;
  memoizedProps?: { children?: unknown };
  _debugStack?: { stack?: string };
  _debugSource?: { fileName: string; lineNumber: number; columnNumber?: number };
  _debugOwner?: Fiber;
}

interface VueInstance {
  type: { __file?: string };
  parent?: VueInstance;
}

/** Properties that frameworks add to elements in development. */
interface Annotated {
  __svelte_meta?: { loc?: { file: string; line: number; column: number } };
  __vueParentComponent?: VueInstance;
}

function keptAt(holder: object | undefined, start: string): unknown {
  for (const key in holder)
    if (key.startsWith(start)) return (holder as Record<string, unknown>)[key];
  return undefined;
}

/**
 * The current fiber of each element. The element itself refers to the first of its two fibers, which
 * may be outdated after a hot update.
 */
let fibers = new Map<Element, Fiber>();

function walkFibers(): void {
  fibers = new Map();
  const containers = [document, ...document.querySelectorAll("*")];
  const roots = new Set(containers.map((holder) => keptAt(holder, "__reactContainer$")));
  for (const root of roots) {
    const state = (root as Fiber | undefined)?.stateNode as { current?: Fiber } | undefined;
    const open = state?.current ? [state.current] : [];
    for (let fiber = open.pop(); fiber; fiber = open.pop()) {
      if (fiber.stateNode instanceof Element) fibers.set(fiber.stateNode, fiber);
      if (fiber.sibling) open.push(fiber.sibling);
      if (fiber.child) open.push(fiber.child);
    }
  }
}

const fiberOf = (element: Element) =>
  fibers.get(element) ?? (keptAt(element, "__reactFiber$") as Fiber | undefined);

const plainFile = (file: string) => file.replace(/^.*\/home\/project\//, "").replace(/^\.?\//, "");

/** The React element with these props among the children that its parent was given. */
function findGiven(given: unknown, props: unknown): Pick<Fiber, "_debugStack"> | undefined {
  if (Array.isArray(given)) {
    for (const one of given) {
      const found = findGiven(one, props);
      if (found) return found;
    }
    return undefined;
  }
  const one = given as { props?: unknown } | undefined;
  return one && one.props === props ? (one as Pick<Fiber, "_debugStack">) : undefined;
}

/**
 * The stack of an element's creation; empty if there is none. A fiber has its own; after a hot update
 * the newer one is in its parent's props.
 */
function stackOf(fiber: Fiber): string {
  let made: Pick<Fiber, "_debugStack"> | undefined;
  let up = fiber.return;
  for (let level = 0; up && level < 6 && !made; level++, up = up.return)
    made = findGiven(up.memoizedProps?.children, fiber.memoizedProps);
  const stack = made?._debugStack || fiber._debugStack;
  return stack ? cut(stack.stack || stack, 4000) : "";
}

/** The source position that React 18 and older add to a fiber. */
const keptSource = ({ _debugSource: source }: Fiber) =>
  source && `${plainFile(source.fileName)}:${source.lineNumber}:${source.columnNumber || 1}`;

/** The line in the project's files from which a stack comes. */
const ownLine = (stack: string) =>
  stack.split("\n").find((line) => /:\d+:\d+\)?$/.test(line) && !/node_modules|\/@/.test(line)) ||
  "";

/** The place in the source that an element comes from, as far as it is known; otherwise empty. */
function siteOf(element: Element & Annotated): string {
  const fiber = fiberOf(element);
  if (fiber) return keptSource(fiber) || ownLine(stackOf(fiber));
  const loc = element.__svelte_meta?.loc;
  return loc ? `${loc.file}:${loc.line}:${loc.column}` : "";
}

/** The text nodes of an element that are not blank. */
export const textsOf = (element: Element): Text[] =>
  [...element.childNodes].filter(
    (node) => node.nodeType === 3 && (node as Text).data.trim(),
  ) as Text[];

/** Whether an element is Treadle's, and not the page's. */
export const isOwn = (element: Element): boolean =>
  element.localName === MARK ||
  (element instanceof HTMLScriptElement && element.src.includes(OWN_ROOT));

/** The children of an element with this name. */
const childrenOf = (parent: Element, tag: string) =>
  [...parent.children].filter((child) => child.localName === tag && !isOwn(child));

export function pathOf(element: Element): Path {
  const path: Path = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const parent = at.parentElement;
    path.unshift([at.localName, parent ? childrenOf(parent, at.localName).indexOf(at) : 0]);
  }
  return path;
}

export function findElement(path: Path | undefined): HTMLElement | undefined {
  let found: Element | undefined = document.documentElement;
  for (const [tag, index] of (path || []).slice(1)) found = found && childrenOf(found, tag)[index];
  return found as HTMLElement | undefined;
}

export const labelOf = (element: Element): string => {
  const classes = [...element.classList].slice(0, 2).map((name) => `.${name}`);
  return cut(element.localName + (element.id ? `#${element.id}` : "") + classes.join(""), 60);
};

/** The element and its ancestors, the outermost first, at most six. */
export function chainOf(element: HTMLElement): HTMLElement[] {
  const chain: HTMLElement[] = [];
  let at: HTMLElement | null = element;
  for (; at && at !== document.documentElement && chain.length < 6; at = at.parentElement)
    chain.unshift(at);
  return chain;
}

async function reactOrigin(fiber: Fiber) {
  const source = keptSource(fiber);
  if (source) return { kind: "react", at: source };
  const stacks: string[] = [];
  for (let at: Fiber | undefined = fiber; at && stacks.length < 6; at = at._debugOwner) {
    const stack = stackOf(at);
    if (stack) stacks.push(stack);
  }
  const [at, ...owners] = stacks.length > 0 ? await askPlaces(stacks) : [];
  return { kind: "react", at: at || undefined, within: owners.find(Boolean) };
}

/**
 * An element's position in the source, as far as its framework keeps that in development: React the
 * stack of the creating call, Svelte a position, Vue the component's file; for elements in the
 * document itself, the page.
 */
async function originOf(element: Element & Annotated) {
  const fiber = fiberOf(element);
  if (fiber) return reactOrigin(fiber);
  const loc = element.__svelte_meta?.loc;
  if (loc) return { kind: "svelte", at: `${plainFile(loc.file)}:${loc.line}:${loc.column + 1}` };
  for (let vue = element.__vueParentComponent; vue; vue = vue.parent) {
    const file = vue.type.__file;
    if (file && !/node_modules/.test(file)) return { kind: "vue", at: plainFile(file) };
  }
  return { kind: "html", at: location.pathname };
}

/** Describes an element for the workbench. */
export async function describe(element: HTMLElement) {
  walkFibers();
  const site = siteOf(element);
  const alike = document.getElementsByTagName(element.localName);
  const isCounted = site !== "" && alike.length < MOST_ALIKE;
  const texts = textsOf(element);
  const text = texts.map(({ data }) => data).join(" ");
  return {
    tag: element.localName,
    label: labelOf(element),
    id: cut(element.id, 200),
    classes: cut(element.getAttribute("class") ?? ""),
    style: cut(element.getAttribute("style") ?? ""),
    text: cut(text.replace(/\s+/g, " ").trim()),
    texts: texts.length,
    bare: element.children.length === 0,
    same: isCounted ? [...alike].filter((one) => siteOf(one) === site).length : 1,
    path: pathOf(element),
    chain: chainOf(element).map(labelOf),
    from: await originOf(element),
    styles: stylesOf(element),
  };
}
