import type { TabStage } from "@treadle/protocol";

/** Maximum length accepted by `POST /build-result`. */
const MAX_STDERR_CHARS = 64_000;

/**
 * Reports this tab's events to the reverse channel, for clients that follow the session. The agent is informed through the
 * socket, so a failure here affects nobody else.
 */
export function reportBuild(
  project: string,
  report: {
    status: "success" | "failed" | "running";
    stage: TabStage;
    revision: string;
    exitCode?: number;
    wallTimeMs?: number;
    stderr?: string;
    previewUrl?: string;
    visual?: unknown;
  },
): void {
  const { stderr, ...rest } = report;
  const body = {
    ...rest,
    stderr: stderr === undefined ? undefined : stderr.slice(-MAX_STDERR_CHARS),
  };
  void fetch("/build-result", {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", "x-session-id": `tab.${project}` },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}
