import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { authorize, SERVER, type SpendingEntry } from "@treadle/accounts";
import { ApiFailure } from "@treadle/common";
import type { MonthBudget, SpendingFilter, SpendingRow } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { Context } from "hono";
import { Readable } from "node:stream";
import { answers, answersOk, body, createRoute, mayFail } from "../describe.ts";
import { attachment } from "../files/file-types.ts";
import type { Services } from "../services.ts";
import { accountsOf } from "./me.ts";
import { Amounts, BudgetKind, MonthBudgetState, Spent, StoredBudget } from "./spending-schemas.ts";

const Id = z.string().max(200);
const Filter = z.object({
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
  person: Id.optional(),
  team: Id.optional(),
  project: Id.optional(),
  model: Id.optional(),
}) satisfies z.ZodType<SpendingFilter>;

/** Routes for what model calls used and cost, and for monthly budgets. */
export function spendingRoutes(app: OpenAPIHono, services: Services): void {
  /**
   * Narrows a filter to what the requester may see: without the right to see everything, their own calls, and all
   * of a project that they own.
   * @throws ApiFailure 403 if it names somebody else
   */
  async function visible(c: Context, filter: SpendingFilter): Promise<SpendingFilter> {
    const principal = c.get("principal")!;
    if (authorize(principal, "spending.manage", SERVER) === "allowed") return filter;
    const { project } = filter;
    if (project !== undefined && (await c.get("authority").roleIn(principal, project)) === "owner")
      return filter;
    if (filter.person !== undefined && filter.person !== principal.person)
      throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
    return { ...filter, person: principal.person };
  }

  /** The names of people, teams and projects. */
  async function names() {
    const { people, members } = accountsOf(services);
    const byId = (all: readonly { id: string; name: string }[]) =>
      new Map(all.map(({ id, name }) => [id, name]));
    const [persons, teams, projects] = [await people.list(), await members.teams(), await services.store.projects.list()]; // prettier-ignore
    return { person: byId(persons), team: byId(teams), project: byId(projects) };
  }

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/spending",
      action: "spending.view",
      summary:
        "What model calls used, summed up by person, team, project and model. Without the right to see everything: the own calls, or all of a project that one owns.",
      request: { query: Filter },
      responses: answers(z.object({ rows: z.array(Spent) }), "The largest amount first."),
    }),
    async (c) => {
      const filter = await visible(c, c.req.valid("query"));
      const sums = await accountsOf(services).spending.sums(filter);
      const { person, team, project } = await names();
      const rows = sums.map((row): SpendingRow => {
        const [personName, teamName, projectName] = [
          person.get(row.person),
          team.get(row.team ?? ""),
          project.get(row.project ?? ""),
        ];
        return {
          ...row,
          ...(personName === undefined ? {} : { personName }),
          ...(teamName === undefined ? {} : { teamName }),
          ...(projectName === undefined ? {} : { projectName }),
        };
      });
      return c.json({ rows }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/spending/export",
      action: "spending.view",
      summary: "The same model calls one by one as CSV, oldest first.",
      request: { query: Filter },
      responses: {
        200: { content: { "text/csv": { schema: z.string() } }, description: "A download." },
        ...mayFail,
      },
    }),
    async (c) => {
      const filter = await visible(c, c.req.valid("query"));
      const lines = csvOf(accountsOf(services).spending.entries(filter), await names());
      return c.body(Readable.toWeb(Readable.from(lines)) as ReadableStream<Uint8Array>, 200, {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": attachment("treadle-spending.csv"),
        "cache-control": "no-store",
      }) as never;
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/budgets/mine",
      action: "spending.view",
      summary: "The budgets of this month that apply to whoever asks, and to a project of theirs.",
      request: { query: z.object({ project: Id.optional() }) },
      responses: answers(z.object({ budgets: z.array(MonthBudgetState) }), "What is used of each."),
    }),
    async (c) => {
      const { budgets, members } = accountsOf(services);
      const principal = c.get("principal")!;
      const { person } = principal;
      const { project } = c.req.valid("query");
      const isTheirs =
        project !== undefined &&
        (await c.get("authority").roleIn(principal, project)) !== undefined;
      const where = isTheirs ? { project, team: await members.teamIn(person, project) } : {};
      return c.json({ budgets: await budgets.readFor({ person, ...where }) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/budgets",
      action: "spending.manage",
      summary: "Lists the budgets of a month.",
      responses: answers(z.object({ budgets: z.array(StoredBudget) }), "The budgets."),
    }),
    async (c) => c.json({ budgets: await accountsOf(services).budgets.list() }, 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/budgets/{kind}/{subject}",
      action: "spending.manage",
      summary:
        "Sets the monthly budget of a person, a team or a project, or with `*` of everyone without their own. Without an amount it is removed.",
      request: { params: z.object({ kind: BudgetKind, subject: Id }), body: body(Amounts) },
      responses: answersOk,
    }),
    async (c) => {
      const budget: MonthBudget = { ...c.req.valid("param"), ...c.req.valid("json") };
      await accountsOf(services).budgets.set(budget);
      return c.json({ ok: true as const }, 200);
    },
  );
}

const COLUMNS = [
  "time",
  "person",
  "person id",
  "team",
  "project",
  "project id",
  "run",
  "model",
  "input tokens",
  "cached input tokens",
  "output tokens",
  "usd",
];

type Names = Record<"person" | "team" | "project", ReadonlyMap<string, string>>;

async function* csvOf(
  entries: AsyncIterable<SpendingEntry>,
  names: Names,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const line = (cells: (string | number)[]) =>
    encoder.encode(`${cells.map(csvCell).join(",")}\r\n`);
  yield line(COLUMNS);
  for await (const { at, person, team, project, run, model, usage } of entries)
    yield line([
      new Date(at).toISOString(),
      names.person.get(person) ?? "",
      person,
      team === undefined ? "" : (names.team.get(team) ?? team),
      project === undefined ? "" : (names.project.get(project) ?? ""),
      project ?? "",
      run ?? "",
      model,
      usage.inputTokens,
      usage.cachedInputTokens,
      usage.outputTokens,
      usage.costUsd ?? "",
    ]);
}

/** A cell of CSV; one that a spreadsheet would take for a formula is marked as text. */
function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
