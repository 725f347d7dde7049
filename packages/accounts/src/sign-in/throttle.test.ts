import { expect, it } from "vitest";
import { createThrottle } from "./throttle.ts";

const attempt = (begin: () => unknown): string => {
  try {
    begin();
    return "tried";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it("ends a client's guesses at many accounts, and lets other clients go on", () => {
  const { begin } = createThrottle(() => 0);
  const guess = (client: string, account: string) => attempt(() => begin({ client, account }));
  const outcomes = Array.from({ length: 30 }, (_, index) => guess("203.0.113.1", `ada${index}`));
  expect(outcomes.filter((outcome) => outcome === "tried")).toHaveLength(20);
  expect(guess("203.0.113.2", "ada29")).toBe("tried");
});

it("ends guesses at an account from many clients, and lets its own browsers go on", () => {
  const { begin } = createThrottle(() => 0);
  const outcomes = Array.from({ length: 12 }, (_, index) =>
    attempt(() => begin({ client: `203.0.113.${index}`, account: "ada" })),
  );
  expect(outcomes.filter((outcome) => outcome === "tried")).toHaveLength(8);
  expect(attempt(() => begin({ known: "ada" }))).toBe("tried");
});

it("counts attempts that have not been answered yet, and gives them back on success", () => {
  let time = 0;
  const { begin } = createThrottle(() => time);
  const succeed = Array.from({ length: 8 }, () => begin({ account: "ada" }));
  expect(attempt(() => begin({ account: "ada" }))).toBe("too-many-tries");
  succeed[0]!();
  expect(attempt(() => begin({ account: "ada" }))).toBe("tried");
  time = 5 * 60_000;
  expect(attempt(() => begin({ account: "ada" }))).toBe("tried");
});
