import { z } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { CodedText } from "../schemas.ts";

const Argument = z.object({
  name: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
});

const State = z.enum(["off", "idle", "connecting", "connected", "failed", "sign-in"]);

const Resource = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  template: z.literal(true).optional(),
}) satisfies z.ZodType<P.McpResourceInfo>;

const Prompt = z.object({
  name: z.string(),
  description: z.string().optional(),
  arguments: z.array(Argument),
}) satisfies z.ZodType<P.McpPromptInfo>;

const Problem = z.object({
  code: z.enum([
    "missing-program",
    "no-package",
    "no-network",
    "exited",
    "timeout",
    "not-mcp",
    "too-much",
    "unreachable",
    "redirect",
    "http",
    "refused",
    "no-project",
    "failed",
  ]),
  message: z.string(),
  messageCode: CodedText.optional(),
  tried: z.string(),
  triedCode: CodedText.optional(),
  next: z.string(),
  nextCode: CodedText.optional(),
  said: z.string().optional(),
  host: z.string().optional(),
}) satisfies z.ZodType<P.McpProblem>;

const Server = z
  .object({
    name: z.string(),
    scope: z.enum(["global", "project"]),
    config: z.string(),
    where: z.string(),
    enabled: z.boolean(),
    trusted: z.boolean(),
    program: z.boolean(),
    state: State,
    problem: Problem.optional(),
    title: z.string().optional(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        input: z.string(),
        allowed: z.boolean(),
        changed: z.string().optional(),
        tokens: z.number(),
      }),
    ),
    left: z.string().optional(),
    later: z.string().optional(),
    resources: z.array(Resource),
    prompts: z.array(Prompt),
    log: z.string(),
  })
  .openapi("McpServer") satisfies z.ZodType<P.McpServerInfo>;

export const McpOverviewBody = z
  .object({
    servers: z.array(Server),
    proposals: z.array(
      z.object({
        path: z.string(),
        name: z.string(),
        where: z.string(),
        config: z.string(),
        digest: z.string(),
      }),
    ),
  })
  .openapi("McpOverview") satisfies z.ZodType<P.McpOverview>;

export const McpAnswerBody = z.object({ ok: z.boolean(), text: z.string() });
export const McpPromptBody = McpAnswerBody.extend({
  message: z.string(),
  pictures: z.array(z.object({ mediaType: z.string(), data: z.string() })),
}) satisfies z.ZodType<P.McpPromptText>;

export const McpOffersBody = z
  .object({
    servers: z.array(
      z.object({
        name: z.string(),
        state: State,
        completes: z.boolean(),
        prompts: z.array(Prompt),
        resources: z.array(Resource),
      }),
    ),
  })
  .openapi("McpOffers") satisfies z.ZodType<P.McpOffers>;
/** A list of servers as text; the limit is above the length of any. */
export const McpText = z.string().min(1).max(200_000);
export const McpName = z.string().min(1).max(100);
export const McpShort = z.string().min(1).max(4_000);
/** Arguments of a prompt. */
export const McpValues = z.record(z.string().max(200), z.string().max(20_000));
