import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ApiAnswer } from "./api-pane.tsx";

it("an API's answer shows its method and path", () => {
  const answer = { status: 200, headers: [], text: "[]", size: 2, isCut: false, ms: 3 };
  const drawn = renderToStaticMarkup(
    <ApiAnswer to={{ method: "POST", path: "/books" }} answer={answer} />,
  );
  expect(drawn.replace(/<[^>]+>/g, "")).toContain("POST /books");
});
