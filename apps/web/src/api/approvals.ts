import type { ApprovalPolicy } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest: string) =>
  `/api/projects/${encodeURIComponent(project)}${rest}`;

export type QuestionAnswer =
  /** `digest` identifies exactly what the person was shown. */
  | { kind: "approve"; digest: string; always?: true }
  | { kind: "deny"; words?: string }
  | { kind: "words"; text: string };

export const answerQuestion = (project: string, question: string, answer: QuestionAnswer) =>
  sendJson("POST", apiPath(project, `/questions/${encodeURIComponent(question)}`), answer);

export const readApprovals = (project: string, signal?: AbortSignal) =>
  getJson<ApprovalPolicy>(apiPath(project, "/approvals"), signal);

export const saveApprovals = (project: string, policy: ApprovalPolicy) =>
  sendJson("PUT", apiPath(project, "/approvals"), policy);
