import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Project, Treadle } from "@treadle/client";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { asks } from "./follow-run.ts";
import { toolResult } from "./tool-results.ts";

/** Describes a project's status for another agent. */
export async function statusOf(
  treadle: Treadle,
  project: Project,
  { picture }: { picture: boolean },
): Promise<CallToolResult> {
  const detail = await project.detail();
  const judged = await project.verdict();
  const parts = judged
    ? EVIDENCE_PARTS.map((part) => {
        const { state, summary } = judged.evidence.parts[part];
        return `- ${part}: ${state}${summary ? `, ${summary}` : ""}`;
      })
    : [];
  const lines = [
    `${detail.name} (${detail.id})`,
    judged ? `${judged.verdict}: ${judged.reason}` : "Nobody has looked at it yet.",
    ...parts,
    ...(detail.waiting ? [asks(detail.waiting.question)] : []),
    ...(detail.working && !detail.waiting ? ["A run or a look goes on."] : []),
    `Its page: ${detail.previewOrigin}`,
  ];
  const { waiting, working, previewOrigin: preview, usage, revision } = detail;
  const { verdict, reason, evidence } = judged ?? {};
  const result = toolResult(lines.join("\n"), {
    project: detail.id,
    verdict,
    reason,
    evidence,
    working,
    waiting,
    preview,
    usage,
    revision,
  });
  const shown = evidence?.pages.find((page) => page.picture)?.picture;
  if (picture && shown)
    result.content.push({
      type: "image",
      data: await pictureOf(treadle, project.id, shown.hash),
      mimeType: shown.mediaType,
    });
  return result;
}

async function pictureOf({ api }: Treadle, id: string, hash: string): Promise<string> {
  const { data } = await api.GET("/api/projects/{id}/pictures/{hash}", {
    params: { path: { id, hash } },
    parseAs: "arrayBuffer",
  });
  return Buffer.from(data as unknown as ArrayBuffer).toString("base64");
}
