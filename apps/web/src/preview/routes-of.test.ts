import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { routesOf } from "./routes-of.ts";

it("contains each opened or linked path once, the first page first", () => {
  const pages = [
    { path: "/about", links: ["/", "/team"] },
    { path: "/", links: ["/about"] },
  ];
  expect(routesOf({ ...untriedEvidence("r1"), pages } as never)).toEqual(["/", "/about", "/team"]);
  expect(routesOf(undefined)).toEqual(["/"]);
});
