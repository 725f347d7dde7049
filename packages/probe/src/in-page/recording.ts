import type { Embedder } from "./embedder.ts";
import { contentOf, isField, roleOf, targetOf, tidy, type Target } from "./names.ts";
import type { Picking } from "./picking.ts";
import { cut } from "./text.ts";

/** Properties of fields, choices, editors and labels; each has only some of them. */
interface Field extends HTMLElement {
  type: string;
  value?: string;
  checked?: boolean;
  selectedOptions?: HTMLCollectionOf<HTMLOptionElement>;
  control?: HTMLElement | null;
  autocomplete?: string;
}

/** Elements that a person uses. */
const USED =
  "a[href],button,input,select,textarea,summary,option,[contenteditable=''],[contenteditable=true],[role],label";

const { setTimeout: soon } = window;

interface Expected extends Target {
  is?: "checked" | "unchecked";
  /** What a field contains. */
  text?: string;
}

const chosenText = ({ selectedOptions }: Field) => tidy(selectedOptions?.[0]?.text);

/** What a check would expect of a clicked element. */
function expectedOf(element: Element): Expected {
  const used = (element.closest(USED) ?? element) as Field;
  const role = roleOf(used);
  if (/^(checkbox|radio|switch)$/.test(role)) {
    const isChecked = used.checked ?? used.getAttribute("aria-checked") === "true";
    return { ...targetOf(used), is: isChecked ? "checked" : "unchecked" };
  }
  if (isField(used) && used.type !== "password") {
    const isSelect = used.tagName === "SELECT";
    const text = isSelect ? chosenText(used) : cut(used.value ?? used.innerText, 300);
    return { ...targetOf(used), text };
  }
  if (/^(heading|button|link|img|tab|alert|status)$/.test(roleOf(element)))
    return targetOf(element);
  if (/^(button|link|tab)$/.test(role)) return targetOf(used);
  const text = tidy(contentOf(element));
  return text ? { words: text } : targetOf(element);
}

/** Whether a key does something beside typing a text or using a button. */
function isRecorded({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, at: Field): boolean {
  const isLines = at.tagName === "TEXTAREA" || at.isContentEditable;
  if (key === "Enter") return isField(at) && !isLines;
  if (key === "Escape") return true;
  if (isField(at) || /^(BUTTON|A|SUMMARY)$/.test(at.tagName)) return false;
  if (/^(checkbox|radio)$/.test(at.type)) return false;
  const isPlain = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  return isPlain || /^(Arrow|Page|Home|End|Delete|Backspace)/.test(key);
}

/**
 * Records what a person does in the page: each click, text, choice and key is reported with the
 * role and name by which a check finds the element. Only trusted events count, and none is
 * suppressed. In expectation mode, a clicked element is reported as an expectation, and the click
 * does not reach the page.
 */
export function createRecording({ post }: Embedder, picking: Picking) {
  let isRecording = false;
  /** The field in which Enter was pressed: its form's button is then clicked by the browser. */
  let entered: Element | undefined;
  const report = (step: object) => post("recorded", { step });

  function hear<Type extends keyof WindowEventMap>(
    type: Type,
    listener: (event: WindowEventMap[Type], at: Field) => void,
  ): void {
    const listen = (event: WindowEventMap[Type]) => {
      if (!isRecording || picking.isPicking() || !event.isTrusted) return;
      try {
        const [at] = event.composedPath();
        if (at instanceof Element) listener(event, at as Field);
      } catch {
        // A step that cannot be described is left out.
      }
    };
    window.addEventListener(type, listen, true);
  }

  hear("click", ({ detail }, at) => {
    if (detail === 0 && entered && entered !== at) return;
    const used = (at.closest(USED) ?? at) as Field;
    const isForField = used.tagName === "LABEL" && used.control;
    if (isForField || used.tagName === "OPTION" || isField(used)) return;
    report({ do: "click", target: targetOf(used) });
  });
  hear("input", (_event, at) => {
    const editor = "[contenteditable]:not([contenteditable=false])";
    const field = at.isContentEditable ? (at.closest(editor) as Field) : at;
    if (!isField(field) || field.tagName === "SELECT" || field.type === "file") return;
    const text = cut(field.value ?? field.innerText, 1000);
    const isSecret = field.type === "password" || /password/.test(field.autocomplete || "");
    report({ do: "type", target: targetOf(field), text, secret: isSecret });
  });
  hear("change", (_event, at) => {
    if (at.tagName !== "SELECT") return;
    report({ do: "select", target: targetOf(at), text: chosenText(at) });
  });
  hear("keydown", (event, at) => {
    const { key } = event;
    entered = undefined;
    if (event.repeat || event.isComposing || !isRecorded(event, at)) return;
    const isEnter = key === "Enter";
    if (isEnter) {
      entered = at;
      soon(() => (entered = undefined), 50);
    }
    const target = isField(at) && isEnter ? targetOf(at) : undefined;
    report({ do: "press", target, text: key === " " ? "Space" : key });
  });

  function expect(on: unknown): void {
    if (!on && picking.isPickingElse()) return picking.pick(false);
    // A checkbox is already switched during its click event, and is switched back when the click is
    // prevented.
    if (on)
      picking.pick(
        true,
        (element) => void soon(() => report({ do: "expect", target: expectedOf(element) })),
      );
  }
  return {
    expect,
    record(on: unknown): void {
      isRecording = Boolean(on);
      if (!isRecording) expect(false);
    },
  };
}
