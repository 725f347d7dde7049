import type { Budget, ProjectSettings } from "@treadle/protocol";
import { useState } from "react";
import { setBudget } from "../api/project-settings.ts";
import { totalUsage } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { money, tokens } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";

/** What is typed, by field: an empty one is no limit. */
type Typed = Record<keyof typeof FIELDS, string>;

const FIELDS = {
  turnDollars: { label: "Dollars a turn", placeholder: "no limit" },
  turnTokens: { label: "Tokens a turn", placeholder: "no limit" },
  turnSteps: { label: "Steps a turn", placeholder: "40" },
  turnMinutes: { label: "Minutes a turn", placeholder: "30" },
  projectDollars: { label: "Dollars in all", placeholder: "no limit" },
  projectTokens: { label: "Tokens in all", placeholder: "no limit" },
};

/** What a turn and the whole project may use, and how much of it is used. */
export function BudgetSection({
  project,
  settings,
  onChanged,
}: {
  project: string;
  settings: ProjectSettings;
  onChanged: (settings: ProjectSettings) => void;
}) {
  const [typed, setTyped] = useState(() => typedOf(settings.budget));
  const { act, busy, problem } = useAct();
  const changed = JSON.stringify(typed) !== JSON.stringify(typedOf(settings.budget));
  const wrong = Object.values(typed).some((text) => text.trim() !== "" && !(Number(text) > 0));
  return (
    <section aria-labelledby="budget">
      <h3 id="budget" className="font-semibold">
        Budget
      </h3>
      <p className="mt-1 text-small text-quiet">
        A turn that reaches a limit stops with what it has, and goes on with Continue. Dollars are
        counted where the model's price is known.
      </p>
      <Meters budget={settings.budget} />
      <form
        className="mt-2"
        onSubmit={(event) => {
          event.preventDefault();
          void act(async () => onChanged(await setBudget(project, budgetOf(typed))));
        }}
      >
        <div className="grid grid-cols-2 gap-2">
          {(Object.keys(FIELDS) as (keyof Typed)[]).map((name) => (
            <Field
              key={name}
              {...FIELDS[name]}
              inputMode="decimal"
              value={typed[name]}
              onText={(text) => setTyped({ ...typed, [name]: text })}
            />
          ))}
        </div>
        <Button size="medium" type="submit" className="mt-2" disabled={busy || !changed || wrong}>
          Set the budget
        </Button>
      </form>
      {(wrong || problem) && (
        <p role="alert" className="mt-1 text-small text-failed">
          {wrong ? "A limit is a number over 0, or empty for none." : problem}
        </p>
      )}
    </section>
  );
}

/** What all turns used, of what they may. */
export function Meters({ budget }: { budget: Budget }) {
  const used = useView((view) => totalUsage(view).tokens);
  const spent = useView((view) => totalUsage(view).costUsd ?? 0);
  const { tokens: tokenLimit, costUsd } = budget.project;
  return (
    <div className="numbers mt-2 space-y-1 text-small empty:hidden">
      {costUsd !== undefined && (
        <Meter words={`${money(spent)} of ${money(costUsd)} used`} used={spent} of={costUsd} />
      )}
      {tokenLimit !== undefined && (
        <Meter
          words={`${tokens(used)} of ${tokens(tokenLimit)} tokens used`}
          used={used}
          of={tokenLimit}
        />
      )}
    </div>
  );
}

function Meter({ words, used, of }: { words: string; used: number; of: number }) {
  const part = Math.min(1, used / of);
  const colour = part >= 1 ? "bg-failed" : part >= 0.8 ? "bg-unsure" : "bg-verified";
  return (
    <div
      role="meter"
      aria-label={words}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
    >
      {words}
      <div className="mt-0.5 h-1 overflow-hidden rounded bg-line">
        <div className={`h-full ${colour}`} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  );
}

function typedOf({ turn, project }: Budget): Typed {
  const text = (value?: number) => (value === undefined ? "" : String(value));
  return {
    turnDollars: text(turn.costUsd),
    turnTokens: text(turn.tokens),
    turnSteps: text(turn.steps),
    turnMinutes: text(turn.minutes),
    projectDollars: text(project.costUsd),
    projectTokens: text(project.tokens),
  };
}

function budgetOf(typed: Typed): Budget {
  const number = (text: string) => (text.trim() === "" ? undefined : Number(text));
  const whole = (text: string) => {
    const value = number(text);
    return value === undefined ? undefined : Math.max(1, Math.round(value));
  };
  // JSON leaves out what is undefined.
  return {
    turn: {
      costUsd: number(typed.turnDollars),
      tokens: whole(typed.turnTokens),
      steps: whole(typed.turnSteps),
      minutes: number(typed.turnMinutes),
    },
    project: { costUsd: number(typed.projectDollars), tokens: whole(typed.projectTokens) },
  } as Budget;
}
