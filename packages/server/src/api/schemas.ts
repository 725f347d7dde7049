/** Schemas of the API's payloads for `/api/openapi.json`. Their types come from the protocol. */
import { CACHE_LEVELS, THINKING_LEVELS } from "@treadle/protocol/models";
import { z } from "@hono/zod-openapi";
import {
  EVIDENCE_PARTS,
  FINDING_CODES,
  BEFORE_UNTRIED,
  PROVES_NOTHING,
  VERDICT_MODES,
  VERDICTS,
} from "@treadle/protocol/evidence";
import type * as P from "@treadle/protocol";

/** A path that was validated before, and is only passed on here. */
const Path = z.string() as unknown as z.ZodType<P.ProjectPath>;

/** Its values may contain such texts in turn, which OpenAPI tools do not support well. */
export const CodedText = z
  .object({ code: z.string(), values: z.record(z.string(), z.unknown()).optional() })
  .openapi("CodedText", {
    description: "The code and values of the English text beside it, for translation.",
  }) as unknown as z.ZodType<P.CodedText>;

export const ApiError = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), messageCode: CodedText.optional() }),
  })
  .openapi("ApiError") satisfies z.ZodType<P.ApiError>;

export const Verdict = z.enum(VERDICTS);
const Dialect = z.enum(["native", "artifact", "tags"]);
const ServerState = z
  .object({
    state: z.enum(["starting", "up", "stopped", "crashed"]),
    command: z.string(),
    ports: z.array(z.number()),
    exitCode: z.number().optional(),
    tail: z.string().optional(),
    restarts: z.number(),
  })
  .openapi("ServerState") satisfies z.ZodType<P.ServerState>;

export const Usage = z
  .object({
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number().optional(),
  })
  .openapi("Usage") satisfies z.ZodType<P.Usage>;

const PageProblem = z.object({
  message: z.string(),
  source: z.string().optional(),
  stack: z.string().optional(),
});

const PagePicture = z.object({
  hash: z.string(),
  mediaType: z.string(),
  undrawn: z.array(z.string()).optional().openapi({
    description:
      "Characters of the page, a few, for which the looking browser has no font: in the picture they are boxes.",
  }),
}) satisfies z.ZodType<P.PagePicture>;

const WantedHost = z.object({
  host: z.string(),
  why: z.enum(["not-allowed", "unreached"]),
}) satisfies z.ZodType<P.WantedHost>;

const PageReport = z
  .object({
    source: z.enum(["headless", "probe", "tab"]),
    path: z.string(),
    status: z.number(),
    contentType: z.string(),
    title: z.string(),
    lang: z.string().optional(),
    rendered: z.boolean(),
    text: z.string(),
    uncaughtErrors: z.array(PageProblem),
    consoleErrors: z.array(PageProblem),
    failedRequests: z.array(
      z.object({
        method: z.string(),
        url: z.string(),
        status: z.number(),
        reason: z.string().optional(),
      }),
    ),
    overlay: z.string().optional(),
    ms: z.number(),
    picture: PagePicture.optional(),
    pictureBefore: PagePicture.optional(),
    wanted: z.array(WantedHost.extend({ for: z.enum(["script", "data", "looks"]) })).optional(),
  })
  .openapi("PageReport") satisfies z.ZodType<P.PageReport>;

const PartEvidence = z.object({
  state: z.enum(["untried", "going", "held", "failed", "inapplicable"]),
  summary: z.string(),
  summaryCode: CodedText.optional(),
  detail: z.string().optional(),
  at: z.number().optional(),
  ms: z.number().optional(),
}) satisfies z.ZodType<P.PartEvidence>;

