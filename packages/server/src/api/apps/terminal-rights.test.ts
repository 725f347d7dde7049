import { afterAll, beforeAll, expect, it } from "vitest";
import { startAccountServer, type AccountServer } from "../accounts/accounts.test-support.ts";

let { server, accounts, ask, member, projectOf } = {} as AccountServer;
beforeAll(
  async () => void ({ server, accounts, ask, member, projectOf } = await startAccountServer()),
);
afterAll(() => server.close());

it("an editor reads, types in, shares and ends no terminal of somebody else; an owner of the project ends it", async () => {
  const [owner, ada, bob] = await Promise.all([member(), member(), member()]);
  const id = await projectOf(owner.session);
  for (const { person } of [ada, bob])
    await accounts.members.set(id, { kind: "person", id: person.id, role: "editor" });
  const path = `/api/projects/${id}/terminals`;
  // The socket has the same rules.
  const stream = async (as: string) => (await ask(`${path}/1/events`, { as })).body!;
  const textOf = (body: ReadableStream) => new Response(body).text();
  const own = await stream(ada.session);
  await expect
    .poll(async () => (await ask(path, { as: ada.session })).json())
    .toMatchObject({ entries: [{ name: "1" }] });
  expect(await textOf(await stream(bob.session))).toContain('"reason":"not-shared"');
  expect(await (await ask(path, { as: bob.session })).json()).toMatchObject({
    entries: [{ name: "1", owner: { id: ada.person.id } }],
  });

  const change = (as: string, rest: string, method: string, json: unknown) =>
    ask(`${path}/1${rest}`, { as, method, json }).then(({ status }) => status);
  expect(await change(bob.session, "/sharing", "PUT", { sharing: "type" })).toBe(403);
  expect(await change(bob.session, "", "PATCH", { label: "mine" })).toBe(403);
  expect(await change(bob.session, "", "DELETE", {})).toBe(403);
  expect(await change(ada.session, "/sharing", "PUT", { sharing: "see" })).toBe(200);
  // It is open until it is shared no more.
  const shared = textOf(await stream(bob.session));
  expect(await change(ada.session, "/sharing", "PUT", { sharing: null })).toBe(200);
  expect(await shared).toContain('"reason":"not-shared"');
  await own.cancel();
  expect(await change(owner.session, "", "DELETE", {})).toBe(200);
});
