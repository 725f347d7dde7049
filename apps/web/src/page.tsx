import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { Toaster } from "sonner";
import { readHealth } from "./api/projects.ts";
import { useTheme } from "./ui/theme.ts";

const NOTICE_COLOURS = {
  "--normal-bg": "var(--raised)",
  "--normal-border": "var(--line)",
  "--normal-text": "var(--ink)",
  "--border-radius": "6px",
  fontFamily: "inherit",
} as CSSProperties;

const NOTICE_BUTTON: CSSProperties = {
  height: 28,
  fontSize: 13,
  background: "var(--accent)",
  color: "var(--on-accent)",
};

/** What every page stands in: the banner that nobody may miss, and the notices. */
export function Page({ children }: { children: ReactNode }) {
  const theme = useTheme((state) => state.theme);
  return (
    <div className="flex h-dvh flex-col">
      <SandboxBanner />
      <div className="min-h-0 flex-1">{children}</div>
      <Toaster
        theme={theme}
        position="bottom-center"
        style={NOTICE_COLOURS}
        toastOptions={{ actionButtonStyle: NOTICE_BUTTON }}
        offset={24}
        mobileOffset={72}
      />
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
      {health.sandbox.unsafe
        ? "No sandbox: generated code runs with your own rights on this machine and can read your files."
        : (health.sandbox.message ??
          "Generated code cannot run on this machine. Run “treadle doctor”.")}
    </div>
  );
}
