import { afterAll, beforeAll, expect, it, vi } from "vitest";
import * as first from "../words/en/first-load.ts";
import * as later from "../words/en/later.ts";
import { addWords, laterWords, startWords } from "../words/words.ts";
import { failureOf } from "./request.ts";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await startWords("zh", []);
  await laterWords();
});
afterAll(async () => {
  await startWords("en", []);
  addWords({ ...first, ...later });
  vi.unstubAllGlobals();
});

const refusal = (error: object) => failureOf(Response.json({ error }, { status: 409 }));

it("says a refusal in the page's language where it has a code, with its values", async () => {
  const messageCode = { code: "app-name-taken", values: { name: "shop" } };
  const failure = await refusal({ code: "name-taken", message: "Another project …", messageCode });
  expect(failure).toMatchObject({ code: "name-taken", message: "另一个项目已用“shop”发布。" });
});

it("says a refusal as the server wrote it where it has no code, or one of a later version", async () => {
  const message = "The disk is full.";
  expect((await refusal({ code: "full", message })).message).toBe(message);
  const messageCode = { code: "from-the-future" };
  expect((await refusal({ code: "full", message, messageCode })).message).toBe(message);
});