export const Evidence = z
  .object({
    revision: z.string(),
    parts: z.record(z.enum(EVIDENCE_PARTS), PartEvidence),
    checks: z
      .array(
        z.object({
          name: z.string(),
          state: z.enum(["untried", "going", "held", "failed"]),
          steps: z.array(
            z.object({ ok: z.boolean(), said: z.string(), alreadyHeld: z.boolean().optional() }),
          ),
          ms: z.number().optional(),
          isNew: z.literal(true).optional(),
          provesNothing: z
            .enum(PROVES_NOTHING)
            .optional()
            .openapi({ description: "It passed, but proves nothing about the turn." }),
          beforeUntried: z.enum(BEFORE_UNTRIED).optional().openapi({
            description: "Why it was not run on the revision before the turn.",
          }),
          firstTry: z.string().optional().openapi({
            description: "The failure of its first attempt; the second one passed.",
          }),
          holdsOnlyFor: z.string().optional(),
          failedStep: z
            .object({
              path: z.string(),
              outline: z.string(),
              console: z.array(z.string()).optional(),
              printed: z.string().optional(),
            })
            .optional()
            .openapi({ description: "What the page showed at the failed step." }),
          picture: PagePicture.optional(),
        }),
      )
      .optional(),
    pages: z.array(PageReport),
    wanted: z.array(WantedHost).optional(),
    asked: z
      .array(
        z.object({
          what: z.string(),
          check: z.string().optional(),
          byEye: z.literal(true).optional(),
          isAgreed: z.literal(true).optional(),
          isOlder: z.literal(true).optional(),
        }),
      )
      .optional()
      .openapi({
        description: "The requirements of the turn, and the check that proves each.",
      }),
    findings: z
      .array(
        z.object({
          code: z.enum(FINDING_CODES),
          subject: z.string(),
          path: z.string().optional(),
          place: z.string().optional(),
          check: z.string().optional(),
          detail: z.string().optional(),
          picture: PagePicture.optional(),
        }),
      )
      .optional()
      .openapi({ description: "Further findings that are not failures by themselves." }),
    ms: z.number().optional().openapi({ description: "Duration of the check in milliseconds." }),
    at: z
      .number()
      .optional()
      .openapi({ description: "End of the check in milliseconds since 1970." }),
  })
  .openapi("Evidence") satisfies z.ZodType<P.Evidence>;

export const ProjectSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    verdict: Verdict.optional(),
    working: z.boolean(),
    picture: z.string().optional().openapi({
      description: "The latest screenshot of its page: the hash of a picture of the project.",
    }),
    waits: z.literal(true).optional(),
    archived: z.literal(true).optional(),
    comparison: z.string().optional().openapi({
      description: "The comparison that it belongs to as an attempt.",
    }),
    parallelOf: z.string().optional().openapi({
      description: "The project that it works for, as the copy of a parallel request.",
    }),
    turns: z.number().optional().openapi({
      description: "Turns started, including those returned from; absent: none.",
    }),
    costUsd: z.number().optional().openapi({
      description: "Cost of its turns in US dollars; absent if no model has a price.",
    }),
    live: z
      .object({ address: z.string(), release: z.number() })
      .optional()
      .openapi({ description: "The release that visitors see; absent if none is published." }),
  })
  .openapi("ProjectSummary") satisfies z.ZodType<P.ProjectSummary>;

export const DeletedProject = z
  .object({
    id: z.string(),
    name: z.string(),
    until: z.number().openapi({ description: "Time of its removal in milliseconds since 1970." }),
  })
  .openapi("DeletedProject") satisfies z.ZodType<P.DeletedProject>;

const subject = z.object({
  kind: z.enum(["read", "write", "remove", "command", "outside"]),
  what: z.array(z.string()),
});
const QuestionSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("approval"),
      id: z.string(),
      call: z.string(),
      tool: z.string(),
      why: z.string(),
      whyCode: CodedText.optional(),
      subject,
      digest: z.string(),
      mayRemember: z.boolean(),
      shown: z.array(z.object({ path: Path, text: z.string() })).optional(),
    }),
    z.object({
      kind: z.literal("words"),
      id: z.string(),
      call: z.string(),
      text: z.string(),
      choices: z.array(z.string()),
    }),
  ])
  .openapi("Question") satisfies z.ZodType<P.Question>;

export const ProjectDetail = ProjectSummary.extend({
  model: z.string().optional(),
  planModel: z.string().optional(),
  dialect: Dialect.optional(),
  previewOrigin: z.string(),
  server: ServerState.optional(),
  revision: z.string().optional(),
  evidence: Evidence.optional(),
  usage: Usage,
  waiting: z.object({ run: z.string(), question: QuestionSchema }).optional(),
  head: z.number().int().openapi({ description: "Number of the log's last entry." }),
  demo: z.string().optional(),
  origin: z
    .object({
      project: z.string(),
      name: z.string(),
      checkpoint: z.string(),
      label: z.string(),
    })
    .optional(),
}).openapi("ProjectDetail") satisfies z.ZodType<P.ProjectDetail>;

