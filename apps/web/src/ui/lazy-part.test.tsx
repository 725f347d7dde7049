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
