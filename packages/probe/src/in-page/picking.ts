import { createDragging } from "./dragging.ts";
import { chainOf, describe, findElement, MARK, type Path } from "./elements.ts";
import type { Embedder } from "./embedder.ts";
import { createFrames } from "./frames.ts";
import { createTrials, type Trial } from "./try-changes.ts";

/** Maximum number of elements that are selected beside the first. */
const MOST_OTHERS = 30;
/** Events that do not reach the page while an element is picked. */
const STILLED =
  "pointerdown pointerup mousedown mouseup dblclick contextmenu touchstart touchend submit focusin";

const { setTimeout: soon } = window;

/** Receives the picked element. @param adds whether it is added to the selected ones */
type Aim = (element: HTMLElement, adds?: boolean) => void;

export type Picking = ReturnType<typeof createPicking>;

function neighborOf(element: HTMLElement, way: unknown): HTMLElement | undefined {
  const isBody = element === document.body;
  const found =
    way === "ArrowUp" || way === "parent"
      ? isBody
        ? element
        : element.parentElement
      : way === "ArrowDown" || way === "child"
        ? element.firstElementChild
        : way === "ArrowLeft" || way === "previous"
          ? element.previousElementSibling
          : element.nextElementSibling;
  return (found ?? undefined) as HTMLElement | undefined;
}

/** The element that is picked: the page's body in place of its root. */
const pickable = (element: Element) =>
  (element === document.documentElement ? document.body : element) as HTMLElement;

/**
 * Picking an element: the one below the pointer gets a frame, a click selects it without reaching
 * the page; with the keyboard, arrow keys walk, Enter selects, Escape ends. Changes are shown at
 * once, before the source has them.
 */
