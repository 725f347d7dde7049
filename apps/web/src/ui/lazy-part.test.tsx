import { Suspense } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { lazyPart } from "./lazy-part.tsx";

const Hello = ({ name }: { name: string }) => <b>{name}</b>;

it("a part that was loaded ahead is drawn at once; before that, what stands in its place", async () => {
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

it("what loads it ahead tells nobody that it failed, and it is asked for again", async () => {
  let asked = 0;
  const { Part, load } = lazyPart(async () => {
    if (++asked === 1) throw new Error("the server is away");
    return { default: Hello };
  });
  await load();
  await load();
  expect(renderToStaticMarkup(<Part name="Ada" />)).toBe("<b>Ada</b>");
});
