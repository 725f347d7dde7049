import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApprovalMode, ApprovalPolicy } from "@treadle/protocol";
import { readApprovals, saveApprovals } from "../api/approvals.ts";
import { useAct } from "../ui/use-act.ts";
import { visible } from "@treadle/protocol/safe-text";
import { ModeList } from "./mode-list.tsx";
import { SettingsRow } from "./settings-row.tsx";
import { words } from "../words/words.ts";

const MODES: readonly ApprovalMode[] = ["ask", "safe", "auto"];

/** The actions that need no approval. Changes to files that take effect outside the sandbox always need one. */
export function ApprovalsSection({ project }: { project: string }) {
  const client = useQueryClient();
  const key = ["approvals", project];
  const { data: policy } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readApprovals(project, signal),
    // An approval in the conversation may have changed it.
    staleTime: 0,
  });
  const { act, busy, problem } = useAct();
  if (!policy) return null;
  const save = (next: ApprovalPolicy) =>
    void act(async () => {
      await saveApprovals(project, next);
      client.setQueryData(key, next);
    });
  return (
    <section aria-labelledby="approvals-title">
      <h3 id="approvals-title" className="font-semibold">
        {words.projectSettings.approvals}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.projectSettings.approvalsAbout}</p>
      <ModeList
        legend={words.projectSettings.whenToAsk}
        modes={MODES}
        words={words.projectSettings.modes}
        chosen={policy.mode}
        disabled={busy}
        onChoose={(mode) => save({ ...policy, mode })}
      />
      {policy.always.length > 0 && (
        <>
          <h4 id="always-allowed" className="mt-3 text-small font-semibold">
            {words.projectSettings.always}
          </h4>
          <ul aria-labelledby="always-allowed" className="mt-1 rounded border border-line">
            {policy.always.map((allowed, index) => {
              const what = visible(allowed.what.join(", "));
              return (
                <SettingsRow
                  key={`${allowed.kind} ${what}`}
                  remove={words.projectSettings.askAgain({ what })}
                  disabled={busy}
                  onRemove={() =>
                    save({ ...policy, always: policy.always.filter((_, at) => at !== index) })
                  }
                >
                  <span className="text-small text-quiet">{allowed.kind} </span>
                  <span className="font-mono text-small break-all">{what}</span>
                </SettingsRow>
              );
            })}
          </ul>
        </>
      )}
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
