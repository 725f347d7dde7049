import { describe, expect, it } from "vitest";
import { remoteProcedures } from "./remote-procedures.ts";
import type { Answer } from "../strangers/ask.ts";

const read = (files: Record<string, string>) =>
  remoteProcedures(Object.entries(files).map(([path, text]) => ({ path, text })));
const routes = (files: Record<string, string>) =>
  read(files).routes.map(({ method, path, fields }) =>
    `${method} ${path.replace("/api/~", "")} ${fields.join(",")}`.trim(),
  );

/** Returns the request that is sent, and the result of its answer. */
async function sent(files: Record<string, string>, [method, path, body]: [string, string, object?], text = "{}") {
  let sentTo = "";
  const answer = await read(files).overSend(async (to, { method: by, body: what }): Promise<Answer> => {
    sentTo = `${by} ${decodeURIComponent(to)} ${what ?? ""}`.trim();
    return { status: 200, headers: {}, bytes: 0, text };
  })(`/api/~${path}`, { method, body: body && JSON.stringify(body) });
  return [sentTo, answer?.status, answer?.text];
} // prettier-ignore

const TRPC = {
  "src/server/api/root.ts": `import { initTRPC } from "@trpc/server";
    export const appRouter = createTRPCRouter({ post: postRouter, auth: createTRPCRouter({ signUp: publicProcedure.input(Account).mutation(join) }) });`,
  "src/server/api/routers/post.ts": `export const Account = z.object({ email: z.string().email(), password: z.string() });
    export const postRouter = createTRPCRouter({
      all: protectedProcedure.query(({ ctx }) => ctx.db.post.findMany()),
      byId: protectedProcedure.input(z.object({ id: z.number() })).query(({ input }) => one(input.id)),
      one: publicProcedure.input(z.string()).query(({ input }) => one(input)),
      create: protectedProcedure
        .input(z.object({ name: z.string().min(1), stars: z.number(), done: z.boolean() }))
        .mutation(async ({ input }) => { await keep(input); }),
      rename: protectedProcedure.input(z.object({ id: z.number(), name: z.string() })).mutation(set),
      delete: protectedProcedure.input(z.object({ id: z.number() })).mutation(remove),
      like: protectedProcedure.input(z.object({ id: z.number() })).mutation(like),
    });`,
  "src/trpc/react.tsx": `httpBatchStreamLink({ url: getBaseUrl() + "/api/trpc" })`,
};

describe("procedures of tRPC", () => {
  it("are found at the addresses that they would have as routes, in all routers", () => {
    expect(routes(TRPC)).toEqual([
      "POST /register email,password",
      "GET /posts",
      "GET /posts/:id",
      "POST /posts name,stars,done",
      "PATCH /posts/:id name",
      "DELETE /posts/:id",
    ]);
    expect(routes({ "a.ts": "const x = { list: publicProcedure.query(all) }" })).toEqual([]);
  });

  it("are called as by tRPC's own client", async () => {
    const row = JSON.stringify({ result: { data: { id: 7 } } });
    expect(await sent(TRPC, ["GET", "/posts/7"], row)).toEqual([
      'GET /api/trpc/post.byId?input={"id":7}',
      200,
      '{"id":7}',
    ]);
    const fields = { name: "tea", stars: "many", done: false, more: 1 };
    expect((await sent(TRPC, ["POST", "/posts", fields]))[0]).toBe(
      'POST /api/trpc/post.create {"name":"tea","stars":1,"done":false}',
    );
    expect((await sent(TRPC, ["PATCH", "/posts/7", { name: "tea" }]))[0]).toBe(
      'POST /api/trpc/post.rename {"id":7,"name":"tea"}',
    );
    const [, status] = await sent(TRPC, ["DELETE", "/posts/7"], '{"error":{"message":"No"}}');
    expect(status).toBe(400);
    const wrapped = { ...TRPC, "client.ts": `import superjson from "superjson"; initTRPC.create({ transformer: superjson })` }; // prettier-ignore
    const answer = JSON.stringify({ result: { data: { json: [1] } } });
    expect(await sent(wrapped, ["GET", "/posts/7"], answer)).toEqual([
      'GET /api/trpc/post.byId?input={"json":{"id":7}}',
      200,
      "[1]",
    ]);
  });

  it("appear under their own names in findings", () => {
    const { named } = read(TRPC);
    expect(named("PATCH /api/~/posts/:id")).toBe("/api/trpc/post.rename");
    expect(named("/api/~/posts")).toBe("/api/trpc/post.all");
    expect(named("No two accounts could be made at /api/~/register, so")).toBe(
      "No two accounts could be made at /api/trpc/auth.signUp, so",
    );
    expect(named("GET /api/notes/:id")).toBe("GET /api/notes/:id");
  });
});

const GRAPHQL = {
  "schema.graphql": `
    """ What is written: type Query { never: Int } """
    type Note { id: ID! title: String! owner: User! comments(first: Int!): [Comment!]! }
    type User { id: ID! email: String! }
    type Comment { id: ID! }
    input NoteInput { title: String! stars: Int }
    type Query { notes: [Note!]! note(id: ID!): Note me: User }
    type Mutation { addNote(input: NoteInput!): Note! updateNote(id: ID!, title: String): Note deleteNote(noteId: ID!): Boolean signIn(email: String!, password: String!): String }`,
  "server.js": `app.use("/api/graphql", expressMiddleware(server))`,
};

describe("fields of GraphQL", () => {
  it("are found at the addresses that they would have as routes", () => {
    expect(routes(GRAPHQL)).toEqual([
      "GET /notes",
      "GET /notes/:id",
      "GET /mes",
      "POST /notes title,stars",
      "PATCH /notes/:id title",
      "DELETE /notes/:id",
      "POST /login email,password",
    ]);
  });

  it("are requested with all fields of their types, and a refusal is no answer", async () => {
    expect((await sent(GRAPHQL, ["GET", "/notes"]))[0]).toBe(
      "GET /api/graphql?query=query { notes { id title owner { id email } } }",
    );
    expect((await sent(GRAPHQL, ["POST", "/notes", { title: 'a "tea"', stars: "x" }]))[0]).toBe(
      `POST /api/graphql ${JSON.stringify({ query: 'mutation { addNote(input: { title: "a \\"tea\\"", stars: 1 }) { id title owner { id email } } }' })}`,
    );
    expect((await sent(GRAPHQL, ["DELETE", "/notes/7"]))[0]).toContain('deleteNote(noteId: \\"7\\")');
    const refused = '{"errors":[{"message":"No"}],"data":{"note":null}}';
    expect(await sent(GRAPHQL, ["GET", "/notes/7"], refused)).toEqual([expect.anything(), 403, "null"]);
    expect(await sent(GRAPHQL, ["GET", "/notes/7"], "<html>")).toEqual([expect.anything(), 400, ""]);
  }); // prettier-ignore
});

it("no source blocks the server", () => {
  const before = performance.now();
  for (const text of ["type Query { a(", "a: publicProcedure", "router({ ", "input(z.object({ ", "type A { b: C "])
    read({ "a.ts": `import "@trpc/server"; ${text.repeat(20_000)} type Query { a: Int }` });
  expect(performance.now() - before).toBeLessThan(10_000);
}); // prettier-ignore
