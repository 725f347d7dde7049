import type { Budget, ProjectSettings } from "@treadle/protocol";
import { useState } from "react";
import { setBudget } from "../api/project-settings.ts";
import { totalUsage } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatMoney, formatTokens } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The typed text by field; an empty field means no limit. */
type Typed = Record<keyof typeof USUAL, string>;

/** Placeholders for empty fields: the default limit, if there is one. */
const USUAL = {
  turnDollars: undefined,
  turnTokens: undefined,
  turnSteps: "40",
  turnMinutes: "30",
  projectDollars: undefined,
  projectTokens: undefined,
};

/** The limits of a turn and of the project, and how much has been used. */
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
        {words.projectSettings.budget}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.projectSettings.budgetAbout}</p>
      <Meters budget={settings.budget} />
      <form
        className="mt-2"
        onSubmit={(event) => {
          event.preventDefault();
          void act(async () => onChanged(await setBudget(project, budgetOf(typed))));
        }}
      >
        <div className="grid grid-cols-2 gap-2">
          {(Object.keys(USUAL) as (keyof Typed)[]).map((name) => (
            <Field
              key={name}
              label={words.projectSettings.limits[name]}
              placeholder={USUAL[name] ?? words.projectSettings.noLimit}
              inputMode="decimal"
              value={typed[name]}
              onText={(text) => setTyped({ ...typed, [name]: text })}
            />
          ))}
        </div>
        <Button size="medium" type="submit" className="mt-2" disabled={busy || !changed || wrong}>
          {words.projectSettings.setBudget}
        </Button>
      </form>
      {(wrong || problem) && (
        <p role="alert" className="mt-1 text-small text-failed">
          {wrong ? words.projectSettings.badLimit : problem}
        </p>
      )}
    </section>
  );
}

/** The usage of all turns, compared with the limits. */
export function Meters({ budget }: { budget: Budget }) {
  const used = useView((view) => totalUsage(view).tokens);
  const spent = useView((view) => totalUsage(view).costUsd ?? 0);
  const { tokens: tokenLimit, costUsd } = budget.project;
  return (
    <div className="numbers mt-2 space-y-1 text-small empty:hidden">
      {costUsd !== undefined && (
        <Meter
          label={words.projectSettings.moneyUsed({
            used: formatMoney(spent),
            total: formatMoney(costUsd),
          })}
          used={spent}
          limit={costUsd}
        />
      )}
      {tokenLimit !== undefined && (
        <Meter
          label={words.projectSettings.tokensUsed({
            used: formatTokens(used),
            total: formatTokens(tokenLimit),
          })}
          used={used}
          limit={tokenLimit}
        />
      )}
    </div>
  );
}

function Meter({ label, used, limit }: { label: string; used: number; limit: number }) {
  const part = Math.min(1, used / limit);
  const colour = part >= 1 ? "bg-failed" : part >= 0.8 ? "bg-unsure" : "bg-verified";
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
    >
      {label}
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
  const wholeNumber = (text: string) => {
    const value = number(text);
    return value === undefined ? undefined : Math.max(1, Math.round(value));
  };
  // JSON omits undefined values.
  return {
    turn: {
      costUsd: number(typed.turnDollars),
      tokens: wholeNumber(typed.turnTokens),
      steps: wholeNumber(typed.turnSteps),
      minutes: number(typed.turnMinutes),
    },
    project: { costUsd: number(typed.projectDollars), tokens: wholeNumber(typed.projectTokens) },
  } as Budget;
}
