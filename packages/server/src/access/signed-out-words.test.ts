import { expect, it } from "vitest";
import { signedOutWords } from "./signed-out-words.ts";

it("uses the first supported language of the browser, by weight", () => {
  const tag = (accepted?: string) => signedOutWords(accepted).tag;
  expect(tag("zh-TW,zh;q=0.9,en;q=0.8")).toBe("zh-CN");
  expect(tag("de-DE, ja;q=0.5, pt;q=0.7")).toBe("pt-BR");
  expect(tag("en;q=0, ja")).toBe("ja");
  for (const other of [undefined, "", "*", "de", ",;q=", "constructor"])
    expect(tag(other)).toBe("en");
});
