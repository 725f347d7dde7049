import { afterAll, beforeAll, expect, it } from "vitest";
import {
  codeOf,
  startAccountServer,
  type AccountServer,
} from "../accounts/accounts.test-support.ts";

let { server, accounts, ask, member, projectOf } = {} as AccountServer;
beforeAll(
  async () => void ({ server, accounts, ask, member, projectOf } = await startAccountServer()),
);
afterAll(() => server.close());

it("records who sent a message and whose answer counted, and tells the other who it was", async () => {
  const [ada, bob] = [await member(), await member()];
  await accounts.people.update(bob.person.id, { name: "Bob" });
  const id = await projectOf(ada.session);
  await accounts.members.set(id, { kind: "person", id: bob.person.id, role: "editor" });
  const question = {
    kind: "words",
    id: "q",
    call: "c",
    text: "Which?",
    choices: [] as string[],
  } as const;
  server.turns.push(async ({ run }, _ports, { emit }) => {
    emit({ type: "question", run, question });
    emit({ type: "suspended", run, question: "q", state: {} as never });
    return "waits";
  });
  server.turns.push(async () => {});
  await ask(`/api/projects/${id}/messages`, { as: bob.session, json: { text: "Build it" } });
  const sent = await server.until(id, ({ type }) => type === "message");
  expect(sent.event).toMatchObject({ by: { id: bob.person.id, name: "Bob" } });
  await server.until(id, ({ type }) => type === "suspended");

  const path = `/api/projects/${id}/questions/q`;
  const answers = await Promise.all(
    [ada, bob].map(({ session }) =>
      ask(path, { as: session, json: { kind: "words", text: session } }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const late = answers.find(({ status }) => status === 409)!;
  expect(await codeOf(late)).toBe("answered");
  const logged = (await server.events(id)).filter(({ type }) => type === "answer");
  const first = answers[0]!.status === 200 ? ada : bob;
  expect(logged).toMatchObject([{ answer: { text: first.session }, by: { id: first.person.id } }]);
});