export const ForkedProject = z
  .object({
    id: z.string(),
    name: z.string(),
    without: z.object({
      hosts: z.array(z.string()),
      secrets: z.array(z.string()),
      approvals: z.boolean(),
      data: z.boolean(),
    }),
  })
  .openapi("ForkedProject") satisfies z.ZodType<P.ForkedProject>;

const OfProject = { project: z.string(), name: z.string() };
export const FoundEverywhere = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("project"), ...OfProject }),
    z.object({
      kind: z.literal("message"),
      ...OfProject,
      message: z.string(),
      text: z.string(),
    }),
    z.object({
      kind: z.literal("line"),
      ...OfProject,
      path: Path,
      line: z.number(),
      text: z.string(),
    }),
    z.object({ kind: z.literal("end"), more: z.boolean() }),
  ])
  .openapi("FoundEverywhere") satisfies z.ZodType<P.FoundEverywhere>;

/** Pictures in base64. Their number and size are limited where they are stored. */
const Pictures = z.array(z.string()).optional();

export const CreateProject = z
  .object({
    pictures: Pictures,
    prompt: z.string().optional().openapi({ description: "1 to 200,000 characters." }),
    mode: z.enum(["plan", "discuss", "act"]).optional(),
    model: z.string().max(200).optional(),
    dialect: Dialect.optional(),
    demo: z.string().max(100).optional(),
  })
  .openapi("CreateProject") satisfies z.ZodType<P.CreateProject>;

export const SendMessage = z
  .object({
    pictures: Pictures,
    open: z.array(z.string().max(1_000)).max(100).optional(),
    text: z.string().openapi({ description: "1 to 200,000 characters." }),
    model: z.string().max(200).optional(),
    mode: z.enum(["plan", "discuss", "act"]).optional(),
    fix: z.literal(true).optional().openapi({
      description:
        "Asks for the repair of what is broken now: the server tells the model what it saw, as data and not as the person's words.",
    }),
    prove: z.array(z.string().max(200)).max(20).optional().openapi({
      description:
        "Items of the last turn, in the words that its evidence has for them, that the message asks to show by checks. They may already work: a check of them need not fail on the revision before the turn.",
    }),
    plan: z.string().max(200_000).optional().openapi({
      description:
        "A plan to carry out, told as a model's text: nothing that it points at with @ is read.",
    }),
  })
  .openapi("SendMessage") satisfies z.ZodType<P.SendMessage>;

export const ProjectRules = z
  .object({
    rules: z.array(
      z.object({
        path: Path,
        size: z.number(),
        state: z.enum(["told", "cut", "name", "off", "other", "same", "room", "changed"]),
      }),
    ),
    changed: z.array(z.object({ path: Path, version: z.string(), told: z.boolean() })),
  })
  .openapi("ProjectRules") satisfies z.ZodType<P.ProjectRules>;

export const SkillList = z
  .object({
    skills: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        from: z.enum(["project", "person", "treadle"]),
      }),
    ),
  })
  .openapi("SkillList") satisfies z.ZodType<P.SkillList>;

export const Machine = z
  .object({
    version: z.string(),
    node: z.string(),
    system: z.string(),
    checks: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        detail: z.string(),
        mend: z.string().optional(),
      }),
    ),
  })
  .openapi("Machine") satisfies z.ZodType<P.Machine>;

export const OwnRules = z
  .object({ text: z.string(), others: z.array(z.string()), limit: z.number() })
  .openapi("OwnRules") satisfies z.ZodType<P.OwnRules>;

const Tokens = z.number().int().min(1).max(1e12).optional();
const Dollars = z.number().positive().max(1e6).optional();
export const Budget = z
  .object({
    turn: z.object({
      steps: z.number().int().min(1).max(1000).optional(),
      minutes: z.number().positive().max(1440).optional(),
      tokens: Tokens,
      costUsd: Dollars,
    }),
    project: z.object({ tokens: Tokens, costUsd: Dollars }),
  })
  .openapi("Budget") satisfies z.ZodType<P.Budget>;

