import { totalUsage } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { formatMoney, formatTokens } from "../ui/format.ts";
import { Meters } from "../settings/budget-section.tsx";
import { useProjectSettings } from "../settings/use-project-settings.ts";
import { words } from "../words/words.ts";

/** The usage of all turns of the project, and its share of the budget. */
export function TotalCost() {
  const total = useView((view) => {
    const { tokens: count, costUsd } = totalUsage(view);
    return `${words.ui.tokens({ number: formatTokens(count) })}${costUsd === undefined ? "" : ` · ${formatMoney(costUsd)}`}`;
  });
  const { settings } = useProjectSettings(useProjectId());
  return (
    <>
      <p className="numbers">{words.usage.total({ amount: total })}</p>
      {settings && <Meters budget={settings.budget} />}
    </>
  );
}
