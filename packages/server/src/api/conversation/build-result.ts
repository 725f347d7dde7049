import { tailOf } from "@treadle/protocol/safe-text";
import { currentPrincipal } from "@treadle/accounts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { requires } from "../../access/requires.ts";
import { answers, answersOk, body } from "../describe.ts";
import type { Services } from "../services.ts";

/**
 * Maximum size of the request body, in bytes; of `stderr` in it, and of the end of it that is stored, in
 * characters.
 */
export const REPORT_BYTES = 256 * 1024;
export const STDERR_LIMIT = 64_000;
export const STDERR_KEPT = 2_000;
const SESSION = /^[a-zA-Z0-9._#-]{8,128}$/;
const STATUSES = new Set(["success", "failed", "running"]);
const STAGES = new Set(["install", "build", "dev", "page", "test"]);

/**
 * Routes for build reports of an external runtime, which the server cannot observe. Each session has its latest
 * report.
 */
export function buildResultRoutes(app: OpenAPIHono, { store, now }: Services): void {
  const path = "/build-result";
  app.post(path, requires("server.use"), async (c) => {
    const session = sessionOf(c);
    const text = await readLimited(c);
    const report = readReport(text);
    await store.buildResults.put(session, report, now());
    return c.json({ ok: true as const }, 200);
  });
  app.get(path, requires("server.use"), async (c) => {
    const stored = await store.buildResults.get(sessionOf(c));
    return c.json(
      stored ? { ...stored.report, ranAtMs: stored.ranAtMs } : { status: "unknown", ranAtMs: 0 },
    );
  });
  app.delete(path, requires("server.use"), async (c) => {
    await store.buildResults.remove(sessionOf(c));
    return c.json({ ok: true as const }, 200);
  });
  describeRoutes(app, path);
}

function sessionOf(c: Context): string {
  const session = c.req.header("x-session-id")?.trim();
  if (session === undefined || session === "")
    throw new ApiFailure(400, "session-missing", sentence("session-missing"));
  if (!SESSION.test(session))
    throw new ApiFailure(400, "session-malformed", sentence("session-malformed"));
  // The external runtime chooses the session's name, so the person's id is added: nobody finds another person's
  // report.
  const person = currentPrincipal()?.person;
  return person === undefined ? session : `${person}:${session}`;
}

async function readLimited(c: Context): Promise<string> {
  const tooLarge = () =>
    new ApiFailure(413, "too-large", sentence("too-large", { what: "report", limit: "256 KB" }));
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    bytes += chunk.byteLength;
    // Reads no further than the limit.
    if (bytes > REPORT_BYTES) throw tooLarge();
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The report as it is stored. An optional field of the wrong type is dropped. @throws ApiFailure 400 or 413. */
export function readReport(text: string): Record<string, unknown> {
  const refuse = (why: string) =>
    new ApiFailure(400, "bad-report", sentence("input-invalid", { why }));
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refuse("the body has to be a JSON object");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw refuse("the body has to be a JSON object");
  const given = new Map<string, unknown>(Object.entries(parsed));

  const stderr = given.get("stderr");
  if (typeof stderr === "string" && stderr.length > STDERR_LIMIT)
    throw new ApiFailure(
      413,
      "too-large",
      sentence("too-large", { what: "stderr", limit: `${STDERR_LIMIT} characters` }),
    );
  const previewUrl = given.get("previewUrl");
  if (typeof previewUrl === "string" && !isWebAddress(previewUrl))
    throw refuse("previewUrl has to be an http or https address");
  const status = given.get("status");
  if (typeof status !== "string" || !STATUSES.has(status))
    throw refuse("status is success, failed or running");
  const stage = given.get("stage");
  if (stage !== undefined && (typeof stage !== "string" || !STAGES.has(stage)))
    throw refuse("stage is install, build, dev, page or test");

  const report: Record<string, unknown> = { status };
  if (stage !== undefined) report.stage = stage;
  const copyField = (name: string, kind: "string" | "number") => {
    const value = given.get(name);
    if (typeof value === kind && (kind === "string" || Number.isFinite(value)))
      report[name] = value;
  };
  copyField("revision", "string");
  copyField("exitCode", "number");
  copyField("wallTimeMs", "number");
  if (typeof stderr === "string") report.stderr = tailOf(stderr.toWellFormed(), STDERR_KEPT);
  copyField("previewUrl", "string");
  const visual = given.get("visual");
  if (typeof visual === "object" && visual !== null && !Array.isArray(visual))
    report.visual = visual;
  return report;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function describeRoutes(app: OpenAPIHono, path: string): void {
  const headers = z.object({ "x-session-id": z.string() });
  const Report = z
    .object({
      status: z.enum(["success", "failed", "running"]),
      stage: z.enum(["install", "build", "dev", "page", "test"]).optional(),
      revision: z.string().optional(),
      exitCode: z.number().optional(),
      wallTimeMs: z.number().optional(),
      stderr: z.string().optional(),
      previewUrl: z.string().optional(),
      visual: z.record(z.string(), z.unknown()).optional(),
    })
    .openapi("BuildReport");
  const Kept = Report.extend({
    status: z.enum(["success", "failed", "running", "unknown"]),
    ranAtMs: z.number(),
  });
  const register = app.openAPIRegistry.registerPath.bind(app.openAPIRegistry);
  register({
    method: "post",
    path,
    summary: "Stores a report from an external runtime.",
    request: { headers, body: body(Report) },
    responses: answersOk,
  });
  register({
    method: "get",
    path,
    summary: "The latest report of a session.",
    request: { headers },
    responses: answers(Kept, "The report, or status unknown."),
  });
  register({
    method: "delete",
    path,
    summary: "Deletes a session's report.",
    request: { headers },
    responses: answersOk,
  });
}
