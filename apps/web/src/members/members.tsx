import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import { closeMembers, useMembersStore } from "./members-store.ts";

const { Part: MembersDialog } = lazyPart(() => import("./members-dialog.tsx"));

/** The dialog, loaded when first opened. */
export function Members() {
  const open = useMembersStore((state) => state.open);
  return (
    open && (
      <Suspense>
        <MembersDialog onClose={closeMembers} />
      </Suspense>
    )
  );
}
