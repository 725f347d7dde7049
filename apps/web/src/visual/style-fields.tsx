import { visible } from "@treadle/protocol/safe-text";
import { useEffect, useId, useRef, useState } from "react";
import { ColourField } from "./colour-field.tsx";
import type { Origin } from "./plan-change.ts";
import type { Picked, Property } from "./picked.ts";
import { shownStyle } from "./shown-style.ts";
import type { Visual } from "./use-visual.ts";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";

/** Time without further changes before a value is written to the source, in milliseconds. The page shows it at once. */
const STILL_MS = 200;

const FIELDS: { property: Property; choices?: string[] }[] = [
  { property: "color" },
  { property: "background-color" },
  { property: "font-size" },
  { property: "font-weight", choices: ["300", "400", "500", "600", "700", "800"] },
  { property: "text-align", choices: ["start", "center", "end", "justify"] },
  { property: "padding" },
  { property: "margin" },
  { property: "gap" },
  { property: "border-radius" },
  { property: "width" },
];

/**
 * The element's colours, typography and spacing, each with the rule that sets it. Draws nothing until it is located.
 */
export function StyleFields({
  visual,
  picked,
  origin,
}: {
  visual: Visual;
  picked: Picked;
  origin: Origin | undefined;
}) {
  const [alone, setAlone] = useState(false);
  const id = useId();
  if (!origin) return null;
  const ruled = FIELDS.some(({ property }) => (picked.styles[property].by?.reach ?? 0) > 1);
  const set = (property: Property, value: string) =>
    visual.change(
      { kind: "property", property, value, alone },
      { type: "try", property, value, rule: !alone },
    );
  return (
    <fieldset>
      <legend className="font-medium">{words.visual.look}</legend>
      {ruled && (
        <label htmlFor={id} className="mt-1 flex min-h-6 items-center gap-2 text-quiet">
          <input
            id={id}
            type="checkbox"
            checked={alone}
            onChange={(event) => setAlone(event.target.checked)}
          />
          {words.visual.alone}
        </label>
      )}
      <div className="mt-1 space-y-1.5">
        {FIELDS.map(({ property, choices }) => (
          <Row
            key={property}
            name={words.visual.properties[property]}
            property={property}
            choices={choices}
            style={picked.styles[property]}
            onTry={(value) => visual.send({ type: "try", property, value, rule: !alone })}
            onSet={(value) => set(property, value)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Row({
  name,
  property,
  choices,
  style,
  onTry,
  onSet,
}: {
  name: string;
  property: Property;
  choices: string[] | undefined;
  style: Picked["styles"][Property];
  onTry: (value: string) => void;
  onSet: (value: string) => void;
}) {
  const id = useId();
  const { value, by } = style;
  const [before, setTyped] = useState<{ typed: string; value: string }>();
  // A value that the page reported since is the typed one, or replaces it.
  const typed = before?.value === value ? before.typed : undefined;
  const still = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(still.current), []);
  const soon = (next: string) => {
    setTyped({ typed: next, value });
    if (!CSS.supports(property, next)) return;
    onTry(next);
    clearTimeout(still.current);
    still.current = setTimeout(() => onSet(next), STILL_MS);
  };
  const { shown: written, used } = shownStyle(property, style);
  const shown = typed ?? written;
  const wrong = typed !== undefined && !CSS.supports(property, typed);
  const box = "h-7 min-w-0 flex-1 rounded border border-edge bg-raised px-1.5 font-mono";
  return (
    <div className="grid grid-cols-[5.5rem_1fr] items-center gap-x-2">
      <label htmlFor={id} className="text-quiet">
        {name}
      </label>
      <div className="flex min-w-0 items-center gap-1">
        {choices ? (
          <Select
            id={id}
            value={shown}
            options={[...new Set([shown, ...choices])].map((value) => ({
              value,
              name: visible(value),
            }))}
            onChoose={soon}
            className={box}
          />
        ) : (
          <>
            {/color/.test(property) && (
              <ColourField name={name} value={typed ?? value} onColour={soon} />
            )}
            <input
              id={id}
              value={visible(shown)}
              aria-invalid={wrong}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => soon(event.target.value)}
              className={`${box} aria-invalid:border-failed`}
            />
          </>
        )}
      </div>
      {used !== undefined && (
        <p className="numbers col-start-2 text-quiet">
          {words.visual.used({ length: visible(used) })}
        </p>
      )}
      {by && (
        <p className="col-start-2 truncate text-quiet" title={visible(by.selector)}>
          {by.here ? words.visual.onElement : visible(by.selector)}
          {by.reach > 1 && ` · ${words.visual.reach({ count: by.reach })}`}
        </p>
      )}
    </div>
  );
}
