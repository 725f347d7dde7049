/** What the routes of comparisons take and give, for their description and their checks. */
import { z } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { Usage, Verdict } from "./schemas.ts";

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

const AttemptResult = z
  .object({
    outcome: z.enum(["done", "stopped", "interrupted", "error", "budget"]),
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
