import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenAPIHono } from "@hono/zod-openapi";
import {
  ACTIONS,
  actionOf,
  authorize,
  createAuthority,
  type Action,
  type Principal,
  type ProjectRoles,
} from "@treadle/accounts";
import { LINK_ROLES, PROJECT_ROLES, SCOPES, SERVER_ROLES } from "@treadle/protocol/accounts";
import type { LinkRole, ProjectRole } from "@treadle/protocol/accounts";
import { afterAll, describe, expect, it } from "vitest";
import { requiredActions } from "../access/requires.ts";
import { checkDeclared, createApp } from "./app.ts";
import type { Services } from "./services.ts";

const ORIGIN = "http://localhost:4173";
const OWN = "own";
const FOREIGN = "foreign";
const ROLES_IN_OWN = [...PROJECT_ROLES, undefined];

/** Who asks. */
let principal: Principal | undefined;
let roleInOwn: ProjectRole | undefined;
let linkRoleInOwn: LinkRole | undefined;
const roles: ProjectRoles = {
  roleIn: async (_, project) => (project === OWN ? roleInOwn : undefined),
  linkRoleIn: async (_, project) => (project === OWN ? linkRoleInOwn : undefined),
  projectsOf: async () => new Set(roleInOwn ? [OWN] : []),
};

const dataDirectory = mkdtempSync(join(tmpdir(), "treadle-permissions-"));
afterAll(() => rmSync(dataDirectory, { recursive: true }));

/** No handler has what it needs, so that an answer other than 401, 403 and 404 means that one was reached. */
const app = createApp({
  services: {
    dataDirectory,
    runtimes: { get: async () => ({}), has: () => true },
    comparisons: { holderOf: (id: string) => ({ project: id }) },
  } as unknown as Services,
  access: () => ({
    identify: () => principal,
    enter: async () => undefined,
    hasAccounts: true,
    port: 4173,
  }),
  authority: createAuthority(roles),
  page: async () => new Response(),
  toolServer: { answeringBy: () => async () => new Response() },
  onNotice: () => {},
});
const routes = app.routes.flatMap(({ method, path, handler }) => {
  const actions = requiredActions(handler);
  return actions ? [{ method: method === "ALL" ? "POST" : method, path, actions }] : [];
});

const addressOf = (path: string, project: string) =>
  path
    .replace(/:(?:id|comparison)\b(\{[^}]*\})?/, project)
    .replaceAll(/:\w+(?:\{[^}]*\})?/g, "x")
    .replace("*", "p");

