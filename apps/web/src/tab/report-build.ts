import type { TabStage } from "@treadle/protocol";

/** The most that `POST /build-result` takes. */
const STDERR = 64_000;

/**
 * Tells the reverse channel what happened in this tab, for whoever follows it by this session. The agent is told by the socket:
 * what does not come through here is lost to nobody else.
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
  const body = { ...rest, stderr: stderr === undefined ? undefined : stderr.slice(-STDERR) };
  void fetch("/build-result", {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", "x-session-id": `tab.${project}` },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}
