import type { ReactNode } from "react";
import { words } from "../words/words.ts";

/**
 * Whether the next message is only planned.
 * @param picture shows only the icon if there is little room, like the buttons beside it
 */
export function PlanSwitch({
  checked,
  picture,
  onChange,
}: {
  checked: boolean;
  picture?: ReactNode;
  onChange: (plan: boolean) => void;
}) {
  const ifRoom = picture ? "@max-[430px]:sr-only" : "";
  return (
    <label
      title={words.prompt.planAbout}
      className={`inline-flex h-7 cursor-pointer items-center gap-1.5 rounded px-2 text-small whitespace-nowrap text-quiet select-none hover:bg-hover hover:text-ink pointer-coarse:min-h-11 ${picture ? "relative @max-[430px]:has-focus-visible:outline-2 @max-[430px]:has-focus-visible:outline-accent @max-[430px]:has-checked:bg-hover @max-[430px]:has-checked:text-accent" : ""}`}
    >
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className={`accent-accent ${ifRoom}`}
      />
      {picture}
      <span className={ifRoom}>{words.prompt.plan}</span>
    </label>
  );
}
