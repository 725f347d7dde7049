import { visible } from "@treadle/protocol/safe-text";
import { useId, useState } from "react";
import { X } from "../ui/icons.ts";
import type { Origin } from "./plan-change.ts";
import type { Picked } from "./picked.ts";
import { reasonWords } from "./reason-words.ts";
import type { Visual } from "./use-visual.ts";
import { words } from "../words/words.ts";

/**
 * The element's class names. Names written literally in the source can be removed, and others added. Draws nothing
 * until the source is located.
 */
export function ClassesField({
  visual,
  picked,
  origin,
}: {
  visual: Visual;
  picked: Picked;
  origin: Origin | undefined;
}) {
  const id = useId();
  const [typed, setTyped] = useState("");
  if (!origin) return null;
  const { classes } = origin.element;
  const shown = picked.classes.split(/\s+/).filter((name) => name !== "");
  const written =
    "pieces" in classes
      ? new Set(classes.pieces.flatMap(({ from, to }) => origin.text.slice(from, to).split(/\s+/)))
      : new Set<string>();
  const change = (remove: string[], add: string[]) => {
    const remaining = shown.filter((name) => !remove.includes(name));
    visual.change(
      { kind: "classes", remove, add },
      { type: "try", classes: [...remaining, ...add].join(" ") },
    );
  };
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {words.visual.classes}
      </label>
      <div className="mt-1 flex flex-wrap gap-1">
        {shown.map((name) => (
          <span
            key={name}
            className="inline-flex min-h-6 max-w-full items-center rounded border border-line bg-raised pl-1.5 font-mono"
          >
            <span className="truncate py-0.5 pr-1.5">{visible(name)}</span>
            {written.has(name) && (
              <button
                type="button"
                aria-label={words.visual.removeClass({ name })}
                onClick={() => change([name], [])}
                className="inline-flex size-6 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink"
              >
                <X size={12} aria-hidden="true" />
              </button>
            )}
          </span>
        ))}
      </div>
      {"refused" in classes ? (
        <p className="mt-1 text-quiet">{reasonWords(classes.refused)}</p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const add = typed.split(/\s+/).filter((name) => name !== "" && !shown.includes(name));
            if (add.length > 0) change([], add);
            setTyped("");
          }}
        >
          <input
            id={id}
            value={typed}
            placeholder={words.visual.addClass}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
            className="mt-1 h-7 w-full rounded border border-edge bg-raised px-2 font-mono"
          />
        </form>
      )}
    </div>
  );
}
