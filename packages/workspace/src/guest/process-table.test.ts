import { expect, it } from "vitest";
import { familyOf } from "./process-table.ts";

it.each([undefined, "", null, 7])(
  "nobody's mark is %j: what carries none is not a family",
  (mark) => {
    expect(() => familyOf(undefined, mark as string)).toThrow("mark");
  },
);
