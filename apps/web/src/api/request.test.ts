import { expect, it, vi } from "vitest";
import { codedWords } from "../words/coded-words.ts";
import { failureOf } from "./request.ts";

vi.mock("../words/coded-words.ts", () => ({ codedWords: vi.fn(() => "in the page's language") }));

it("shows an error in the page's language, by its code and values", async () => {
  const messageCode = { code: "app-name-taken", values: { name: "shop" } };
  const error = { code: "name-taken", message: "Another project …", messageCode };
  const failure = await failureOf(Response.json({ error }, { status: 409 }));
  expect(failure).toMatchObject({ code: "name-taken", message: "in the page's language" });
  expect(codedWords).toHaveBeenCalledWith(error.message, messageCode);
});
