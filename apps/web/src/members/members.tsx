import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import { closeMembers, useMembersStore } from "./members-store.ts";

const { Part: MembersDialog } = lazyPart(() => import("./members-dialog.tsx"));

/** The dialog of the project's members while it is open; its code is loaded when it is first opened. */
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
