import { isWorking } from "@treadle/protocol/fold";
import type { AskedItem, Evidence, PagePicture } from "@treadle/protocol";
import { unprovenItems, type UnprovenItem } from "@treadle/protocol/evidence";
import { visibleProse } from "@treadle/protocol/safe-text";
import { Check, Circle, Eye } from "../ui/icons.ts";
import { runCommand, useAvailable } from "../commands/available.ts";
import { agreeAsked } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/**
 * The items requested in a turn: items that were tried, with their check; items that were not, with the reason; and
 * items that only the person can judge, with pictures of the page before and after.
 */
export function AskedList({ evidence, last }: { evidence: Evidence; last: boolean }) {
  const open = unprovenItems(evidence);
  const canRecord = useAvailable((state) => state.runs.has("recordCheck"));
  const asked = evidence.asked ?? [];
  const reasonOf = ({ what }: AskedItem) => open.find((item) => item.what === what);
  const byEye = asked.filter((item) => reasonOf(item)?.why === "by-eye");
  const others = asked.filter((item) => !byEye.includes(item));
  // Without a list of requested items, one line represents all of them.
  const rest = evidence.asked ? [] : open;
  return (
    <>
      <ul className="mt-1 space-y-0.5 text-small">
        {others.map((item, index) => (
          <AskedRow key={index} item={item} reason={reasonOf(item)} />
        ))}
        {rest.map((item, index) => (
          <Row key={index} what={words.evidence.notTried.nothing} how={reasonWords(item)} />
        ))}
      </ul>
      {last && open.length > byEye.length && canRecord && (
        <Button className="mt-1" onClick={() => runCommand("recordCheck")}>
          {words.record.title}
        </Button>
      )}
      {byEye.length > 0 && <LookYourself items={byEye} evidence={evidence} last={last} />}
    </>
  );
}

function AskedRow({ item, reason }: { item: AskedItem; reason: UnprovenItem | undefined }) {
  const { what, check, isAgreed } = item;
  if (reason) return <Row what={what} how={reasonWords(reason)} />;
  const { byCheck, agreed } = words.evidence.asked;
  return <Row what={what} how={isAgreed ? agreed : byCheck({ check: check ?? "" })} isTried />;
}

/** One requested item: whether it was tried, its text, and its check or the reason why there is none. */
function Row({ what, how, isTried = false }: { what: string; how: string; isTried?: boolean }) {
  return (
    <li dir="auto" className="flex items-start gap-1.5 break-words">
      <span className="flex h-[1.45em] shrink-0 items-center">
        {isTried ? (
          <Check size={14} aria-hidden="true" className="text-verified" />
        ) : (
          <Circle size={12} aria-hidden="true" className="mx-px text-unsure" />
        )}
        <span className="sr-only">
          {isTried ? words.evidence.asked.tried : words.evidence.notTried.name}
        </span>
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-3">
        <span className="min-w-0">{visibleProse(what)}</span>
        <span className="min-w-0 text-quiet">{visibleProse(how)}</span>
      </span>
    </li>
  );
}

/**
 * The items that only the person can judge, with pictures of the page before and after the turn. In the last turn, each
 * item has a button to confirm it.
 */
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
  // Pages without a picture are skipped.
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

/** Why an item was not tried. */
function reasonWords({ check, why }: UnprovenItem): string {
  const { ofCheck, why: reasons } = words.evidence.notTried;
  return check === undefined ? reasons[why] : ofCheck({ check, why: reasons[why] });
}
