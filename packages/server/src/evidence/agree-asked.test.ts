import { EVIDENCE_PARTS, untriedEvidence } from "@treadle/protocol/evidence";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.turns.push(async (request, { workspace }, { emit }) => {
    const evidence = untriedEvidence(await workspace.revision());
    for (const part of EVIDENCE_PARTS) evidence.parts[part] = { state: "held", summary: part };
    evidence.asked = [{ what: "a blue header", byEye: true }];
    emit({ type: "evidence", run: request.run, evidence });
  });
});
afterAll(() => server.close());

const lastEvidence = async (id: string) => {
  const last = (await server.events(id)).findLast((event) => event.type === "evidence");
  return last!.evidence;
};

/** A project whose turn ended with an item that only a person can judge. */
async function builtProject(): Promise<{ id: string; revision: string }> {
  const id = await server.project("A blue header, please.");
  return { id, revision: (await lastEvidence(id)).revision };
}
const agree = (id: string, json: { revision: string; what: string }) =>
  server.api(`/api/projects/${id}/asked/agree`, { json });
const verdictOf = async (id: string) =>
  ((await (await server.api(`/api/projects/${id}`)).json()) as { verdict: string }).verdict;

it("a person's confirmation of an item for eyes makes the project verified, in its log as well", async () => {
  const { id, revision } = await builtProject();
  expect(await verdictOf(id)).toBe("runs");
  expect((await agree(id, { revision, what: "a blue header" })).status).toBe(200);
  expect(await verdictOf(id)).toBe("verified");
  expect((await lastEvidence(id)).asked).toMatchObject([{ byEye: true, isAgreed: true }]);
});

it("refuses a confirmation for another revision, and for items that are not for eyes", async () => {
  const { id, revision } = await builtProject();
  expect((await agree(id, { revision: "other", what: "a blue header" })).status).toBe(409);
  expect((await agree(id, { revision, what: "a red header" })).status).toBe(404);
  expect(await verdictOf(id)).toBe("runs");
});
