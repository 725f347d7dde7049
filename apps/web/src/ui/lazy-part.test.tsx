import { Suspense } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, onTestFinished, vi } from "vitest";
import { lazyPart } from "./lazy-part.tsx";

const Hello = ({ name }: { name: string }) => <b>{name}</b>;

it("a preloaded part is drawn immediately; before that, its placeholder", async () => {
  const { Part, load } = lazyPart(() => Promise.resolve({ default: Hello }));
  const page = (
    <Suspense fallback="soon">
      <Part name="Ada" />
    </Suspense>
  );
  expect(renderToStaticMarkup(page)).toBe("soon");
  await load();
  expect(renderToStaticMarkup(page)).toBe("<b>Ada</b>");
});

it("a part whose loading failed twice is loaded again before it is reported as missing", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const { Part } = lazyPart(async () => {
    if (++asked <= 2) throw new Error("the network has changed");
    return { default: Hello };
  });
  const page = (
    <Suspense fallback="soon">
      <Part name="Ada" />
    </Suspense>
  );
  expect(renderToStaticMarkup(page)).toBe("soon");
  await vi.runAllTimersAsync();
  expect(renderToStaticMarkup(page)).toBe("<b>Ada</b>");
});

it("a failed preload is not reported, and is tried again", async () => {
  let asked = 0;
  const { Part, load } = lazyPart(async () => {
    if (++asked === 1) throw new Error("the server is away");
    return { default: Hello };
  });
  await load();
  await load();
  expect(renderToStaticMarkup(<Part name="Ada" />)).toBe("<b>Ada</b>");
});
