import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { LookedPicture } from "./looked-picture.tsx";

vi.mock("../live/live-context.tsx", () => ({ useProjectId: () => "p" }));

const drawn = (undrawn?: string[], small = false) =>
  renderToStaticMarkup(
    <LookedPicture picture={{ hash: "ab", undrawn }} subject="/" small={small} />,
  );

it("names characters that the picture shows as boxes, and says nothing without any", () => {
  expect(drawn(["食", "記"])).toContain("食 記");
  expect(drawn()).not.toContain("<p");
});

it("omits this if it is small", () => {
  expect(drawn(["食"], true)).not.toContain("食");
});
