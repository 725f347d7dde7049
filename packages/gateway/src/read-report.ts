import { headOf } from "@treadle/protocol/safe-text";
import type { PageReport } from "@treadle/protocol";
import { z } from "zod";

const text = (limit: number) =>
  z.string().transform((value) => headOf(value.toWellFormed(), limit));
const count = z.number().int().min(0).max(1_000_000_000);
/** Maximum entries of one list. */
const ENTRIES = 20;
const list = <T extends z.ZodType>(item: T) =>
  z.array(item).transform((items) => items.slice(0, ENTRIES));

const problem = z.object({
  message: text(2000),
  source: text(500).optional(),
  stack: text(4000).optional(),
});

const report = z.object({
  path: text(2000).refine((path) => path.startsWith("/")),
  status: count.max(999),
  contentType: text(200),
  title: text(300),
  lang: text(35).optional(),
  rendered: z.boolean(),
  text: text(2000),
  uncaughtErrors: list(problem),
  consoleErrors: list(problem),
  failedRequests: list(
    z.object({
      method: text(20),
      url: text(2000),
      status: count.max(999),
      reason: text(500).optional(),
    }),
  ),
  overlay: text(8000).optional(),
  /**
   * 0: in a tab of its own; 1: in a frame; 2: in a frame without the requested storage or
   * isolation.
   */
  frame: z.number().int().min(0).max(2).default(0),
  ms: count,
});

/** The two WebIDL errors by which browsers deny something, as the probe and browsers write them. */
const DENIAL = /^(?:Uncaught )?(?:\(in promise\) )?(?:Security|NotAllowed)Error\b/;

/** Parses a probe's report, shortening every text and list; undefined if it is invalid. */
export function readReport(body: string): PageReport | undefined {
  let posted: unknown;
  try {
    posted = JSON.parse(body);
  } catch {
    return undefined;
  }
  const read = report.safeParse(posted);
  if (!read.success) return undefined;
  const { frame, uncaughtErrors, ...rest } = read.data;
  return withoutUndefined({
    source: "probe",
    ...rest,
    uncaughtErrors: uncaughtErrors.map((one) =>
      frame > 0 && DENIAL.test(one.message) ? { ...one, by: "frame" as const } : one,
    ),
    ...(frame === 2 && { frameDenied: true as const }),
  });
}

const stacks = z.object({ stacks: z.array(text(4000)).max(8) });

/** The stacks that a page wants to be located; undefined if they are invalid. */
export function readStacks(body: string): string[] | undefined {
  try {
    return stacks.safeParse(JSON.parse(body)).data?.stacks;
  } catch {
    return undefined;
  }
}

/** Removes undefined members, because the log stores JSON. */
const withoutUndefined = (value: unknown) => JSON.parse(JSON.stringify(value)) as PageReport;
