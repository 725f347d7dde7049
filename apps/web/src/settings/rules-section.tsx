import type { ProjectPath, ProjectRules } from "@treadle/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { acceptVersion, readRules, switchRule } from "../api/rules.ts";
import { Button } from "../ui/button.tsx";
import { useSettingsPlace } from "../project/settings-place.ts";
import { useAct } from "../ui/use-act.ts";
import { visible } from "@treadle/protocol/safe-text";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";

/** The project's rule files, each of which can be switched off. */
export function RulesSection({ project }: { project: string }) {
  const client = useQueryClient();
  const key = ["rules", project];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readRules(project, signal),
    // The model, the person or another program may have changed the files.
    staleTime: 0,
  });
  const { act, busy, problem } = useAct();
  const known = new Set(data?.rules.map(({ path }) => path));
  const others = data?.changed.filter(({ path }) => !known.has(path)) ?? [];
  const accepting = {
    busy,
    onAccept: ({ path, version }: Change) =>
      void act(async () => {
        try {
          client.setQueryData(key, await acceptVersion(project, { path, version }));
        } catch (error) {
          // Shows the current version for review.
          await client.invalidateQueries({ queryKey: key });
          throw error;
        }
      }),
  };
  return (
    <section aria-labelledby="rules-title">
      <h3 id="rules-title" className="font-semibold">
        {words.projectSettings.rules}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.projectSettings.rulesAbout}</p>
      {data && data.rules.length === 0 && (
        <p className="mt-2 text-small text-quiet">{words.projectSettings.noRules}</p>
      )}
      {data && data.rules.length > 0 && (
        <ul
          aria-label={words.projectSettings.ruleFiles}
          className="mt-2 rounded border border-line"
        >
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
                {words.projectSettings.characters({ amount: size })}
                {state !== "told" && ` · ${words.projectSettings.ruleStates[state]}`}
              </span>
              <span className="ml-auto flex items-center gap-2">
                <Accept {...accepting} change={data.changed.find((one) => one.path === path)} />
                <Open path={path} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <>
          <h4 id="others-title" className="mt-3 text-small font-medium">
            {words.projectSettings.outside}
          </h4>
          <p className="text-small text-quiet">{words.projectSettings.outsideAbout}</p>
          <ul aria-labelledby="others-title" className="mt-1 rounded border border-line">
            {others.map((change) => (
              <li
                key={change.path}
                className="flex min-h-9 flex-wrap items-center gap-x-2 border-b border-line px-2 py-1 last:border-0"
              >
                <span className="min-w-0 font-mono text-small break-all">
                  {visible(change.path)}
                </span>
                {change.version === "" && (
                  <span className="text-small text-quiet">{words.projectSettings.removed}</span>
                )}
                {/(?:^|\/)package\.json$/i.test(change.path) && (
                  <span className="text-small text-quiet">
                    {words.projectSettings.installScripts}
                  </span>
                )}
                <span className="ml-auto flex items-center gap-2">
                  <Accept {...accepting} change={change} />
                  {change.version !== "" && <Open path={change.path} />}
                </span>
              </li>
            ))}
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

type Change = ProjectRules["changed"][number];

function Accept({
  change,
  busy,
  onAccept,
}: {
  change: Change | undefined;
  busy: boolean;
  onAccept: (change: Change) => void;
}) {
  if (!change) return null;
  return (
    <Button disabled={busy} onClick={() => onAccept(change)}>
      {words.projectSettings.accept}
      <span className="sr-only">
        {words.projectSettings.acceptAs({ path: visible(change.path) })}
      </span>
    </Button>
  );
}

function Open({ path }: { path: ProjectPath }) {
  const openFile = useWork((state) => state.openFile);
  const { close } = useSettingsPlace();
  return (
    <button
      type="button"
      className="py-1 text-small text-accent hover:underline pointer-coarse:min-h-11"
      onClick={() => {
        close();
        openFile(path);
      }}
    >
      {words.projectSettings.open}
      <span className="sr-only"> {visible(path)}</span>
    </button>
  );
}
