import { words } from "../words/words.ts";
/** Whether the next message is only planned. */
export function PlanSwitch({
  checked,
  onChange,
}: {
  checked: boolean;
  onChange: (plan: boolean) => void;
}) {
  return (
    <label
      title={words.prompt.planAbout}
      className="inline-flex h-7 cursor-pointer items-center gap-1.5 rounded px-2 text-small whitespace-nowrap text-quiet select-none hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="accent-accent"
      />
      {words.prompt.plan}
    </label>
  );
}
