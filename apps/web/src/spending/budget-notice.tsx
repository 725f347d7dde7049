import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { MonthBudgetState } from "@treadle/protocol";
import { isRunning } from "@treadle/protocol/fold";
import { useEffect } from "react";
import { useMe } from "../api/account.ts";
import { BUDGETS_KEY, readOwnBudgets } from "../api/spending.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { formatMoney, formatTokens } from "../ui/format.ts";
import { words } from "../words/words.ts";

/** Warns above the message field when little is left of a month's budget. Does nothing on a server without accounts. */
export function BudgetNotice() {
  const project = useProjectId();
  const hasAccounts = useMe()?.accounts === true;
  const working = useView(isRunning);
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: [...BUDGETS_KEY, "mine", project],
    queryFn: ({ signal }) => readOwnBudgets(project, signal),
    enabled: hasAccounts,
  });
  // Reads the budgets again after each turn, because a turn costs something.
  useEffect(() => {
    if (!working) void client.invalidateQueries({ queryKey: BUDGETS_KEY });
  }, [client, working]);
  const near = data?.budgets.filter(({ state }) => state === "warning") ?? [];
  if (near.length === 0) return null;
  return (
    <div role="status" className="mx-auto w-full max-w-190 px-4 pb-1 text-small text-unsure">
      {near.map((budget) => (
        <p key={budget.kind}>{warningOf(budget)}</p>
      ))}
    </div>
  );
}

/** Says how much of a budget is used, by the limit, in money or tokens, that is closer to being reached. */
export function warningOf({ kind, name, costUsd, tokens, used }: MonthBudgetState): string {
  const share = (amount: number, limit: number | undefined) =>
    limit === undefined ? 0 : amount / limit;
  const isMoney = share(used.costUsd, costUsd) >= share(used.tokens, tokens);
  const values =
    costUsd !== undefined && isMoney
      ? { used: formatMoney(used.costUsd), limit: formatMoney(costUsd) }
      : {
          used: formatTokens(used.tokens),
          limit: words.ui.tokens({ number: formatTokens(tokens ?? 0) }),
        };
  if (kind === "person") return words.spending.nearPerson(values);
  return kind === "team"
    ? words.spending.nearTeam({ ...values, name })
    : words.spending.nearProject(values);
}
