import { expect, it } from "vitest";
import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import type { GuestLink } from "./guest-link.ts";
import { createInstallAnswers } from "./install-answers.ts";

const asked: InstallAsk = { manager: "npm", args: ["install"], folder: "" };
const message = (ask: number) => ({ kind: "install", ask, asked }) as const;

/** A sandbox that can end, and installs that go on until they are aborted. */
function setUp() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const asker = { ended, request: () => Promise.reject(new Error("it has ended")) };
  const aborted: boolean[] = [];
  const answers = createInstallAnswers<GuestLink>({
    started: () => undefined,
    install: (_asker, _asked, { signal }) =>
      new Promise<InstallAnswer>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted.push(true);
          reject(signal.reason as Error);
        });
      }),
  });
  return { answers, asker: asker as unknown as GuestLink, end, aborted };
}

it("aborts the install of a package manager that has gone", async () => {
  const { answers, asker, aborted } = setUp();
  const [first, second] = [answers.answer(asker, message(1)), answers.answer(asker, message(2))];
  answers.gone(1);
  await first;
  expect(aborted).toEqual([true]);
  expect(answers.any()).toBe(true);
  answers.gone(2);
  await second;
  expect(answers.any()).toBe(false);
});

it("aborts all installs of a sandbox that has ended, which says of nobody that they have gone", async () => {
  const { answers, asker, end, aborted } = setUp();
  const all = [1, 2, 3].map((ask) => answers.answer(asker, message(ask)));
  end();
  await Promise.all(all);
  expect(aborted).toEqual([true, true, true]);
  expect(answers.any()).toBe(false);
});
