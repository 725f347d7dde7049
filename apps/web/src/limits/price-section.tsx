import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ModelPrice } from "@treadle/protocol";
import { useState } from "react";
import { Row, Rows, Section } from "../account/section.tsx";
import { MODEL_RULES_KEY, readModelRules, setModelPrice } from "../api/model-rules.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatMoney } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

const EMPTY = { model: "", input: "", cachedInput: "", output: "" };

/** Prices of models that Treadle's list does not have. */
export function PriceSection() {
  const { data, error } = useQuery({
    queryKey: MODEL_RULES_KEY,
    queryFn: ({ signal }) => readModelRules(signal),
  });
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const [fields, setFields] = useState(EMPTY);
  const change = (model: string, price: ModelPrice | undefined) =>
    act(async () => {
      await setModelPrice(model, price);
      await client.invalidateQueries({ queryKey: MODEL_RULES_KEY });
    });
  const field = (name: keyof typeof EMPTY) => ({
    value: fields[name],
    onText: (text: string) => setFields({ ...fields, [name]: text }),
  });
  const model = fields.model.trim();
  const isComplete = model !== "" && fields.input !== "" && fields.output !== "";
  const save = async () => {
    if (busy || !isComplete) return;
    const price = {
      input: Number(fields.input),
      output: Number(fields.output),
      ...(fields.cachedInput === "" ? {} : { cachedInput: Number(fields.cachedInput) }),
    };
    if (await change(model, price)) setFields(EMPTY);
  };
  return (
    <Section
      title={words.limits.prices}
      about={words.limits.pricesAbout}
      problem={error ?? problem}
    >
      <Rows name={words.limits.prices}>
        {Object.entries(data?.prices ?? {}).map(([name, price]) => (
          <Row
            key={name}
            name={name}
            about={words.limits.priceOf({
              input: formatMoney(price.input),
              cached: formatMoney(price.cachedInput ?? price.input),
              output: formatMoney(price.output),
            })}
          >
            <Button
              kind="quiet"
              disabled={busy}
              aria-label={words.limits.removePrice({ name })}
              onClick={() => void change(name, undefined)}
            >
              {words.account.remove}
            </Button>
          </Row>
        ))}
      </Rows>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="flex min-w-50 flex-1">
          <Field
            label={words.limits.model}

            {...field("model")}
          />
        </div>
        {(["input", "cachedInput", "output"] as const).map((name) => (
          <div key={name} className="flex w-24">
            <Field label={words.limits[name]} type="number" min={0} step="any" {...field(name)} />
          </div>
        ))}
        <Button type="submit" size="medium" disabled={busy || !isComplete}>
          {words.account.save}
        </Button>
      </form>
    </Section>
  );
}
