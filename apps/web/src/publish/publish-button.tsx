import { Rocket } from "lucide-react";
import { Suspense } from "react";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { words } from "../words/words.ts";
import { closePublish, openPublish, usePublishStore } from "./publish-store.ts";

const { Part: PublishDialog, load } = lazyPart(() => import("./publish-dialog.tsx"));

/** Opens what the project is published as. */
export function PublishButton() {
  useCommand("publish", openPublish);
  return (
    <button
      type="button"
      onClick={openPublish}
      onPointerEnter={() => void load()}
      {...keysHint("publish", words.publish.publish)}
      className="ml-1 inline-flex h-7 items-center gap-1.5 rounded px-2 text-small text-quiet hover:bg-hover hover:text-ink"
    >
      <Rocket size={16} aria-hidden="true" /> {words.publish.publish}
    </button>
  );
}

/** The dialog, loaded when it is first opened. */
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
