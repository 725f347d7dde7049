import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readOwnRules, saveOwnRules } from "../api/rules.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { formatNumber } from "../ui/format.ts";
import { listed, words } from "../words/words.ts";

const KEY = ["own-rules"];

/** The person's rules for every project. */
export function OwnRulesSection() {
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
        {words.projectSettings.ownRules}
      </h3>
      <p className="mt-1 text-small text-quiet">
        {words.projectSettings.ownRulesAbout}
        {data.others.length > 0 && words.projectSettings.keptBeside({ files: listed(data.others) })}
      </p>
      <textarea
        aria-labelledby="own-rules-title"
        value={text}
        rows={4}
        placeholder={words.projectSettings.ownRulesHint}
        onChange={(event) => setTyped(event.target.value)}
        className="mt-2 block max-h-60 w-full resize-y rounded border border-edge bg-raised px-2 py-1 field-sizing-content"
      />
      <div className="mt-2 flex items-center gap-2">
        <Button disabled={busy || tooLong || text === data.text} onClick={save}>
          {words.projectSettings.keep}
        </Button>
        {(tooLong || problem) && (
          <p role="alert" className="text-small text-failed">
            {tooLong
              ? words.projectSettings.tooLong({
                  length: formatNumber(text.length),
                  most: formatNumber(data.limit),
                })
              : problem}
          </p>
        )}
      </div>
    </section>
  );
}
