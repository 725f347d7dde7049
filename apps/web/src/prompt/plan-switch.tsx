import { ListTodo } from "../ui/icons.ts";
import { words } from "../words/words.ts";

/** Hides the words of a narrow row, which leaves the icon, like the buttons beside it. */
const IF_ROOM = "@max-[430px]:sr-only";

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
      className="relative inline-flex h-7 cursor-pointer items-center gap-1.5 rounded px-2 text-small whitespace-nowrap text-quiet select-none hover:bg-hover hover:text-ink @max-[430px]:has-checked:bg-hover @max-[430px]:has-checked:text-accent @max-[430px]:has-focus-visible:outline-2 @max-[430px]:has-focus-visible:outline-accent pointer-coarse:min-h-11"
    >
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className={`accent-accent ${IF_ROOM}`}
      />
      <ListTodo size={15} aria-hidden="true" className="@min-[431px]:hidden" />
      <span className={IF_ROOM}>{words.prompt.plan}</span>
    </label>
  );
}
