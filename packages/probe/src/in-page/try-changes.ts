import { textsOf } from "./elements.ts";
import { ruleOf } from "./styles.ts";

/** A change that is shown before the source has it; of a property by its rule, or at the element. */
export interface Trial {
  text?: unknown;
  classes?: unknown;
  property?: unknown;
  value?: unknown;
  rule?: unknown;
  /** Whether to undo all changes instead. */
  back?: unknown;
}

/** Changes of elements that are shown at once, and undone together. */
export function createTrials() {
  let undos: (() => void)[] = [];

  function setText(element: HTMLElement, text: string): void {
    const [node, ...others] = textsOf(element);
    if (!node || others.length > 0) return;
    const { data } = node;
    undos.push(() => (node.data = data));
    node.data = /^\s*/.exec(data)![0] + text + /\s*$/.exec(data)![0];
  }

  function setClasses(element: HTMLElement, classes: string): void {
    const before = element.getAttribute("class");
    undos.push(() =>
      before === null ? element.removeAttribute("class") : element.setAttribute("class", before),
    );
    element.setAttribute("class", classes);
  }

  function setProperty({ style }: Pick<HTMLElement, "style">, property: string, value: unknown) {
    const before = style.getPropertyValue(property);
    const priority = style.getPropertyPriority(property);
    undos.push(() => style.setProperty(property, before, priority));
    style.setProperty(property, String(value), priority);
  }

  return {
    /** Shows a change of an element. @param others elements whose property is set as well */
    attempt(element: HTMLElement, others: readonly HTMLElement[], trial: Trial): void {
      const { text, classes, property, value, rule } = trial;
      if (typeof text === "string") setText(element, text);
      if (typeof classes === "string") setClasses(element, classes);
      if (typeof property !== "string") return;
      setProperty((rule ? ruleOf(property) : undefined) ?? element, property, value);
      for (const other of others) setProperty(other, property, value);
    },
    undo() {
      for (const undo of undos.toReversed()) undo();
      undos = [];
    },
    forget: () => void (undos = []),
  };
}
