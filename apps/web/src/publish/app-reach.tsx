import { useQueryClient } from "@tanstack/react-query";
import type { Publication } from "@treadle/protocol";
import { useState } from "react";
import { publicationKey, setAppReach } from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { SettingsRow } from "../settings/settings-row.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The hosts that the published app may reach: the project's list, unless it has its own. */
export function AppReach({ publication: { reach } }: { publication: Publication }) {
  const project = useProjectId();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const { act, busy, problem } = useAct();
  const { hosts, staticHosts, of: source } = reach;
  const put = (own: { hosts: string[]; staticHosts: boolean } | null) =>
    act(async () => {
      client.setQueryData(publicationKey(project), await setAppReach(project, own));
      setTyped("");
    });
  const isOwn = source === "own";
  return (
    <section aria-labelledby="app-reach">
      <h3 id="app-reach" className="font-semibold">
        {words.publish.reach}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.publish.reachAbout}</p>
      <label className="mt-2 flex items-center gap-2">
        <input
          type="checkbox"
          className="accent-accent"
          checked={isOwn}
          disabled={busy}
          onChange={(event) => void put(event.target.checked ? { hosts, staticHosts } : null)}
        />
        {words.publish.ownReach}
      </label>
      {hosts.length > 0 && (
        <ul aria-label={words.publish.reach} className="mt-2 rounded border border-line">
          {hosts.map((host) =>
            isOwn ? (
              <SettingsRow
                key={host}
                remove={words.publish.removeDomain({ domain: host })}
                disabled={busy}
                onRemove={() =>
                  void put({ staticHosts, hosts: hosts.filter((one) => one !== host) })
                }
              >
                <span className="font-mono break-all">{host}</span>
              </SettingsRow>
            ) : (
              <li key={host} className="px-2 py-1 font-mono break-all text-quiet">
                {host}
              </li>
            ),
          )}
        </ul>
      )}
      {isOwn && (
        <>
          <label className="mt-2 flex items-center gap-2">
            <input
              type="checkbox"
              className="accent-accent"
              checked={staticHosts}
              disabled={busy}
              onChange={(event) => void put({ hosts, staticHosts: event.target.checked })}
            />
            {words.projectSettings.staticHosts}
          </label>
          <form
            className="mt-2 flex items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (typed.trim() !== "") void put({ staticHosts, hosts: [...hosts, typed.trim()] });
            }}
          >
            <Field
              label={words.projectSettings.host}
              placeholder={words.projectSettings.hostHint}
              value={typed}
              onText={setTyped}
            />
            <Button size="medium" type="submit" disabled={busy || typed.trim() === ""}>
              {words.projectSettings.allow}
            </Button>
          </form>
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
