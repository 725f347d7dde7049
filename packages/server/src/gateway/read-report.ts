import { headOf } from "@treadle/protocol/safe-text";
import type { PageReport } from "@treadle/protocol";
import { z } from "zod";

const text = (limit: number) =>
  z.string().transform((value) => headOf(value.toWellFormed(), limit));
const count = z.number().int().min(0).max(1_000_000_000);
/** Entries of one list that are kept. */
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
  ms: count,
});

/** What a probe posted, with every text and list cut to size; undefined: it is not a report. */
export function readReport(body: string): PageReport | undefined {
  let posted: unknown;
  try {
    posted = JSON.parse(body);
  } catch {
    return undefined;
  }
  const read = report.safeParse(posted);
  return read.success ? { source: "probe", ...withoutUndefined(read.data) } : undefined;
}

const stacks = z.object({ stacks: z.array(text(4000)).max(8) });

/** The stacks that a page wants placed; undefined: they are none. */
export function readStacks(body: string): string[] | undefined {
  try {
    return stacks.safeParse(JSON.parse(body)).data?.stacks;
  } catch {
    return undefined;
  }
}

/** Optional members are absent rather than undefined: the log keeps JSON. */
function withoutUndefined(value: z.infer<typeof report>): Omit<PageReport, "source"> {
  return JSON.parse(JSON.stringify(value)) as Omit<PageReport, "source">;
}