describe("who may use a route", () => {
  it("is declared by every route", () => {
    expect(routes.length).toBeGreaterThan(150);
    // Whether a file holds secrets is known only from its path.
    const declared = ["project.secrets", ...routes.flatMap(({ actions }) => actions)];
    expect(new Set(declared)).toEqual(new Set(Object.keys(ACTIONS)));
  });

  it("is written in the documentation as it is", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/accounts.md"), "utf8");
    const table = /<!-- actions -->\n([^]*?)<!-- \/actions -->/.exec(page)?.[1] ?? "";
    const plain = (text: string) => text.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---").trim();
    // To be copied into the page where it differs.
    expect(plain(table)).toBe(plain(tableOfActions()));
  });

  it("is an error at the start if a route does not declare it", () => {
    const undeclared = new OpenAPIHono();
    undeclared.get("/api/secrets", (c) => c.text("all of them"));
    expect(() => checkDeclared(undeclared)).toThrow("GET /api/secrets");
  });

  it.each(SERVER_ROLES.flatMap((role) => ROLES_IN_OWN.map((inOwn) => [role, inOwn] as const)))(
    "is decided by the one table for the server's %s who is %s of the project",
    async (role, inOwn) => {
      const asking: Principal = { person: "ada", role, via: "session" };
      principal = asking;
      roleInOwn = inOwn;
      await walk(asking, inOwn, undefined);
    },
  );

  it.each(LINK_ROLES.flatMap((role) => [true, false].map((nameless) => [role, nameless] as const)))(
    "is decided by the one table for a guest who is %s by a link, without an account: %s",
    async (role, nameless) => {
      principal = { person: "eve", role: "guest", via: "session", ...(nameless && { nameless }) };
      roleInOwn = undefined;
      linkRoleInOwn = role;
      await walk(principal, undefined, role);
      linkRoleInOwn = undefined;
    },
  );

  it("gives no link secrets, terminals, pushing, publishing, sharing, settings, members or deletion", () => {
    const guest: Principal = { person: "eve", role: "guest", via: "session" };
    const may = (linkRole: LinkRole) =>
      (Object.keys(ACTIONS) as Action[]).filter(
        (action) =>
          ACTIONS[action].on === "project" &&
          authorize(guest, action, { kind: "project", role: undefined, linkRole }) === "allowed",
      );
    expect(may("viewer")).toEqual(["project.view"]);
    expect(may("commenter")).toEqual(["project.view", "project.comment"]);
    expect(may("editor")).toEqual([
      "project.view",
      "project.export",
      "project.comment",
      "project.edit",
    ]);
  });

  it("is nobody without a sign-in", async () => {
    principal = undefined;
    for (const { method, path, actions } of routes) {
      const isOpen = actions.every((action) => ACTIONS[action].on === "nobody");
      if (isOpen && path !== "*") continue;
      expect(await ask(method, addressOf(path, OWN)), path).toBe(401);
    }
  });

  it.each(SCOPES)(
    "is limited for an API token to its scope %s, whatever its person may do",
    (scope) => {
      const holder: Principal = { person: "ada", role: "owner", via: "token", scopes: [scope] };
      for (const action of Object.keys(ACTIONS) as Action[]) {
        const row: { on: string; scope?: string } = ACTIONS[action];
        const resource =
          row.on === "project"
            ? ({ kind: "project", role: "owner" } as const)
            : ({ kind: "server" } as const);
        const isAllowed = row.on === "nobody" || row.scope === scope;
        expect(authorize(holder, action, resource), action).toBe(
          isAllowed ? "allowed" : "forbidden",
        );
      }
    },
  );
});

/** Asks every route of both projects, and compares with the table. */
async function walk(
  asking: Principal,
  inOwn: ProjectRole | undefined,
  linkRole: LinkRole | undefined,
): Promise<void> {
  for (const { method, path, actions } of routes)
    for (const project of [OWN, FOREIGN]) {
      const everywhere = asking.role === "owner" || asking.role === "admin";
      const isOwn = project === OWN;
      const role = everywhere ? "owner" : isOwn ? inOwn : undefined;
      const inProject = { role, linkRole: isOwn ? linkRole : undefined };
      const expected = actions.map((action) =>
        authorize(
          asking,
          action,
          ACTIONS[action].on === "project" ? { kind: "project", ...inProject } : { kind: "server" },
        ),
      );
      const refused = expected.find((decision) => decision !== "allowed");
      const status = await ask(method, addressOf(path, project));
      const where = `${method} ${path} of ${project}`;
      if (refused) expect(status, where).toBe(refused === "hidden" ? 404 : 403);
      else expect([401, 403], where).not.toContain(status);
    }
}

/** The table of the documentation. */
function tableOfActions(): string {
  const mark = (is: boolean) => (is ? "yes" : "");
  const rows = (Object.keys(ACTIONS) as Action[]).map((action) => {
    const row = actionOf(action);
    const least = row.on === "nobody" ? "anybody" : `${row.least} of the ${row.on}`;
    return [
      `\`${action}\``,
      row.about,
      least,
      byLinkOf(row),
      row.scope ?? "",
      mark(row.audited === true),
    ];
  });
  return [
    ["action", "what one does", "from this role on", "by a link", "scope", "audited"],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .toSpliced(1, 0, "| --- | --- | --- | --- | --- | --- |")
    .join("\n");
}

/** From which role of an access link on; for the server's actions, whether a guest without an account may. */
function byLinkOf(row: ReturnType<typeof actionOf>): string {
  if (row.on === "server") return row.nameless ? "without an account" : "";
  if (row.on !== "project") return "";
  const least = row.byLink ?? row.least;
  return least === "owner" ? "never" : least;
}

/** The answer's status. */
async function ask(method: string, path: string): Promise<number> {
  const headers = { authorization: "Bearer x", "content-type": "application/json" };
  const body = method === "GET" ? {} : { body: "{}" };
  const response = await app.fetch(new Request(`${ORIGIN}${path}`, { method, headers, ...body }));
  await response.body?.cancel();
  return response.status;
}
