import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { BudgetKind, MonthBudget } from "@treadle/protocol";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows, Section } from "../account/section.tsx";
import { listProjects } from "../api/projects.ts";
import { BUDGETS_KEY, readBudgets, setBudget } from "../api/spending.ts";
import { usePeople, useTeams } from "../people/use-people.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatMoney, formatTokens } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The subject of a budget that applies to each person, team or project. */
const EVERYBODY = "*";
const KINDS = ["person", "team", "project"] as const;

/** The monthly budgets of people, teams and projects; for administrators. */
export function BudgetSection() {
  const { data, error } = useQuery({
    queryKey: BUDGETS_KEY,
    queryFn: ({ signal }) => readBudgets(signal),
  });
  const client = useQueryClient();
  const subjects = useSubjects();
  const { act, busy, problem } = useAct();
  const change = (budget: MonthBudget) =>
    act(async () => {
      await setBudget(budget);
      await client.invalidateQueries({ queryKey: BUDGETS_KEY });
    });
  return (
    <Section
      title={words.spending.budgets}
      about={words.spending.budgetsAbout}
      problem={error ?? problem}
    >
      <Rows name={words.spending.budgets}>
        {data?.budgets.map((budget) => {
          const { kind, subject } = budget;
          const name = nameOf(subjects, budget);
          return (
            <Row key={`${kind} ${subject}`} name={name} about={amounts(budget)}>
              <Button
                kind="quiet"
                disabled={busy}
                aria-label={words.spending.removeNamed({ name })}
                onClick={() => void change({ kind, subject })}
              >
                {words.spending.remove}
              </Button>
            </Row>
          );
        })}
      </Rows>
      <BudgetForm subjects={subjects} busy={busy} onSet={change} />
    </Section>
  );
}

type Subjects = Record<BudgetKind, readonly { id: string; name: string }[]>;

function useSubjects(): Subjects {
  const person = usePeople().data?.people ?? [];
  const team = useTeams().data?.teams ?? [];
  const project =
    useQuery({
      queryKey: ["projects"],
      queryFn: ({ signal }) => listProjects(signal),
    }).data?.projects ?? [];
  return { person, team, project };
}

function BudgetForm({
  subjects,
  busy,
  onSet,
}: {
  subjects: Subjects;
  busy: boolean;
  onSet(budget: MonthBudget): Promise<boolean>;
}) {
  const [kind, setKind] = useState<BudgetKind>("person");
  const [subject, setSubject] = useState(EVERYBODY);
  const [money, setMoney] = useState("");
  const [tokens, setTokens] = useState("");
  const costUsd = amountOf(money);
  const count = amountOf(tokens);
  const save = async () => {
    if (busy || !(await onSet({ kind, subject, costUsd, tokens: count }))) return;
    setMoney("");
    setTokens("");
  };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <LabelledSelect<BudgetKind>
        label={words.spending.ofKind}
        value={kind}
        options={KINDS.map((value) => ({ value, name: words.spending[value] }))}
        onChoose={(next) => {
          setKind(next);
          setSubject(EVERYBODY);
        }}
      />
      <LabelledSelect
        label={words.spending.whom}
        value={subject}
        options={[
          { value: EVERYBODY, name: everyOf(kind) },
          ...subjects[kind].map(({ id, name }) => ({ value: id, name })),
        ]}
        onChoose={setSubject}
      />
      <div className="flex w-28">
        <Field
          label={words.spending.money}
          type="number"
          min={0}
          step="any"
          value={money}
          onText={setMoney}
        />
      </div>
      <div className="flex w-28">
        <Field
          label={words.spending.tokenLimit}
          type="number"
          min={0}
          step={1}
          value={tokens}
          onText={setTokens}
        />
      </div>
      <Button
        type="submit"
        size="medium"
        disabled={busy || (costUsd === undefined && count === undefined)}
      >
        {words.spending.set}
      </Button>
    </form>
  );
}

const amountOf = (text: string): number | undefined => {
  const amount = Number(text);
  return text.trim() === "" || !Number.isFinite(amount) ? undefined : amount;
};

const everyOf = (kind: BudgetKind): string =>
  ({
    person: words.spending.everyPerson,
    team: words.spending.everyTeam,
    project: words.spending.everyProject,
  })[kind];

function nameOf(subjects: Subjects, { kind, subject }: MonthBudget): string {
  if (subject === EVERYBODY) return everyOf(kind);
  const found = subjects[kind].find(({ id }) => id === subject);
  const name = found?.name ?? words.spending.removed({ id: subject });
  return words.spending.budgetOf[kind]({ name });
}

const amounts = ({ costUsd, tokens }: MonthBudget): string =>
  [
    ...(costUsd === undefined ? [] : [formatMoney(costUsd)]),
    ...(tokens === undefined ? [] : [words.ui.tokens({ number: formatTokens(tokens) })]),
  ].join(" · ");
