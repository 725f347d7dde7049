import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { LinkRole } from "@treadle/protocol";
import { LINK_ROLES } from "@treadle/protocol/accounts";
import { useId, useState } from "react";
import {
  accessLinksKey,
  makeAccessLink,
  readAccessLinks,
  revokeAccessLink,
  rotateAccessLink,
  type AccessLink,
} from "../api/access-links.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useAct } from "../ui/use-act.ts";
import { languageTag, words } from "../words/words.ts";

/** Lifetimes in days. */
const LIFETIMES_DAYS = [1, 7, 30, 90] as const;
const FIELD = "mt-0.5 block h-8 rounded border border-edge bg-paper px-2 pointer-coarse:h-11";

/** Links by which guests may view, comment or edit in the workbench itself, until a date. */
export function AccessLinks() {
  const project = useProjectId();
  const client = useQueryClient();
  const ids = { role: useId(), days: useId() };
  const [role, setRole] = useState<LinkRole>("viewer");
  const [days, setDays] = useState<number>(7);
  const [nameless, setNameless] = useState(false);
  /** The address of the link that was just made. */
  const [address, setAddress] = useState<string>();
  const { act, busy, problem } = useAct();
  const { data: links = [] } = useQuery({
    queryKey: accessLinksKey(project),
    queryFn: ({ signal }) => readAccessLinks(project, signal),
  });
  const change = (work: () => Promise<string | void>) =>
    act(async () => {
      setAddress((await work()) ?? undefined);
      await client.invalidateQueries({ queryKey: accessLinksKey(project) });
    });
  const mayBeNameless = role !== "editor";
  return (
    <section aria-labelledby="access-links" className="space-y-3 border-t border-line pt-3">
      <h3 id="access-links" className="font-semibold">
        {words.share.access.title}
      </h3>
      <p className="text-small text-quiet">{words.share.access.about}</p>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void change(() =>
            makeAccessLink(project, { role, days, nameless: nameless && mayBeNameless }),
          );
        }}
      >
        <div>
          <label htmlFor={ids.role} className="text-small text-quiet">
            {words.share.access.role}
          </label>
          <select
            id={ids.role}
            value={role}
            onChange={({ target }) => setRole(target.value as LinkRole)}
            className={FIELD}
          >
            {LINK_ROLES.toReversed().map((one) => (
              <option key={one} value={one}>
                {words.share.access.roles[one]}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor={ids.days} className="text-small text-quiet">
            {words.share.ends}
          </label>
          <select
            id={ids.days}
            value={days}
            onChange={({ target }) => setDays(Number(target.value))}
            className={FIELD}
          >
            {LIFETIMES_DAYS.map((one) => (
              <option key={one} value={one}>
                {words.share.days({ amount: one })}
              </option>
            ))}
          </select>
        </div>
        <Button type="submit" size="medium" disabled={busy}>
          {words.share.access.make}
        </Button>
        <label className="flex w-full items-center gap-2 text-small">
          <input
            type="checkbox"
            checked={nameless && mayBeNameless}
            disabled={!mayBeNameless}
            onChange={() => setNameless(!nameless)}
            className="size-4 accent-accent"
          />
          {words.share.access.nameless}
        </label>
      </form>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
      {address !== undefined && (
        <div role="status" className="space-y-1 rounded border border-line p-2 text-small">
          <p>{words.share.access.once}</p>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 break-all">{address}</code>
            <CopyButton name={words.share.access.copy} text={() => address} />
          </div>
        </div>
      )}
      {links.length > 0 && (
        <ul className="divide-y divide-line" aria-label={words.share.access.title}>
          {links.map((link) => (
            <AccessLinkRow
              key={link.id}
              link={link}
              isBusy={busy}
              onRotate={() => void change(() => rotateAccessLink(project, link.id))}
              onRevoke={() => void change(() => revokeAccessLink(project, link.id))}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function AccessLinkRow({
  link: { role, nameless, expiresAt, uses },
  isBusy,
  onRotate,
  onRevoke,
}: {
  link: AccessLink;
  isBusy: boolean;
  onRotate: () => void;
  onRevoke: () => void;
}) {
  const when = new Date(expiresAt).toLocaleString(languageTag(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const facts = [
    words.share.endsAt({ when }),
    words.share.access.uses({ amount: uses }),
    ...(nameless ? [words.share.access.isNameless] : []),
  ];
  return (
    <li className="flex flex-wrap items-center gap-2 py-2">
      <div className="min-w-40 flex-1">
        <p className="font-medium">{words.share.access.roles[role]}</p>
        <p className="numbers text-small text-quiet">{facts.join(" · ")}</p>
      </div>
      <Button
        kind="quiet"
        disabled={isBusy}
        title={words.share.access.rotateAbout}
        onClick={onRotate}
      >
        {words.share.access.rotate}
      </Button>
      <Button kind="quiet" disabled={isBusy} onClick={onRevoke}>
        {words.share.revoke}
      </Button>
    </li>
  );
}
