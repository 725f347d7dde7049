import { totalUsage } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { money, tokens } from "../ui/format.ts";

/** What the project has used, all its turns together. */
export function TotalCost() {
  const total = useView((view) => {
    const { tokens: count, costUsd } = totalUsage(view);
    return `${tokens(count)} tokens${costUsd === undefined ? "" : ` · ${money(costUsd)}`}`;
  });
  return <p className="numbers">Total: {total}</p>;
}
