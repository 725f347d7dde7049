import { useQuery, useQueryClient } from "@tanstack/react-query";
import { visible } from "@treadle/protocol/safe-text";
import {
  missingVariablesKey,
  readMissingVariables,
  takeMissingVariables,
} from "../api/publication.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { listed, words } from "../words/words.ts";

/**
 * Variables of `.env` files that the published app lacks, with a button that adds them to its secrets. Draws nothing if
 * there are none.
 */
export function MissingVariables() {
  const project = useProjectId();
  const client = useQueryClient();
  const revision = useView((view) => view.revision);
  const { act, busy, problem } = useAct();
  const key = [...missingVariablesKey(project), revision];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readMissingVariables(project, signal),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const findings = data?.findings ?? [];
  if (findings.length === 0) return null;
  const take = () => act(async () => client.setQueryData(key, await takeMissingVariables(project)));
  const canTake = findings.some(({ code }) => code === "env-not-published");
  return (
    <div className="space-y-1 text-small" role="group" aria-label={words.publish.missingVariables}>
      <ul className="space-y-1">
        {findings.map(({ code, path, names }) => (
          <li key={path} data-finding={code} className="break-words">
            {words.publish.missing[code]({
              names: listed(names.map(visible)),
              file: visible(path),
            })}
          </li>
        ))}
      </ul>
      {canTake && (
        <Button disabled={busy} onClick={() => void take()}>
          {words.publish.takeVariables}
        </Button>
      )}
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}
