import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { evidenceOf } from "../fold/log.test-support.ts";
import { LookLine } from "./look-line.tsx";

const drawn = (isOver: boolean) =>
  renderToStaticMarkup(
    <LookLine evidence={evidenceOf("v", "going")} last isOver={isOver} isInCard={false} />,
  );

it("is in progress as long as its turn, and interrupted if the turn was stopped", () => {
  expect(drawn(false)).toContain("Installing…");
  expect(drawn(true)).not.toContain("Installing…");
  expect(drawn(true)).toContain("Installing");
  expect(drawn(true)).toContain("interrupted");
});
