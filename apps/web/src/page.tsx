import { useQuery } from "@tanstack/react-query";
import { Suspense, type ReactNode } from "react";
import { TriangleAlert } from "./ui/icons.ts";
import { readHealth } from "./api/projects.ts";
import { PageCommands } from "./palette/page-commands.tsx";
import { MissingNote } from "./ui/missing-note.tsx";
import { useNotices } from "./ui/notice.ts";
import { useDialogFocus } from "./ui/use-dialog-focus.ts";
import { words } from "./words/words.ts";
import { lazyPart } from "./ui/lazy-part.tsx";

const { Part: Notices } = lazyPart(() => import("./workbench/notices.tsx"));

/**
 * The frame of every page: a link that skips to its contents, the banner about the sandbox, its commands and notices.
 */
export function Page({ children }: { children: ReactNode }) {
  const any = useNotices((state) => state.any);
  useDialogFocus();
  return (
    <div className="flex h-dvh flex-col">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:border focus:border-line focus:bg-raised focus:px-3 focus:py-2"
      >
        {words.page.skip}
      </a>
      <SandboxBanner />
      <div className="min-h-0 flex-1">{children}</div>
      <PageCommands />
      <MissingNote />
      {any && (
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
      )}
    </div>
  );
}

function SandboxBanner() {
  const { data: health } = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => readHealth(signal),
    staleTime: 60_000,
  });
  if (!health || (health.sandbox.ok && !health.sandbox.unsafe)) return null;
  return (
    <div
      role="status"
      className="flex items-start gap-2 border-b border-line px-4 py-2 text-small text-failed"
    >
      <TriangleAlert size={16} aria-hidden="true" className="mt-px shrink-0" />
      {health.sandbox.unsafe ? words.page.unsafe : (health.sandbox.message ?? words.page.noSandbox)}
    </div>
  );
}
