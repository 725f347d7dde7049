import { Suspense } from "react";
import { useCommand } from "../commands/available.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { closeGit, openGit, useGitStore } from "./git-store.ts";

const { Part: GitDialog } = lazyPart(() => import("./git-dialog.tsx"));

/**
 * The repository dialog while it is open, and the command that opens it; its code is loaded when it is first opened.
 */
export function Git() {
  useCommand("git", openGit);
  const open = useGitStore((state) => state.open);
  return (
    open && (
      <Suspense>
        <GitDialog onClose={closeGit} />
      </Suspense>
    )
  );
}
