import type { ProjectPath } from "@treadle/protocol";
import { holdsSecrets } from "@treadle/protocol/project-path";
import { useCallback, useEffect, useMemo, useState } from "react";
import { writingCall } from "../fold/select.ts";
import { useLiveStore, useProjectId } from "../live/live-context.tsx";
import { hasStoredText } from "../project/unsaved.ts";
import { useMay } from "../project/use-may.ts";
import { useTogether } from "../together/together-store.ts";
import { withFurtherTries } from "../ui/lazy-part.tsx";
import type { openSharedSession as OpenSharedSession } from "./shared-session.ts";

type OpenShared = typeof OpenSharedSession;

/**
 * Whether a file is edited together with others. Never without a team, in which case no code is loaded for it, and
 * never for a file that holds secrets. A file that the model is writing, or that has unsaved text, is opened alone
 * first.
 */
export function useSharing(path: ProjectPath) {
  const project = useProjectId();
  const store = useLiveStore();
  const line = useTogether((state) => state.line);
  const mayEdit = useMay("project.edit");
  const [alone, setAlone] = useState<"once" | "always" | undefined>(() => {
    const isWritten = writingCall(store.getState().view)?.path === path;
    return isWritten || hasStoredText(project, path) ? "once" : undefined;
  });
  const [shared, setShared] = useState<{ open: OpenShared }>();
  const isShared = line !== undefined && alone === undefined && !holdsSecrets(path);
  useEffect(() => {
    if (!isShared || shared) return;
    let isOver = false;
    withFurtherTries(() => import("./shared-session.ts")).then(
      ({ openSharedSession }) => isOver || setShared({ open: openSharedSession }),
      () => isOver || setAlone("always"),
    );
    return () => {
      isOver = true;
    };
  }, [isShared, shared]);
  const sharing = useMemo(
    () =>
      isShared && shared
        ? {
            open: (options: Omit<Parameters<OpenShared>[0], "line">) =>
              shared.open({ ...options, line }),
          }
        : undefined,
    [isShared, shared, line],
  );
  return {
    sharing,
    mayEdit,
    /** Whether the code for editing together is still loading; the editor opens once it is loaded. */
    isPending: isShared && !shared,
    leave: useCallback(
      (reason: "refused" | "replaced") => setAlone(reason === "refused" ? "always" : "once"),
      [],
    ),
    /** Call when a file that was opened alone has nothing unsaved any more. */
    retry: useCallback(() => setAlone((before) => (before === "once" ? undefined : before)), []),
  };
}
