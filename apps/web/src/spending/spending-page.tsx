import { useQuery } from "@tanstack/react-query";
import type { SpendingRow } from "@treadle/protocol";
import { useState } from "react";
import { AccountFrame } from "../account/account-frame.tsx";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows, Section } from "../account/section.tsx";
import { useMe } from "../api/account.ts";
import { readSpending, spendingExport } from "../api/spending.ts";
import { buttonClass } from "../ui/button.tsx";
import { formatMoney, formatTokens } from "../ui/format.ts";
import { Download } from "../ui/icons.ts";
import { listed, words } from "../words/words.ts";
import { BudgetSection } from "./budget-section.tsx";
import { monthChoices } from "./month-choices.ts";
import { OwnBudgets } from "./own-budgets.tsx";

/** The fields by which rows can be filtered. */
const SUBJECTS = ["person", "team", "project", "model"] as const;
type Subject = (typeof SUBJECTS)[number];

/** The cost of models in a month, by person, team, project and model, and the budgets. */
export function SpendingPage() {
  const [months] = useState(() => monthChoices(Date.now()));
  const [value, setValue] = useState(months[0]!.value);
  const { from, to } = months.find((month) => month.value === value)!;
  const [chosen, setChosen] = useState<Partial<Record<Subject, string>>>({});
  const { data, error } = useQuery({
    queryKey: ["spending", from],
    queryFn: ({ signal }) => readSpending({ from, to }, signal),
  });
  const may = useMe()?.actions.includes("spending.manage") === true;
  const all = data?.rows ?? [];
  const rows = all.filter((row) =>
    SUBJECTS.every((subject) => chosen[subject] === undefined || row[subject] === chosen[subject]),
  );
  const everything = {
    person: words.spending.everybody,
    team: words.spending.allTeams,
    project: words.spending.allProjects,
    model: words.spending.allModels,
  };
  return (
    <AccountFrame at="/spending">
      <div className="flex flex-wrap items-end gap-2">
        <LabelledSelect
          label={words.spending.month}
          value={value}
          options={months}
          onChoose={setValue}
        />
        {SUBJECTS.map((subject) => (
          <LabelledSelect
            key={subject}
            label={words.spending[subject]}
            value={chosen[subject] ?? ""}
            options={[{ value: "", name: everything[subject] }, ...choicesOf(all, subject)]}
            onChoose={(next) => setChosen({ ...chosen, [subject]: next === "" ? undefined : next })}
          />
        ))}
        <a
          href={spendingExport({ from, to, ...chosen })}
          download
          className={buttonClass("plain", "medium")}
        >
          <Download size={16} aria-hidden="true" /> {words.spending.export}
        </a>
      </div>
      <Section title={words.spending.calls} problem={error}>
        {data && rows.length === 0 && <p className="text-quiet">{words.spending.none}</p>}
        {rows.length > 0 && <SpendingRows rows={rows} />}
      </Section>
      <OwnBudgets />
      {may && <BudgetSection />}
    </AccountFrame>
  );
}

/** The rows with their sum. */
export function SpendingRows({ rows }: { rows: readonly SpendingRow[] }) {
  const sum = (amount: (row: SpendingRow) => number) =>
    rows.reduce((total, row) => total + amount(row), 0);
  const priced = rows.some(({ costUsd }) => costUsd !== undefined);
  const total = {
    inputTokens: sum((row) => row.inputTokens),
    cachedInputTokens: sum((row) => row.cachedInputTokens),
    outputTokens: sum((row) => row.outputTokens),
    calls: sum((row) => row.calls),
    unpriced: sum((row) => row.unpriced),
    ...(priced ? { costUsd: sum((row) => row.costUsd ?? 0) } : {}),
  };
  return (
    <Rows name={words.spending.calls}>
      <Row name={words.spending.total} about={aboutAmounts(total)}>
        <Money usd={total.costUsd} />
      </Row>
      {rows.map((row) => (
        <Row
          key={[row.person, row.team, row.project, row.model].join(" ")}
          name={nameOf(row, "person")}
          about={
            <>
              {listed([nameOf(row, "team"), nameOf(row, "project"), row.model])}
              <br />
              {aboutAmounts(row)}
            </>
          }
        >
          <Money usd={row.costUsd} />
        </Row>
      ))}
    </Rows>
  );
}

const Money = ({ usd }: { usd: number | undefined }) => (
  <span className="numbers">
    {usd === undefined ? words.spending.priceUnknown : formatMoney(usd)}
  </span>
);

type Amounts = Pick<
  SpendingRow,
  "calls" | "inputTokens" | "cachedInputTokens" | "outputTokens" | "unpriced" | "costUsd"
>;

function aboutAmounts(row: Amounts): string {
  const parts = [
    words.spending.callCount({ count: row.calls }),
    words.spending.tokens({
      input: formatTokens(row.inputTokens),
      cached: formatTokens(row.cachedInputTokens),
      output: formatTokens(row.outputTokens),
    }),
    ...(row.costUsd === undefined || row.unpriced === 0
      ? []
      : [words.spending.unpriced({ count: row.unpriced })]),
  ];
  return parts.join(" · ");
}

function nameOf(row: SpendingRow, subject: "person" | "team" | "project"): string {
  const id = row[subject];
  if (id === undefined)
    return subject === "team" ? words.spending.noTeam : words.spending.noProject;
  return row[`${subject}Name`] ?? words.spending.removed({ id });
}

/** The options of a filter: the subjects that occur in the rows, with their names. */
function choicesOf(rows: readonly SpendingRow[], subject: Subject) {
  const names = new Map<string, string>();
  for (const row of rows) {
    const id = row[subject];
    if (id !== undefined) names.set(id, subject === "model" ? id : nameOf(row, subject));
  }
  return [...names]
    .map(([value, name]) => ({ value, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
