import { useId } from "react";

/** A choice of one mode, each with a description. */
export function ModeList<Mode extends string>({
  legend,
  modes,
  words,
  chosen,
  disabled,
  onChoose,
}: {
  /** The accessible name of the choice, for people who do not see the heading above. */
  legend: string;
  modes: readonly Mode[];
  words: Record<Mode, { title: string; about: string }>;
  chosen: Mode;
  disabled: boolean;
  onChoose: (mode: Mode) => void;
}) {
  const name = useId();
  return (
    <fieldset className="mt-2 space-y-1" disabled={disabled}>
      <legend className="sr-only">{legend}</legend>
      {modes.map((mode) => (
        <label key={mode} className="flex items-baseline gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name={name}
            checked={chosen === mode}
            onChange={() => onChoose(mode)}
            className="accent-accent"
          />
          <span>
            {words[mode].title} <span className="text-small text-quiet">{words[mode].about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
