/** Schemas of the requests and responses of comparisons, for documentation and validation. */
import { z } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { Usage, Verdict } from "../schemas.ts";

export const StartComparison = z
  .object({
    project: z.string().max(100).optional().openapi({
      description: "The project that each attempt copies; absent: each starts empty.",
    }),
    text: z.string().openapi({ description: "1 to 200,000 characters." }),
    models: z.array(z.string().max(200)).min(1).max(6),
    attempts: z.number().int().min(1).max(4).optional().openapi({
      description: "Number of attempts for each model; 2 to 8 in total.",
    }),
    together: z.number().int().min(1).max(4).optional().openapi({
      description: "Concurrent attempts; default 2.",
    }),
    pictures: z.array(z.string()).optional(),
  })
  .openapi("StartComparison") satisfies z.ZodType<P.StartComparison>;

const Outcome = z.enum(["done", "stopped", "interrupted", "error", "budget"]);

const AttemptResult = z
  .object({
    outcome: Outcome,
    verdict: Verdict.optional(),
    summary: z.string(),
    checks: z.object({ held: z.number(), all: z.number() }).optional(),
    usage: Usage,
    ms: z.number(),
    steps: z.number(),
    files: z.number(),
    lines: z.object({ added: z.number(), removed: z.number() }),
  })
  .openapi("AttemptResult") satisfies z.ZodType<P.AttemptResult>;

const ComparedAttempt = z
  .object({
    number: z.number(),
    model: z.string(),
    state: z.enum(["waiting", "making", "going", "over", "stopped", "failed"]),
    project: z.string().optional(),
    problem: z.string().optional(),
    result: AttemptResult.optional(),
  })
  .openapi("ComparedAttempt") satisfies z.ZodType<P.ComparedAttempt>;

export const Comparison = z
  .object({
    id: z.string(),
    project: z.string().optional(),
    text: z.string(),
    createdAt: z.number(),
    together: z.number(),
    attempts: z.array(ComparedAttempt),
  })
  .openapi("Comparison") satisfies z.ZodType<P.Comparison>;

export const StartParallel = z
  .object({
    text: z.string().openapi({ description: "1 to 200,000 characters." }),
    model: z.string().max(200).optional().openapi({ description: "Absent: the project's." }),
    pictures: z.array(z.string()).optional(),
    files: z.array(z.string().min(1).max(1_000)).max(100).optional().openapi({
      description: "Paths of files in the project that the copy gets as they are now.",
    }),
  })
  .openapi("StartParallel") satisfies z.ZodType<P.StartParallel>;

const HeldReason = z
  .discriminatedUnion("code", [
    z.object({
      code: z.literal("conflict"),
      values: z.object({ files: z.array(z.string()), others: z.array(z.string()) }),
    }),
    z.object({ code: z.literal("unfit"), values: z.object({ others: z.array(z.string()) }) }),
    z.object({ code: z.literal("unfinished"), values: z.object({ outcome: Outcome }) }),
    z.object({ code: z.literal("unmerged"), values: z.object({ why: z.string() }) }),
  ])
  .openapi("HeldReason") satisfies z.ZodType<P.HeldReason>;

export const ParallelRequest = z
  .object({
    id: z.string(),
    text: z.string(),
    state: z.enum(["waiting", "making", "going", "stopped", "failed", "merging", "held", "merged"]),
    copy: z.string().optional().openapi({ description: "Its copy of the project." }),
    base: z
      .string()
      .optional()
      .openapi({ description: "The checkpoint that the copy began with." }),
    problem: z.string().optional(),
    held: HeldReason.optional(),
  })
  .openapi("ParallelRequest") satisfies z.ZodType<P.ParallelRequest>;
