import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProjectRules } from "@treadle/protocol";
import { readRules, switchRule } from "../api/rules.ts";
import { closeProjectSettings } from "../project/settings-store.ts";
import { useAct } from "../ui/use-act.ts";
import { visible } from "../ui/visible.ts";
import { useWork } from "../work/work-store.ts";

const STATES: Record<ProjectRules["rules"][number]["state"], string> = {
  told: "",
  cut: "only its beginning and end are told",
  name: "read by the model when it matters",
  off: "switched off",
  other: "not for any file here",
  same: "says the same as one above",
  room: "left out: those above fill the room",
};

/** Files of rules that came with the project, each of which can be switched off. */
export function RulesSection({ project }: { project: string }) {
  const client = useQueryClient();
  const openFile = useWork((state) => state.openFile);
  const key = ["rules", project];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readRules(project, signal),
    // Files change by every hand.
    staleTime: 0,
  });
  const { act, busy, problem } = useAct();
  return (
    <section aria-labelledby="rules-title">
      <h3 id="rules-title" className="font-semibold">
        Rules of the project
      </h3>
      <p className="mt-1 text-small text-quiet">
        Files such as AGENTS.md that came with the project. They say how its code is written; they
        can allow the model nothing. A change holds from the next turn on.
      </p>
      {data && data.rules.length === 0 && (
        <p className="mt-2 text-small text-quiet">This project has none.</p>
      )}
      {data && data.rules.length > 0 && (
        <ul aria-label="Files of rules" className="mt-2 rounded border border-line">
          {data.rules.map(({ path, size, state }) => (
            <li
              key={path}
              className="flex min-h-9 flex-wrap items-center gap-x-2 border-b border-line px-2 py-1 last:border-0"
            >
              <label className="flex min-w-0 items-center gap-2 pointer-coarse:min-h-11">
                <input
                  type="checkbox"
                  role="switch"
                  checked={state !== "off"}
                  disabled={busy}
                  className="accent-accent"
                  onChange={(event) => {
                    const on = event.target.checked;
                    void act(async () =>
                      client.setQueryData(key, await switchRule(project, path, on)),
                    );
                  }}
                />
                <span className="min-w-0 font-mono text-small break-all">{visible(path)}</span>
              </label>
              <span className="numbers text-small text-quiet">
                {size.toLocaleString("en")} characters
                {STATES[state] === "" ? "" : `, ${STATES[state]}`}
              </span>
              <button
                type="button"
                className="ml-auto py-1 text-small text-accent hover:underline pointer-coarse:min-h-11"
                onClick={() => {
                  closeProjectSettings();
                  openFile(path);
                }}
              >
                Open<span className="sr-only"> {visible(path)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
