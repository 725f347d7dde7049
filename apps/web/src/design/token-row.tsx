import type { DesignToken, ProjectDesign } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { useId, useState } from "react";
import { contrastOf, paintedColour } from "../ui/drawn-colour.ts";
import { ColourField } from "../visual/colour-field.tsx";
import { words } from "../words/words.ts";
import { asChannels, colourIn, valueIn } from "./draft.ts";

/** Minimum contrast for text of ordinary size (WCAG 2, level AA). */
const MIN_CONTRAST = 4.5;

/** A token's value in one mode; typed text is passed on as soon as it is a valid value. */
export function TokenRow({
  design,
  token,
  mode,
  isChanged,
  onValue,
}: {
  design: ProjectDesign;
  token: DesignToken;
  mode: string;
  isChanged: boolean;
  onValue: (value: string) => void;
}) {
  const id = useId();
  const value = valueIn(token, mode) ?? "";
  const [before, setTyped] = useState<{ typed: string; value: string }>();
  // If the value changes elsewhere, it replaces the typed text.
  const typed = before?.value === value ? before.typed : undefined;
  const isColour = token.group === "colour";
  const isGood = (next: string) =>
    isColour && !next.includes("var(")
      ? CSS.supports("color", token.channels ? `${token.channels}(${next})` : next)
      : next.trim() !== "" && CSS.supports("--x", next);
  const type = (next: string) => {
    const isValue = isGood(next.trim());
    setTyped({ typed: next, value: isValue ? next.trim() : value });
    if (isValue) onValue(next.trim());
  };
  const name = visible(token.name.slice(2));
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] items-center gap-x-2">
      <label htmlFor={id} title={visible(token.name)} className="flex min-w-0 items-center gap-1">
        <span className="truncate font-mono">{name}</span>
        {isChanged && (
          <span
            role="img"
            aria-label={words.design.unsaved}
            className="size-1.5 shrink-0 rounded-full bg-accent"
          />
        )}
      </label>
      <div className="flex min-w-0 items-center gap-1">
        {isColour && (
          <ColourField
            name={name}
            value={colourIn(design, token, mode) ?? ""}
            onColour={(hex) => type(token.channels === "hsl" ? asChannels(hex) : hex)}
          />
        )}
        <input
          id={id}
          value={visible(typed ?? value)}
          aria-invalid={typed !== undefined && !isGood(typed.trim())}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => type(event.target.value)}
          className="h-7 w-full min-w-0 rounded border border-edge bg-raised px-1.5 font-mono aria-invalid:border-failed pointer-coarse:h-11"
        />
      </div>
      {isColour && token.on !== undefined && (
        <Contrast design={design} token={token} on={token.on} mode={mode} />
      )}
    </li>
  );
}

/** Shows the contrast between a text colour and its background. Draws nothing if either is not a valid colour. */
function Contrast({
  design,
  token,
  on,
  mode,
}: {
  design: ProjectDesign;
  token: DesignToken;
  on: string;
  mode: string;
}) {
  const surface = colourIn(
    design,
    design.tokens.find(({ name }) => name === on),
    mode,
  );
  const text = colourIn(design, token, mode);
  const below = surface === undefined ? undefined : paintedColour(surface);
  const above =
    surface === undefined || text === undefined ? undefined : paintedColour(surface, text);
  if (!below || !above) return null;
  const ratio = contrastOf(above, below);
  const values = { ratio: ratio.toFixed(1), name: visible(on.slice(2)) };
  const isLow = ratio < MIN_CONTRAST;
  return (
    <p className={`numbers col-start-2 pb-0.5 ${isLow ? "text-unsure" : "text-quiet"}`}>
      {isLow
        ? words.design.lowContrast({ ...values, least: MIN_CONTRAST })
        : words.design.contrast(values)}
    </p>
  );
}
