import { Suspense } from "react";
import { useCommand } from "../commands/available.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { closeChecks, openChecks, useChecksStore } from "./checks-store.ts";

const { Part: ChecksDialog } = lazyPart(() => import("./checks-dialog.tsx"));

/** The checks dialog while it is open, and the command that opens it; its code is loaded when it is first opened. */
export function Checks() {
  useCommand("checks", openChecks);
  const isOpen = useChecksStore((state) => state.isOpen);
  return (
    isOpen && (
      <Suspense>
        <ChecksDialog onClose={closeChecks} />
      </Suspense>
    )
  );
}