export function createPicking(embedder: Embedder) {
  const { post } = embedder;
  const frames = createFrames();
  const trials = createTrials();
  let isPicking = false;
  let aim: Aim = choose;
  let hovered: HTMLElement | undefined;
  let selected: HTMLElement | undefined;
  let selectedPath: Path | undefined;
  let others: HTMLElement[] = [];
  let drawing = 0;
  let reporting = 0;
  const single = () => (isPicking || others.length > 0 ? undefined : selected);
  const dragging = createDragging(embedder, single, redraw);

  function redraw(): void {
    drawing ||= requestAnimationFrame(draw);
  }

  function draw(): void {
    drawing = 0;
    if (!isPicking && !selected) return frames.clear();
    const drop = dragging.drop();
    const pointed = isPicking && hovered !== selected ? hovered : undefined;
    const rest = [selected, ...others].map((element) => ({ element }));
    frames.draw([{ element: drop?.beside ?? pointed, line: drop?.line }, ...rest]);
    drawing = requestAnimationFrame(draw);
  }

  /** Begins or ends picking. @param then receives what is picked; by default it is selected */
  function pick(on: unknown, then: Aim = on ? choose : aim): void {
    aim = then;
    isPicking = Boolean(on);
    hovered = undefined;
    if (isPicking) {
      hovered = selected ?? document.body;
      window.focus();
    }
    document.documentElement.style.cursor = "";
    redraw();
    post(aim === choose ? "picking" : "expecting", { on: isPicking });
  }

  /** Reports what is selected. */
  async function report(): Promise<void> {
    const element = selected;
    if (!element) return;
    others = others.filter(({ isConnected }) => isConnected);
    // The first element is described last: changes that are shown at once use the rules of the
    // element described last.
    const more = [];
    for (const other of others) more.push(await describe(other));
    const described = await describe(element);
    if (element !== selected) return;
    selectedPath = described.path;
    post("picked", { element: described, more });
  }

  const isMark = (node: Node) => (node as Element).localName === MARK;
  const isByMark = ({ target, type, addedNodes, removedNodes }: MutationRecord) =>
    isMark(target) ||
    (target === document.documentElement &&
      type === "childList" &&
      [...addedNodes, ...removedNodes].every(isMark));
  // The element that a hot update put in place of the selected one is found by its path from the
  // root.
  const changes = new MutationObserver((records) => {
    if (!selected || records.every(isByMark)) return;
    if (!selected.isConnected) {
      const next = findElement(selectedPath);
      if (next?.localName === selected.localName) selected = next;
    }
    clearTimeout(reporting);
    reporting = soon(report, 120);
  });

  /** Selects an element. With `adds` it joins the selected ones, or leaves them. */
  function choose(element: HTMLElement | undefined, adds?: boolean): void {
    if (!element || element.localName === MARK) return;
    if (adds && selected) {
      if (element !== selected)
        others = others.includes(element)
          ? others.filter((one) => one !== element)
          : [...others, element].slice(-MOST_OTHERS);
    } else {
      selected = element;
      others = [];
    }
    trials.forget();
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    changes.observe(document, all);
    redraw();
    void report();
  }

  // With Shift, a press adds to the selection while there is one.
  const addsTo = ({ shiftKey }: { shiftKey?: boolean }) =>
    Boolean(shiftKey && selected && aim === choose);
  const still = (event: Event) => {
    if (!isPicking && !addsTo(event as MouseEvent)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const elementAt = ({ clientX, clientY }: MouseEvent) =>
    document.elementFromPoint(clientX, clientY) ?? undefined;
  const hearMove = (event: PointerEvent) => {
    if (!isPicking) return;
    still(event);
    const element = elementAt(event);
    if (!element || element === document.documentElement) return;
    hovered = element as HTMLElement;
    redraw();
  };
  const hearClick = (event: MouseEvent) => {
    if (dragging.suppressClick(event) || !(isPicking || addsTo(event))) return;
    still(event);
    const element = pickable(elementAt(event) ?? (event.target as Element));
    if (addsTo(event)) return choose(element, true);
    const then = aim;
    pick(false);
    then(element);
  };
  const hearKey = (event: KeyboardEvent) => {
    const { key } = event;
    if (!isPicking) {
      if (key === "Escape" && selected) post("escape");
      return;
    }
    if (!/^(Arrow|Enter|Escape)/.test(key)) return;
    still(event);
    if (key === "Escape") return pick(false);
    if (key === "Enter") {
      const [element, then] = [hovered, aim];
      pick(false);
      if (element) then(element);
      return;
    }
    hovered = neighborOf(hovered ?? document.body, key) ?? hovered;
    hovered?.scrollIntoView?.({ block: "nearest" });
    redraw();
  };
  for (const type of STILLED.split(" "))
    window.addEventListener(type, still, { capture: true, passive: false });
  window.addEventListener("pointermove", hearMove, true);
  window.addEventListener("click", hearClick, true);
  window.addEventListener("keydown", hearKey, true);

  return {
    pick,
    /** Whether an element is being picked for another purpose than to select it. */
    isPickingElse: () => isPicking && aim !== choose,
    isPicking: () => isPicking,
    /** Selects the element at a path again, after the page was loaded again. */
    again(path: Path | undefined): void {
      const element = findElement(path);
      if (element) choose(element);
      else post("picked");
    },
    /** Ends the selection. */
    drop(): void {
      selected = selectedPath = undefined;
      others = [];
      isPicking = false;
      dragging.end();
      trials.forget();
      changes.disconnect();
      redraw();
    },
    /** Selects an ancestor by its index, or a neighbor. */
    move(to: unknown): void {
      if (!selected) return;
      if (typeof to === "number") choose(chainOf(selected)[to]);
      else choose(neighborOf(selected, to) ?? selected);
    },
    shift(by: number): void {
      if (selected) dragging.shift(selected, by);
    },
    attempt(trial: Trial): void {
      if (trial.back) trials.undo();
      else if (selected) trials.attempt(selected, others, trial);
    },
  };
}
