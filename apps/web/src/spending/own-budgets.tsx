import { useQuery } from "@tanstack/react-query";
import type { MonthBudgetState } from "@treadle/protocol";
import { Row, Rows, Section } from "../account/section.tsx";
import { BUDGETS_KEY, readOwnBudgets } from "../api/spending.ts";
import { formatMoney, formatTokens } from "../ui/format.ts";
import { languageTag, words } from "../words/words.ts";

/** The budgets that apply to the person, with the amount used of each. Draws nothing if there are none. */
export function OwnBudgets() {
  const { data } = useQuery({
    queryKey: [...BUDGETS_KEY, "mine"],
    queryFn: ({ signal }) => readOwnBudgets(undefined, signal),
  });
  const budgets = data?.budgets ?? [];
  const [first] = budgets;
  if (!first) return null;
  const until = new Date(first.until).toLocaleDateString(languageTag(), { timeZone: "UTC" });
  return (
    <Section title={words.spending.mine} about={words.spending.mineAbout({ until })}>
      <Rows name={words.spending.mine}>
        {budgets.map((budget) => (
          <Row key={budget.kind} name={budget.name} about={amountsUsed(budget).join(" · ")} />
        ))}
      </Rows>
    </Section>
  );
}

/** `$4.00 of $5.00`, for each limit of a budget. */
function amountsUsed({ costUsd, tokens, used }: MonthBudgetState): string[] {
  const { used: ofLimit } = words.spending;
  return [
    ...(costUsd === undefined
      ? []
      : [ofLimit({ used: formatMoney(used.costUsd), limit: formatMoney(costUsd) })]),
    ...(tokens === undefined
      ? []
      : [
          ofLimit({
            used: formatTokens(used.tokens),
            limit: words.ui.tokens({ number: formatTokens(tokens) }),
          }),
        ]),
  ];
}
