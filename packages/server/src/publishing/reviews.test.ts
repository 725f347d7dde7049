import { toProjectPath } from "@treadle/protocol/project-path";
import type { ApprovalQuestion, ProjectReviews, Publication, Review } from "@treadle/protocol";
import type { Turn } from "../server.test-support.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  codeOf,
  startAccountServer,
  type AccountServer,
} from "../api/accounts/accounts.test-support.ts";

let at: AccountServer;
let ada: Awaited<ReturnType<AccountServer["member"]>>;
let bob: typeof ada;
let eve: typeof ada;
let team: string;
beforeAll(async () => {
  at = await startAccountServer();
  [ada, bob, eve] = [await at.member("admin"), await at.member(), await at.member()];
  await at.member("admin");
  ({ id: team } = await at.accounts.members.addTeam("Kitchen"));
  await at.accounts.members.setTeamMember(team, eve.person.id, "editor");
  const rule = await at.ask(`/api/review-rules/${team}`, {
    as: ada.session,
    method: "PUT",
    json: { kinds: ["publish", "host", "tool-server"] },
  });
  expect(rule.status).toBe(200);
});
afterAll(() => at.server.close());

type Person = typeof ada;

/** A verified project that Bob owns, and that belongs to the team. */
async function verified(text: string): Promise<string> {
  const id = await at.projectOf(bob.session);
  await at.accounts.members.set(id, { kind: "team", id: team, role: "editor" });
  await write(id, text);
  return id;
}
async function write(id: string, text: string): Promise<void> {
  at.server.turns.splice(0, Infinity, async (_, { workspace }) => {
    await workspace.files.write(toProjectPath("index.html"), text);
    return { verdict: "verified" };
  });
  const ended = (await at.server.events(id)).filter(({ type }) => type === "run-end").length;
  await at.ask(`/api/projects/${id}/messages`, { as: bob.session, json: { text: "Build it" } });
  await expect
    .poll(async () => (await at.server.events(id)).filter(({ type }) => type === "run-end").length)
    .toBe(ended + 1);
  await expect
    .poll(async () => {
      const detail = await at.ask(`/api/projects/${id}`, { as: bob.session });
      return ((await detail.json()) as { working: boolean }).working;
    })
    .toBe(false);
}
const post = (person: Person, path: string, json: object = {}) =>
  at.ask(path, { as: person.session, json });
async function ask(person: Person, id: string, json: object = { kind: "publish" }) {
  const answer = await post(person, `/api/projects/${id}/reviews`, json);
  expect(answer.status, await answer.clone().text()).toBe(201);
  return (await answer.json()) as Review;
}
const answer = (person: Person, { project, id }: Review, json: object) =>
  post(person, `/api/projects/${project}/reviews/${id}/answer`, json);
const list = async (person: Person, id: string) =>
  (await (await at.ask(`/api/projects/${id}/reviews`, { as: person.session })).json()) as ProjectReviews; // prettier-ignore
const stateOf = async ({ project, id }: Review) =>
  (await list(bob, project)).reviews.find((one) => one.id === id)?.state;
const publication = async (id: string) =>
  (await (await at.ask(`/api/projects/${id}/publication`, { as: bob.session })).json()) as Publication; // prettier-ignore
const until = (review: Review, state: Review["state"]) =>
  expect.poll(() => stateOf(review)).toBe(state);
const isHeld = (id: string) =>
  expect.poll(async () => (await publication(id)).releases[0]?.state).toBe("held");
const visit = async (id: string) => {
  const { name } = await publication(id);
  const { promise, resolve } = Promise.withResolvers<string>();
  const { get } = await import("node:http");
  get(
    { host: "127.0.0.1", port: at.port, headers: { host: `${name}.localhost:${at.port}` } },
    (response) => {
      // prettier-ignore
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve(text));
    },
  );
  return promise;
};

it("refuses to publish without a second person, and publishes exactly what was reviewed although the project changes meanwhile", async () => {
  const id = await verified("<h1>First</h1>");
  const direct = await post(bob, `/api/projects/${id}/publication`);
  expect([direct.status, await codeOf(direct)]).toEqual([409, "needs-review"]);

  const review = await ask(eve, id, { kind: "publish", words: "Please" });
  expect(review).toMatchObject({ words: "Please", subject: { verdict: "verified", release: 1 } });
  await isHeld(id);
  await write(id, "<h1>Second</h1>");
  const { revision } = (await publication(id)).releases[0]!;
  expect(revision).toBe(review.subject.revision);
  expect((await publication(id)).current).toBeUndefined();

  // No way around it, not for the owner either.
  for (const way of ["anyway"]) {
    const around = await post(bob, `/api/projects/${id}/publication/releases/1/${way}`, { by: "Bob" }); // prettier-ignore
    expect([around.status, await codeOf(around)]).toEqual([409, "needs-review"]);
  }
  expect((await post(bob, `/api/projects/${id}/publication/current`, { release: 1 })).status).toBe(404); // prettier-ignore
  expect((await answer(eve, review, { kind: "approve" })).status).toBe(403);

  expect((await answer(bob, review, { kind: "approve" })).status).toBe(200);
  await until(review, "done");
  expect((await publication(id)).releases[0]).toMatchObject({ state: "ready", revision });
  expect(await visit(id)).toContain("First");
});

