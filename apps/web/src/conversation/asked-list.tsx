import { isWorking } from "@treadle/protocol/fold";
import type { AskedItem, Evidence, PagePicture } from "@treadle/protocol";
import { unprovenItems, type UnprovenItem } from "@treadle/protocol/evidence";
import { visibleProse } from "@treadle/protocol/safe-text";
import type { ReactNode } from "react";
import { Check, Eye, Minus } from "../ui/icons.ts";
import { agreeAsked } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/**
 * What was asked for in a turn: what was tried, with its check, what was not and why, and what only eyes can judge, with
 * the page before and after.
 */
export function AskedList({ evidence, last }: { evidence: Evidence; last: boolean }) {
  const open = unprovenItems(evidence);
  const asked = evidence.asked ?? [];
  const reasonOf = ({ what }: AskedItem) => open.find((item) => item.what === what);
  const byEye = asked.filter((item) => reasonOf(item)?.why === "by-eye");
  const others = asked.filter((item) => !byEye.includes(item));
  // Where nobody said what was asked for, there is one line for all of it.
  const rest = evidence.asked ? [] : open;
  return (
    <>
      <ul className="mt-1 space-y-0.5 text-small">
        {others.map((item, index) => (
          <AskedRow key={index} item={item} reason={reasonOf(item)} />
        ))}
        {rest.map((item, index) => (
          <Row key={index} icon={<Minus size={14} aria-hidden="true" />}>
            {notTriedWords(item)}
          </Row>
        ))}
      </ul>
      {byEye.length > 0 && <LookYourself items={byEye} evidence={evidence} last={last} />}
    </>
  );
}

function AskedRow({ item, reason }: { item: AskedItem; reason: UnprovenItem | undefined }) {
  if (reason)
    return <Row icon={<Minus size={14} aria-hidden="true" />}>{notTriedWords(reason)}</Row>;
  const { what, check, isAgreed } = item;
  const how = isAgreed
    ? words.evidence.asked.agreed({ what })
    : words.evidence.asked.tried({ what, check: check ?? "" });
  return <Row icon={<Check size={14} aria-hidden="true" className="text-verified" />}>{how}</Row>;
}

function Row({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <li dir="auto" className="flex items-start gap-1.5 break-words">
      <span className="flex h-[1.45em] shrink-0 items-center text-quiet">{icon}</span>
      <span className="min-w-0">{visibleProse(children)}</span>
    </li>
  );
}

/** The two pictures, and the person's word for each item. A turn before the last is shown as it ended. */
function LookYourself({
  items,
  evidence,
  last,
}: {
  items: readonly AskedItem[];
  evidence: Evidence;
  last: boolean;
}) {
  const project = useProjectId();
  const working = useView(isWorking);
  const { act, busy, problem } = useAct();
  // The first page is told last.
  const page = evidence.pages.findLast(({ picture }) => picture);
  const { before, after, title, agree } = words.evidence.asked;
  return (
    <div className="mt-2">
      <h4 className="flex items-center gap-1.5 text-small font-semibold">
        <Eye size={14} aria-hidden="true" /> {title}
      </h4>
      <ul className="mt-1 space-y-1 text-small">
        {items.map(({ what }) => (
          <li key={what} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span dir="auto" className="min-w-0 break-words">
              {visibleProse(what)}
            </span>
            {last && (
              <Button
                disabled={busy || working}
                title={words.evidence.asked.agreeAbout}
                onClick={() => void act(() => agreeAsked(project, evidence.revision, what))}
              >
                {agree}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
      {page?.picture && (
        <div className={page.pictureBefore ? "grid grid-cols-2 gap-2" : ""}>
          {page.pictureBefore && <Pictured picture={page.pictureBefore} caption={before} />}
          <Pictured picture={page.picture} caption={after} />
        </div>
      )}
    </div>
  );
}

function Pictured({ picture, caption }: { picture: PagePicture; caption: string }) {
  return (
    <figure className="min-w-0 text-small text-quiet">
      <LookedPicture picture={picture} subject={`${words.evidence.thePage}, ${caption}`} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

/** What was not tried, and why. */
function notTriedWords({ what, check, why }: UnprovenItem): string {
  const { nothing, item, ofCheck, why: reasons } = words.evidence.notTried;
  const reason = check === undefined ? reasons[why] : ofCheck({ check, why: reasons[why] });
  if (what !== undefined) return item({ what, why: reason });
  return check === undefined ? nothing : `${nothing} (${reason})`;
}
