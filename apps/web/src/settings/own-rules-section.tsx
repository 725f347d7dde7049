import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readOwnRules, saveOwnRules } from "../api/rules.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";

const KEY = ["own-rules"];

/** What the person wants of every project. */
export default function OwnRulesSection() {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => readOwnRules(signal) });
  const [typed, setTyped] = useState<string>();
  const { act, busy, problem } = useAct();
  if (!data) return null;
  const text = typed ?? data.text;
  const tooLong = text.length > data.limit;
  const save = () =>
    void act(async () => {
      client.setQueryData(KEY, await saveOwnRules(text));
      setTyped(undefined);
    });
  return (
    <section aria-labelledby="own-rules-title">
      <h3 id="own-rules-title" className="font-semibold">
        Your rules
      </h3>
      <p className="mt-1 text-small text-quiet">
        Told to the model in all of your projects, from the next turn on.
        {data.others.length > 0 &&
          ` Kept beside them in the data folder: ${data.others.join(", ")}.`}
      </p>
      <textarea
        aria-labelledby="own-rules-title"
        value={text}
        rows={4}
        placeholder="Plain CSS instead of Tailwind. Comments in German."
        onChange={(event) => setTyped(event.target.value)}
        className="mt-2 block max-h-60 w-full resize-y rounded border border-edge bg-raised px-2 py-1 field-sizing-content"
      />
      <div className="mt-2 flex items-center gap-2">
        <Button disabled={busy || tooLong || text === data.text} onClick={save}>
          Keep
        </Button>
        {(tooLong || problem) && (
          <p role="alert" className="text-small text-failed">
            {tooLong
              ? `${text.length.toLocaleString("en")} characters; ${data.limit.toLocaleString("en")} is the most.`
              : problem}
          </p>
        )}
      </div>
    </section>
  );
}