it("tells the one who asked what was said against it, and removes the release", async () => {
  const id = await verified("<h1>Shop</h1>");
  const review = await ask(bob, id);
  await isHeld(id);
  expect(await codeOf(await answer(bob, review, { kind: "approve" }))).toBe("own-request");
  const waiting = async (person: Person) =>
    (
      (await (await at.ask("/api/reviews", { as: person.session })).json()) as { reviews: Review[] }
    ).reviews.find((one) => one.id === review.id);
  expect(await waiting(ada)).toMatchObject({ mayAnswer: true, isOwn: false });
  expect(await waiting(bob)).toMatchObject({ mayAnswer: false, isOwn: true });
  expect(await waiting(eve)).toBeUndefined();
  await answer(ada, review, { kind: "refuse", words: "The heading is wrong." });
  expect((await list(eve, id)).reviews[0]).toMatchObject({
    state: "refused",
    answer: { words: "The heading is wrong." },
  });
  expect((await at.ask(`/api/projects/${id}/publication`, { as: bob.session })).status).toBe(404);
  const audit = (await at.accounts.audit.read({ limit: 10 })).map(({ what }) => what);
  expect(audit).toEqual(
    expect.arrayContaining([
      "POST /api/projects/:id/reviews",
      "POST /api/projects/:id/reviews/:review/answer",
    ]),
  );
});

it("withdraws a request whose release is still being made, and leaves nothing of it", async () => {
  const id = await verified("<h1>Shop</h1>");
  const review = await ask(eve, id);
  expect((await post(eve, `/api/projects/${id}/reviews/${review.id}/withdraw`)).status).toBe(200);
  await expect
    .poll(async () => (await at.ask(`/api/projects/${id}/publication`, { as: bob.session })).status)
    .toBe(404);
  expect(await stateOf(review)).toBe("withdrawn");
});

it("does not publish if the role of whoever approved is taken away before it goes live", async () => {
  const id = await verified("<h1>Shop</h1>");
  const review = await ask(eve, id);
  await isHeld(id);
  // Between the approval and the last step.
  const { may } = at.accounts.reviews.rules;
  let asked = 0;
  at.accounts.reviews.rules.may = async (person, action, project) => {
    if (person === bob.person.id && action === "project.review" && ++asked === 3) {
      await at.accounts.members.set(id, { kind: "person", id: ada.person.id, role: "owner" });
      await at.accounts.members.set(id, { kind: "person", id: bob.person.id, role: "viewer" });
    }
    return may(person, action, project);
  };
  await answer(bob, review, { kind: "approve" });
  await until(review, "failed");
  at.accounts.reviews.rules.may = may;
  expect((await publication(id)).current).toBeUndefined();
});

it("publishes at once for others after an approval for good", async () => {
  const id = await verified("<h1>First</h1>");
  const first = await ask(eve, id);
  await isHeld(id);
  await answer(ada, first, { kind: "approve", always: true });
  await until(first, "done");
  expect((await list(bob, id)).needed).not.toContain("publish");
  await write(id, "<h1>Second</h1>");
  const second = await ask(eve, id);
  await until(second, "done");
  expect(await visit(id)).toContain("Second");
});

it("lets a host be reached only after a second person approved it, by whatever way it is asked for", async () => {
  const id = await verified("<h1>Shop</h1>");
  const hosts = async () =>
    ((await (await at.ask(`/api/projects/${id}/settings`, { as: bob.session })).json()) as { hosts: string[] }).hosts; // prettier-ignore
  const ways = [
    post(bob, `/api/projects/${id}/settings/hosts`, { host: "api.example.com" }),
    at.ask(`/api/projects/${id}/settings/secrets/KEY`, {
      as: bob.session,
      method: "PUT",
      json: { value: "k", host: "api.example.com" },
    }),
  ];
  for (const way of await Promise.all(ways)) expect(await codeOf(way)).toBe("needs-review");
  const review = await ask(eve, id, { kind: "host", host: "https://API.example.com/v1" });
  expect(await hosts()).toEqual([]);
  expect((await answer(bob, review, { kind: "approve" })).status).toBe(200);
  expect(await hosts()).toEqual(["api.example.com"]);
  expect(await stateOf(review)).toBe("done");
});

