import { statusOf } from "@treadle/protocol/fold";
import { Suspense } from "react";
import { Rocket } from "../ui/icons.ts";
import { useCommand } from "../commands/available.ts";
import { useProjectReviews } from "../api/reviews.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useMay } from "../project/use-may.ts";
import { buttonClass } from "../ui/button.tsx";
import { keysHint } from "../commands/hint.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { words } from "../words/words.ts";
import { closePublish, openPublish, usePublishStore } from "./publish-store.ts";

const { Part: PublishDialog, load } = lazyPart(() => import("./publish-dialog.tsx"));

/**
 * Opens the publication dialog. The header contains two of these: the one with `isNext` is shown while the project is
 * verified, the other otherwise. Draws nothing for a person who may neither publish nor ask for it.
 */
export function PublishButton({ isNext = false }: { isNext?: boolean }) {
  const mayPublish = useMay("project.publish");
  const mayAsk = useMay("project.request");
  const isAsked = useProjectReviews(useProjectId())?.needed.includes("publish") === true;
  const may = isAsked ? mayAsk : mayPublish;
  const name = isAsked ? words.reviews.askToPublish : words.publish.publish;
  useCommand("publish", may && openPublish);
  const isVerified = useView((view) => statusOf(view) === "verified");
  if (!may || isVerified !== isNext) return null;
  return (
    <button
      type="button"
      onClick={openPublish}
      onPointerEnter={() => void load()}
      {...keysHint("publish", name)}
      data-main={isNext || undefined}
      className={`ml-1 ${buttonClass(isNext ? "primary" : "quiet")}`}
    >
      <Rocket size={16} aria-hidden="true" /> {name}
    </button>
  );
}

/** The publication dialog while it is open; its code is loaded when it is first opened. */
export function Publish() {
  const open = usePublishStore((state) => state.open);
  return (
    open && (
      <Suspense>
        <PublishDialog onClose={closePublish} />
      </Suspense>
    )
  );
}