export const SecretEnvironment = z
  .enum(["preview", "published", "both"])
  .openapi("SecretEnvironment") satisfies z.ZodType<P.SecretEnvironment>;

export const ProjectSettings = z
  .object({
    hosts: z.array(z.string()),
    staticHosts: z.object({ on: z.boolean(), hosts: z.array(z.string()) }),
    limitPreview: z.boolean(),
    runsIn: z.enum(["machine", "tab"]),
    secrets: z.array(
      z.object({
        name: z.string(),
        host: z.string(),
        environment: SecretEnvironment,
      }),
    ),
    verdicts: z.enum(VERDICT_MODES),
    keepsData: z.boolean(),
    budget: Budget,
  })
  .openapi("ProjectSettings") satisfies z.ZodType<P.ProjectSettings>;

export const FileInfo = z
  .object({
    path: Path,
    kind: z.enum(["file", "folder", "link", "other"]),
    size: z.number(),
  })
  .openapi("FileInfo") satisfies z.ZodType<P.FileInfo>;

export const FileBody = z
  .object({
    path: Path,
    version: z.string(),
    size: z.number(),
    text: z.string().optional(),
    binary: z.boolean(),
  })
  .openapi("FileBody") satisfies z.ZodType<P.FileBody>;

export const FileDifference = z
  .object({
    path: z.string(),
    kind: z.enum(["added", "changed", "removed"]),
    binary: z.boolean(),
    diff: z.string(),
    cut: z.literal(true).optional().openapi({
      description:
        "Differences of all files together are told up to 2 MB; of this one only that it differs.",
    }),
  })
  .openapi("FileDifference");

export const CheckpointInfo = z
  .object({
    checkpoint: z.string(),
    revision: z.string(),
    label: z.string(),
    at: z.number(),
    name: z.string().optional(),
    hasData: z.literal(true).optional(),
  })
  .openapi("CheckpointInfo") satisfies z.ZodType<P.CheckpointInfo>;

const ModelHabits = z
  .object({
    dialect: Dialect.optional(),
    editsMissed: z.number().optional(),
    wholeFiles: z.literal(true).optional(),
    pictures: z.enum(["yes", "no", "refused"]).optional(),
    thinking: z.enum([...THINKING_LEVELS, "refused"]).optional(),
    cache: z.enum([...CACHE_LEVELS, "refused"]).optional(),
  })
  .openapi("ModelHabits") satisfies z.ZodType<P.ModelHabits>;

export const ModelsInfo = z
  .object({
    chosen: z.string().optional(),
    providers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        source: z.enum(["environment", "page", "found"]).optional(),
        needsKey: z.boolean(),
        keyPage: z.string().optional().openapi({
          description: "The provider's page for creating a key.",
        }),
        needsAddress: z.boolean(),
        address: z.string().optional(),
        models: z.array(
          z.object({
            id: z.string(),
            label: z.string(),
            sees: z.boolean().optional(),
            guessed: z.boolean().optional(),
            cache: z.array(z.enum(CACHE_LEVELS)).optional(),
            habits: ModelHabits.optional(),
          }),
        ),
      }),
    ),
    demos: z.array(
      z.object({ id: z.string(), title: z.string(), prompt: z.string(), about: z.string() }),
    ),
  })
  .openapi("ModelsInfo") satisfies z.ZodType<P.ModelsInfo>;

export const Health = z
  .object({
    ok: z.boolean(),
    version: z.string(),
    sandbox: z.object({
      driver: z.string(),
      ok: z.boolean(),
      unsafe: z.boolean(),
      message: z.string().optional(),
    }),
    browser: z.object({ ok: z.boolean(), message: z.string().optional() }),
  })
  .openapi("Health") satisfies z.ZodType<P.Health>;

export const Sent = z
  .object({
    message: z.string(),
    run: z.string(),
    queued: z.boolean(),
    after: z.number().int().openapi({
      description: "Number of the last log entry before it; its events follow.",
    }),
  })
  .openapi("Sent");

export const Ok = z.object({ ok: z.literal(true) });

/** One entry of a project's log. */
export const LogEntrySchema = z.object({
  seq: z.number().int(),
  at: z.number(),
  event: z
    .custom<P.LogEvent>()
    .openapi({ type: "object", description: "An event; `type` names it." }),
});
