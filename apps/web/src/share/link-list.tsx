import { useQueryClient } from "@tanstack/react-query";
import type { Share, Shares } from "@treadle/protocol";
import { useState } from "react";
import { revokeShare, sharesKey } from "../api/shares.ts";
import { useProjectId } from "../live/live-context.tsx";
import { PublicAddress } from "../publish/public-address.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { languageTag, words } from "../words/words.ts";

const dateOf = (at: number) =>
  new Date(at).toLocaleString(languageTag(), { dateStyle: "medium", timeStyle: "short" });

/** The active links: what each shows, when it expires, and how often it was opened. */
export function LinkList({ shares }: { shares: readonly Share[] }) {
  return (
    <section aria-labelledby="links" className="border-t border-line pt-3">
      <h3 id="links" className="font-semibold">
        {words.share.links}
      </h3>
      <ul className="mt-1 divide-y divide-line">
        {shares.map((share) => (
          <Link key={share.id} share={share} />
        ))}
      </ul>
    </section>
  );
}

function Link({ share }: { share: Share }) {
  const project = useProjectId();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { kind, release, link, until, uses, usedAt, locked } = share;
  const what =
    release === undefined ? words.share.kinds[kind] : words.share.numbered({ number: release });
  const facts = [
    until === undefined ? words.share.endsNever : words.share.endsAt({ when: dateOf(until) }),
    ...(locked ? [words.share.locked] : []),
    words.share.uses({ amount: uses }),
    ...(usedAt === undefined ? [] : [words.share.usedAt({ when: dateOf(usedAt) })]),
  ];
  return (
    <li className="py-2">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium">{what}</span>
        <Button kind="quiet" onClick={() => setAsking(true)}>
          {words.share.revoke}
        </Button>
      </div>
      <PublicAddress address={link} />
      <p className="numbers text-small text-quiet">{facts.join(" · ")}</p>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.share.revokeAsk}
        action={words.share.revoke}
        onConfirm={async () => {
          await revokeShare(project, share.id);
          client.setQueryData<Shares>(
            sharesKey(project),
            (known) =>
              known && { ...known, shares: known.shares.filter(({ id }) => id !== share.id) },
          );
        }}
      >
        {words.share.revokeAbout}
      </Confirm>
    </li>
  );
}
