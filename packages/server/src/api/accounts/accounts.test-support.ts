/** A server with accounts, and people who ask it. */
import type { Accounts, Person } from "@treadle/accounts";
import { afterAll, describe } from "vitest";
import { lacksPostgres, startDatabases } from "../../../../store/src/postgres/database.test-support.ts"; // prettier-ignore
import { startTestServer, type TestServer } from "../../server.test-support.ts";

export type AccountServer = Awaited<ReturnType<typeof startAccountServer>>;

export async function startAccountServer(
  options: {
    env?: Record<string, string>;
    now?: () => number;
    database?: string | undefined;
  } = {},
) {
  const server: TestServer = await startTestServer(undefined, { ...options, team: true });
  const accounts: Accounts = server.accounts!;
  const { url: origin, port } = await server.listen();

  /** A request of a browser with this session, or of a program with this token. */
  async function ask(
    path: string,
    {
      as,
      json,
      method,
      token,
    }: { as?: string; json?: unknown; method?: string; token?: string } = {},
  ) {
    return server.treadle.fetch(
      new Request(`${origin}${path}`, {
        method: method ?? (json === undefined ? "GET" : "POST"),
        headers: {
          ...(token === undefined ? { origin } : { authorization: `Bearer ${token}` }),
          ...(as === undefined ? {} : { cookie: `treadle-${port}=${as}` }),
          ...(json === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    );
  }
  /** What the answer makes the browser's cookie hold. */
  const cookieOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .flatMap((cookie) => /^treadle-\d+=([\w-]*);/.exec(cookie)?.[1] ?? [])
      .at(-1) ?? "";

  let count = 0;
  async function member(
    role: Person["role"] = "member",
  ): Promise<{ person: Person; session: string; email: string }> {
    const email = `person${++count}@example.com`;
    const person = await accounts.people.add({ name: "Ada", email, role });
    return { person, session: await accounts.sessions.open(person.id, "test"), email };
  }
  const projectOf = async (session: string) => {
    const response = await ask("/api/projects", { as: session, json: {} });
    return ((await response.json()) as { id: string }).id;
  };

  return { server, accounts, origin, port, ask, cookieOf, member, projectOf };
}

export const codeOf = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code;

/**
 * Describes tests twice: over SQLite, and over PostgreSQL if this machine has it.
 * @param tests receives a function that creates an empty database, to be called in `beforeAll`
 */
export function describeInStores(tests: (create: () => Promise<string | undefined>) => void) {
  describe("in SQLite", () => tests(async () => undefined));
  describe.skipIf(lacksPostgres)("in PostgreSQL", () => {
    let databases: Awaited<ReturnType<typeof startDatabases>> | undefined;
    tests(async () => {
      databases = await startDatabases();
      return databases.create();
    });
    afterAll(() => databases?.close());
  });
}
