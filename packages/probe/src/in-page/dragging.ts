import { describe, isOwn, pathOf, type Path } from "./elements.ts";
import type { Embedder } from "./embedder.ts";
import type { Box } from "./frames.ts";

/** Where a dragged element would be put: beside a sibling, and the line that shows it. */
interface Drop {
  beside: HTMLElement;
  isAfter: boolean;
  line: Box;
}

/** An element that is dragged, from where it was grabbed. */
interface Drag {
  x: number;
  y: number;
  drop?: Drop | undefined;
}

/** Pixels that the pointer has to move before a press becomes a drag. */
const SLOP = 5;

/** The siblings of an element that are displayed, with the element itself. */
const displayedSiblings = (element: HTMLElement) =>
  ([...element.parentElement!.children] as HTMLElement[]).filter(
    (one) => one === element || (!isOwn(one) && one.getClientRects().length > 0),
  );

function dropAt(element: HTMLElement, { clientX: x, clientY: y }: MouseEvent): Drop | undefined {
  const contains = ({ left, right, top, bottom }: DOMRect) =>
    x >= left && x <= right && y >= top && y <= bottom;
  const beside = displayedSiblings(element).find(
    (one) => one !== element && contains(one.getBoundingClientRect()),
  );
  if (!beside) return undefined;
  const { left, right, top, bottom, width, height } = beside.getBoundingClientRect();
  const own = element.getBoundingClientRect();
  const isColumn = own.bottom <= top + 1 || bottom <= own.top + 1;
  const isAfter = isColumn ? y > top + height / 2 : x > left + width / 2;
  const line = isColumn
    ? { left, top: (isAfter ? bottom : top) - 2, bottom: 0, width, height: 4 }
    : { left: (isAfter ? right : left) - 2, top, bottom: 0, width: 4, height };
  return { beside, isAfter, line };
}

/**
 * Reports that an element is moved beside another one. The page itself is not changed until its
 * source is: frameworks do not expect their elements to move.
 */
async function reportMove(
  { post }: Embedder,
  element: HTMLElement,
  beside: HTMLElement,
  after: boolean,
): Promise<void> {
  const siblings = [...element.parentElement!.children].filter((one) => one !== element);
  const end = siblings.indexOf(beside) + (after ? 1 : 0);
  const before = siblings
    .slice(0, end)
    .filter((one) => one.localName === element.localName && !isOwn(one));
  const path: Path = [...pathOf(element).slice(0, -1), [element.localName, before.length]];
  const described = await describe(beside);
  post("moved", { element: await describe(element), beside: described, after, path });
}

/**
 * Moves the selected element by dragging it.
 * @param selected the element, if it may be dragged
 */
export function createDragging(
  embedder: Embedder,
  selected: () => HTMLElement | undefined,
  redraw: () => void,
) {
  let drag: Drag | undefined;
  let isDragged = false;
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const grabs = (element: HTMLElement | undefined, event: PointerEvent) =>
    element !== undefined &&
    element !== document.body &&
    event.isPrimary &&
    !event.button &&
    !event.shiftKey &&
    element.contains(event.target as Node);

  const hearDown = (event: PointerEvent) => {
    isDragged = false;
    drag = grabs(selected(), event) ? { x: event.clientX, y: event.clientY } : undefined;
  };
  const hearMove = (event: PointerEvent) => {
    const element = selected();
    if (!drag || !element) return;
    if (!event.buttons) return void (drag = undefined);
    isDragged ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLOP;
    if (!isDragged) return;
    stop(event);
    drag.drop = dropAt(element, event);
    redraw();
  };
  const hearUp = (event: PointerEvent) => {
    const { drop } = drag ?? {};
    const element = selected();
    drag = undefined;
    if (!isDragged) return;
    stop(event);
    if (element && drop?.beside.isConnected)
      void reportMove(embedder, element, drop.beside, drop.isAfter);
    redraw();
  };
  window.addEventListener("pointerdown", hearDown, true);
  window.addEventListener("pointermove", hearMove, true);
  window.addEventListener("pointerup", hearUp, true);
  for (const type of ["dragstart", "selectstart"])
    window.addEventListener(type, (event) => drag && stop(event), true);

  return {
    drop: () => drag?.drop,
    end: () => void (drag = undefined),
    /** Suppresses the click that ends a drag. @returns whether the click did so */
    suppressClick(event: MouseEvent): boolean {
      if (!isDragged) return false;
      isDragged = false;
      stop(event);
      return true;
    },
    /** Moves an element by a number of places among its siblings. */
    shift(element: HTMLElement, by: number): void {
      const all = displayedSiblings(element);
      const beside = all[all.indexOf(element) + by];
      if (beside) void reportMove(embedder, element, beside, by > 0);
    },
  };
}