/** A turn that waits for a yes to a call of a tool server, and ends once it has an answer. */
const asksForTool: Turn = async ({ run, resume }, ports, { emit }) => {
  if (resume) return {};
  const question: ApprovalQuestion = {
    kind: "approval",
    id: "c1.approval",
    call: "c1",
    tool: "mcp__notes__echo",
    why: "It leaves the sandbox.",
    subject: { kind: "outside", what: ["notes", "echo"] },
    digest: "d1",
    mayRemember: true,
  };
  const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  const state = { reply: "r", calls: [], steps: 1, callCount: 1, usage: none, stepUsage: none, workedMs: 0, seen: [], touched: [], changed: false, commanded: false, repairs: 0, sameFailures: 0 }; // prettier-ignore
  emit({ type: "question", run, question });
  emit({ type: "suspended", run, question: question.id, state });
  await ports.log.settled();
  return "waits";
};
async function waitingForTool(): Promise<string> {
  const id = await verified("<h1>Shop</h1>");
  at.server.turns.splice(0, Infinity, asksForTool);
  await post(bob, `/api/projects/${id}/messages`, { text: "Echo it" });
  await at.server.until(id, ({ type }) => type === "suspended");
  return id;
}
const TRUST = { step: "question", question: "c1.approval", digest: "d1" };
const yes = (person: Person, id: string) =>
  post(person, `/api/projects/${id}/questions/c1.approval`, { kind: "approve", digest: "d1" });
const lastAnswer = () => at.server.requests.at(-1)?.resume?.answer;
const runEnds = (id: string) =>
  expect
    .poll(async () => (await at.server.events(id)).filter(({ type }) => type === "run-end").length)
    .toBe(2);

it("lets a run that waits for a tool go on with a second person's yes, whichever way it is given", async () => {
  for (const isOnCard of [true, false]) {
    const id = await waitingForTool();
    expect(await codeOf(await yes(bob, id))).toBe("needs-review");
    const review = await ask(bob, id, { kind: "tool-server", trust: TRUST });
    expect(await codeOf(await yes(bob, id))).toBe("needs-review");
    const answered = isOnCard ? await yes(ada, id) : await answer(ada, review, { kind: "approve" });
    expect(answered.status).toBe(200);
    await runEnds(id);
    expect(lastAnswer()).toMatchObject({ kind: "approve" });
    expect(await stateOf(review)).toBe("done");
  }
});

it("lets the run go on with the no of a second person, and ends a request that an editor's no makes needless", async () => {
  const refused = await waitingForTool();
  const first = await ask(bob, refused, { kind: "tool-server", trust: TRUST });
  await answer(ada, first, { kind: "refuse", words: "Not that one" });
  await runEnds(refused);
  expect(lastAnswer()).toEqual({ kind: "deny", words: "Not that one" });

  const denied = await waitingForTool();
  const second = await ask(bob, denied, { kind: "tool-server", trust: TRUST });
  await post(eve, `/api/projects/${denied}/questions/c1.approval`, { kind: "deny" });
  await until(second, "overtaken");
});

it("keeps a tool server that is added switched off until a second person approves it", async () => {
  const id = await verified("<h1>Shop</h1>");
  const prefix = `/api/projects/${id}/mcp`;
  const text = JSON.stringify({ mcpServers: { notes: { url: "https://notes.example.com/mcp" } } });
  const servers = async (response: Response) =>
    ((await response.json()) as { servers: { enabled: boolean }[] }).servers;
  const added = await at.ask(prefix, { as: bob.session, method: "PUT", json: { text } });
  expect(await servers(added)).toMatchObject([{ name: "notes", enabled: false }]);
  const on = await at.ask(`${prefix}/notes`, { as: bob.session, method: "PATCH", json: { enabled: true } }); // prettier-ignore
  expect(await codeOf(on)).toBe("needs-review");
  const review = await ask(bob, id, { kind: "tool-server", trust: { step: "enable", server: "notes" } }); // prettier-ignore
  await answer(ada, review, { kind: "approve" });
  expect(await servers(await at.ask(prefix, { as: bob.session }))).toMatchObject([{ enabled: true }]); // prettier-ignore
});

it("shows a copy of what would be published to those who answer only, and until it is answered", async () => {
  const id = await verified("<h1>Shop</h1>");
  const review = await ask(eve, id);
  await isHeld(id);
  const trial = (person: Person) => post(person, `/api/projects/${id}/reviews/${review.id}/trial`);
  expect((await trial(eve)).status).toBe(403);
  const address = async () => ((await (await trial(bob)).json()) as { address: string }).address;
  const first = await address();
  expect(first).toMatch(/^http:\/\/[^/]+\.localhost/);
  expect(await address()).toBe(first);
  await answer(bob, review, { kind: "approve" });
  await until(review, "done");
  expect(await codeOf(await trial(bob))).toBe("review-release-gone");
});

it("does not let a project leave a team with rules, except for administrators", async () => {
  const id = await verified("<h1>Shop</h1>");
  const leave = (person: Person) =>
    at.ask(`/api/projects/${id}/members/team/${team}`, { as: person.session, method: "DELETE" });
  expect(await codeOf(await leave(bob))).toBe("team-has-rules");
  expect((await leave(ada)).status).toBe(200);
});
