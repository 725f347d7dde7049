import { z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  checkBranch,
  createGitOperations,
  forgeHost,
  FORGES,
  keepGitState,
  loginHost,
  makeRepository,
  namedServer,
  pull,
  push,
  readGitAddress,
  readGitState,
} from "@treadle/git";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { createRoute, answers, answersOk, body, ProjectParams } from "../describe.ts";
import { gitBranchRoutes } from "./git-branches.ts";
import { GitLogin, Statuses } from "./git-schemas.ts";
import { gitSignInRoutes } from "./git-sign-ins.ts";
import type { Services } from "../services.ts";

const GitPlace = z.object({
  url: z.string(),
  branch: z.string(),
  local: z.boolean(),
  author: z.object({ name: z.string(), email: z.string() }).optional(),
  synced: z.boolean().openapi({ description: "Whether the project has been pushed or pulled." }),
});

const Side = z.string().optional();
const Conflict = z.object({
  path: z.string(),
  base: Side,
  ours: Side,
  theirs: Side,
  merged: Side.openapi({
    description: "Both versions, with conflict markers around the differences.",
  }),
  binary: z.boolean(),
});
const Pulled = z.object({
  state: z.enum(["current", "pulled", "conflicts"]),
  files: z.number().optional(),
  conflicts: z.array(Conflict).optional(),
  seen: z.string().optional().openapi({ description: "The two versions that conflict." }),
});
const Resolution = z.union([
  z.object({ text: z.string() }).strict(),
  z.object({ take: z.enum(["ours", "theirs"]) }).strict(),
]);

/** Routes for a project's repository, for pushing and pulling. */
export function gitRoutes(app: OpenAPIHono, services: Services): void {
  const { store, gitSignIns } = services;
  const operations = createGitOperations(services);
  const { logins } = operations;
  gitBranchRoutes(app, services, operations);
  gitSignInRoutes(app, logins, gitSignIns);

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/git",
      action: "project.view",
      summary: "The repository that the project is pushed to, or null.",
      request: { params: ProjectParams },
      responses: answers(z.object({ git: GitPlace.nullable() }), "The repository."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const state = await readGitState(store, id);
      if (!state) return c.json({ git: null }, 200);
      const { url, branch, local, author, commit } = state;
      return c.json({ git: { url, branch, local, author, synced: commit !== undefined } }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/git",
      action: "project.configure",
      summary:
        "Sets the repository that the project is pushed to, over https or ssh. A login is stored for that host on the server, and never given to a sandbox.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            url: z.string().max(2_000),
            branch: z.string().max(200),
            local: z.boolean().optional().openapi({
              description: "Allows an address of this machine or its network.",
            }),
            login: GitLogin.optional(),
            author: z.object({ name: z.string().max(200), email: z.string().max(200) }).optional(),
          }),
        ),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { url: typed, branch, local = false, login, author } = c.req.valid("json");
      const address = readGitAddress(typed);
      const { password, user = "git" } = address;
      const given = login ?? (password === undefined ? undefined : { user, password });
      // For an ssh address, the login is only used for the server's API, as git uses a key.
      if (given) await logins.put(forgeHost(address.url), given);
      const before = await readGitState(store, id);
      const isSame = before?.url === address.url && before.branch === branch;
      await keepGitState(store, id, {
        ...(isSame ? before : {}),
        url: address.url,
        branch: checkBranch(branch),
        local,
        ...(author ? { author } : {}),
      });
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/git/create",
      action: "project.configure",
      summary:
        "Creates an empty repository on GitHub, GitLab, Gitea or Forgejo with a token, and connects the project with it. The token is stored for that host on the server. 409 `git-taken` if the name is in use.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            kind: z.enum(FORGES).openapi({ description: "Forgejo is `gitea`." }),
            server: z.string().max(300).optional().openapi({
              description: "Such as `https://git.example.com`; absent: github.com or gitlab.com.",
            }),
            name: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/, "A repository cannot have that name."), // prettier-ignore
            owner: z.string().min(1).max(200).optional(),
            private: z.boolean().optional().openapi({ description: "Default: true." }),
            token: z.string().min(1).max(4_000).optional().openapi({
              description: "Absent: the login that is stored for the server.",
            }),
            branch: z.string().max(200).optional(),
            local: z.boolean().optional(),
          }),
        ),
      },
      responses: answers(z.object({ url: z.string(), branch: z.string() }), "Where it is."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { private: isPrivate = true, branch: named = "main", local = false, ...target } = c.req.valid("json"); // prettier-ignore
      const branch = checkBranch(named);
      const { host, port } = readGitAddress(`${namedServer(target.kind, target.server).web}/login`);
      const token = target.token ?? (await logins.read(loginHost({ host, port })))?.password;
      if (token === undefined)
        throw new ApiFailure(409, "git-login", sentence("git-no-token", { host }));
      const made = await makeRepository({ ...target, token, isPrivate, local });
      const address = readGitAddress(made.url);
      if (target.token !== undefined) await logins.put(loginHost(address), made.login);
      await keepGitState(store, id, { url: address.url, branch, local });
      return c.json({ url: address.url, branch }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/git",
      action: "project.configure",
      summary: "Disconnects the project from its repository, which stays unchanged.",
      request: { params: ProjectParams },
      responses: answersOk,
    }),
    async (c) => {
      await keepGitState(store, c.req.valid("param").id, undefined);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/git/push",
      action: "project.push",
      summary:
        "Pushes one commit for each turn since the last push, or with `squash` one for all. 409 `git-moved` if the repository has newer commits; nothing is overwritten.",
      request: {
        params: ProjectParams,
        body: body(z.object({ squash: z.boolean().optional() })),
      },
      responses: answers(
        z.object({ pushed: z.number(), commit: z.string().optional(), statuses: Statuses }),
        "How many commits were pushed.",
      ),
    }),
    async (c) => {
      const { squash = false } = c.req.valid("json");
      const pushed = await operations.run(c.req.valid("param").id, c.req.raw.signal, (parts) =>
        push(parts, { squash }),
      );
      return c.json(pushed, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/git/pull",
      action: "project.push",
      summary:
        "Merges the commits of others into the files. Files changed on both sides are returned with both versions; nothing changes until each has a resolution.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            resolutions: z.record(z.string(), Resolution).optional(),
            seen: z.string().max(200).optional().openapi({
              description:
                "As it was told with the conflicts. Where one of the sides is another by now, no resolution is used, and the conflicts are told again.",
            }),
          }),
        ),
      },
      responses: answers(Pulled, "What came of it."),
    }),
    async (c) => {
      const { resolutions = {}, seen } = c.req.valid("json");
      const pulled = await operations.run(c.req.valid("param").id, c.req.raw.signal, (parts) =>
        pull(parts, { resolutions, seen }),
      );
      return c.json(pulled, 200);
    },
  );
}
