import { createServer } from "node:http";
import { duplexPair } from "node:stream";
import { expect, it } from "vitest";
import { createAnswers, type Answering } from "./answering.ts";
import { bring } from "./bring.ts";
import type { ReleasedApp } from "./released-app.ts";

const NOT_DONE = () => Promise.reject(new Error("not done in this test"));

function answeringApp(release: number, parts: Partial<ReleasedApp>): Answering & { kind: "app" } {
  const app: Partial<ReleasedApp> = {
    start: async () => {},
    sleep: async () => {},
    async connect() {
      const [near, far] = duplexPair();
      createServer((_, response) => void response.end("well")).emit("connection", far);
      return near;
    },
    hasData: async () => false,
    ...parts,
  };
  return { release, kind: "app", app: app as ReleasedApp };
}

const how = (parts: Partial<Parameters<typeof bring>[2]>) => ({
  dataOf: undefined,
  signal: new AbortController().signal,
  record: async () => {},
  onNotice() {},
  ...parts,
});

it("takes along the first data that the app before writes while the next one starts", async () => {
  let hasRows = false;
  const before = answeringApp(1, { hasData: async () => hasRows });
  const taken: ReleasedApp[] = [];
  const next = answeringApp(2, {
    start: async () => void (hasRows = true),
    async takeData(from) {
      taken.push(from);
      return NOT_DONE();
    },
  });
  const answers = createAnswers();
  answers.put(before);
  await expect(bring(answers, next, how({ dataOf: before.app }))).rejects.toThrow("not done");
  expect([taken, answers.current()]).toEqual([[before.app], before]);
});

it("ends an app whose record could not be written, and the one before goes on", async () => {
  const before = answeringApp(1, {});
  const log: string[] = [];
  const next = answeringApp(2, { sleep: async () => void log.push("asleep") });
  const answers = createAnswers();
  answers.put(before);
  const record = () => Promise.reject(new Error("the disk is full"));
  await expect(bring(answers, next, how({ dataOf: before.app, record }))).rejects.toThrow("full");
  expect([log, answers.current()]).toEqual([["asleep"], before]);
  // Nobody waits any more.
  expect((await answers.enter())?.answering).toBe(before);
});

it("has brought a release, though the app whose files were read fails to end", async () => {
  const notices: string[] = [];
  const dataOf = answeringApp(1, { sleep: () => Promise.reject(new Error("busy")) });
  const next = answeringApp(3, {});
  const answers = createAnswers();
  answers.put({ release: 2, kind: "site", answer: async () => {} });
  await bring(
    answers,
    next,
    how({ dataOf: dataOf.app, onNotice: ({ message }) => notices.push(message) }),
  );
  expect([answers.current(), notices]).toEqual([next, ["busy"]]);
});
