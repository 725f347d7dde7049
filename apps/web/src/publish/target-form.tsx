import { useQueryClient } from "@tanstack/react-query";
import type { Deployment, ElsewhereTarget, Place, PlaceField, Release } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";
import { useState } from "react";
import {
  elsewhereKey,
  forgetToken,
  sendRelease,
  stopSending,
  configureTarget,
} from "../api/elsewhere.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { SshKey } from "../ui/ssh-key.tsx";
import { useAct } from "../ui/use-act.ts";
import { exampleOf } from "./example-of.ts";
import { words } from "../words/words.ts";
import { releaseWords } from "./release-words.ts";

/** Up to this many optional fields are shown with the others. */
const MAX_OPTIONAL_FIELDS = 2;

/** The settings that a target needs, and the button that sends the release there. */
export function TargetForm({
  target,
  release,
  last,
}: {
  target: ElsewhereTarget;
  release: Release;
  last: Deployment | undefined;
}) {
  const project = useProjectId();
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const [typed, setTyped] = useState<{ [Field in PlaceField]?: string }>({});
  const [token, setToken] = useState("");
  const { id, name, fields, place } = target;
  const carries = target.carries.includes(release.kind ?? "site");
  const sending = last?.state === "sending";
  const refused = last?.state === "failed" ? last.problem : undefined;
  const asksIfMeant = refused === "local" && place.local !== true;
  const asksToken = target.token === "wanted" || (target.token === "kept" && refused === "token");
  const apply = (work: Promise<unknown>) =>
    act(async () => client.setQueryData(elsewhereKey(project), await work));
  const send = async () => {
    const next: Place = { ...place, ...typed, ...(asksIfMeant && { local: true }) };
    const typedToken = token.trim();
    const updated = await configureTarget(project, id, {
      place: next,
      token: typedToken === "" ? undefined : typedToken,
    });
    // Shown even if sending fails: another place may need another token, for which the form then asks.
    client.setQueryData(elsewhereKey(project), updated);
    setToken("");
    setTyped({});
    return sendRelease(project, id, release.number);
  };
  const field = ({ name: one, required }: ElsewhereTarget["fields"][number]) => (
    <Field
      key={one}
      label={
        required
          ? words.elsewhere.fields[one]
          : words.elsewhere.optional({ field: words.elsewhere.fields[one] })
      }
      placeholder={exampleOf(id, one)}
      value={typed[one] ?? place[one] ?? ""}
      onText={(text) => setTyped({ ...typed, [one]: text })}
      required={required}
    />
  );
  const optional = fields.filter(({ required }) => !required);
  const isFolded = optional.length > MAX_OPTIONAL_FIELDS;
  return (
    <form
      aria-label={name}
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        void apply(send());
      }}
    >
      <p className="text-small text-quiet">
        {carries ? words.elsewhere.about[id] : words.elsewhere.sitesOnly}
      </p>
      {carries && (
        <>
          <div className="grid gap-3 wide:grid-cols-2">
            {(isFolded ? fields.filter(({ required }) => required) : fields).map(field)}
          </div>
          {id === "rsync" && <SshKey />}
          {asksToken && (
            <Field
              label={id === "registry" ? words.elsewhere.password : words.elsewhere.token}
              note={words.elsewhere.tokenNote}
              value={token}
              onText={setToken}
              required
              type="password"
              autoComplete="new-password"
            />
          )}
          {isFolded && (
            <details open={optional.some((one) => place[one.name])}>
              <summary className="cursor-pointer text-small text-accent pointer-coarse:py-2">
                {words.elsewhere.more({ amount: optional.length })}
              </summary>
              <div className="mt-2 grid gap-3 wide:grid-cols-2">{optional.map(field)}</div>
            </details>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" kind="primary" size="medium" disabled={busy || sending}>
              {asksIfMeant
                ? words.elsewhere.meant
                : words.elsewhere.send({ release: release.number })}
            </Button>
            {sending && (
              <Button size="medium" onClick={() => void apply(stopSending(project, id))}>
                {words.elsewhere.stop}
              </Button>
            )}
            <p role="status" className="text-small text-quiet">
              {sending ? visibleProse(releaseWords(last) ?? words.elsewhere.onItsWay) : ""}
            </p>
          </div>
          {target.token === "kept" && !asksToken && (
            <p className="flex flex-wrap items-center gap-2 text-small text-quiet">
              {words.elsewhere.tokenKept}
              <Button
                kind="quiet"
                disabled={busy}
                onClick={() => void apply(forgetToken(project, id))}
              >
                {words.elsewhere.forgetToken}
              </Button>
            </p>
          )}
        </>
      )}
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}
