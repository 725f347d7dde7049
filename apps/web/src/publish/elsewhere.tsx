import { useQuery } from "@tanstack/react-query";
import type { Elsewhere as Deployments, Publication, TargetId } from "@treadle/protocol";
import { useId } from "react";
import { elsewhereKey, readElsewhere } from "../api/elsewhere.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";
import { DeploymentList } from "./deployment-list.tsx";
import { firstTarget } from "./first-target.ts";
import { TargetForm } from "./target-form.tsx";
import { create } from "zustand";

/** The selected target of each project; it stays when the dialog closes. */
const useElsewhereStore = create<{ targets: Readonly<Record<string, TargetId>> }>(() => ({
  targets: {},
}));

const chooseTarget = (project: string, target: TargetId) =>
  useElsewhereStore.setState(({ targets }) => ({ targets: { ...targets, [project]: target } }));

/** Polling interval while a release is being sent, in milliseconds. */
const POLL_MS = 600;
const SELECT = "mt-0.5 h-8 w-full rounded border border-edge bg-paper px-2 pointer-coarse:h-11";

const isSending = (elsewhere: Deployments | undefined) =>
  elsewhere?.deployments.some(({ state }) => state === "sending") === true;

/** Sends the current release to another host. */
export function Elsewhere({ publication: { current, releases } }: { publication: Publication }) {
  const release = releases.find(({ number }) => number === current);
  const project = useProjectId();
  const select = useId();
  const chosen = useElsewhereStore((state) => state.targets[project]);
  const { data, error } = useQuery({
    queryKey: elsewhereKey(project),
    queryFn: ({ signal }) => readElsewhere(project, signal),
    refetchInterval: ({ state }) => (isSending(state.data) ? POLL_MS : false),
  });
  const target =
    data && (data.targets.find(({ id }) => id === chosen) ?? firstTarget(data, release?.kind));
  return (
    <section aria-label={words.publish.tabs.elsewhere} className="space-y-3">
      {!release && <p className="text-quiet">{words.elsewhere.nothing}</p>}
      {error && <p className="text-failed">{sentence(error)}</p>}
      {data && target && release && (
        <>
          <div>
            <label htmlFor={select} className="text-small text-quiet">
              {words.elsewhere.target}
            </label>
            <Select
              id={select}
              value={target.id}
              options={data.targets.map(({ id, name }) => ({
                value: id,
                name: words.elsewhere.names[id] ?? name,
              }))}
              onChoose={(id) => chooseTarget(project, id)}
              className={SELECT}
            />
          </div>
          <TargetForm
            key={target.id}
            target={target}
            release={release}
            last={data.deployments.find((one) => one.target === target.id)}
          />
          <DeploymentList
            deployments={data.deployments.filter((one) => one.target === target.id)}
          />
        </>
      )}
    </section>
  );
}
