import { expect, it } from "vitest";
import { familyOf } from "./process-table.ts";

it.each([undefined, "", null, 7])(
  "rejects %j as a mark: processes without a mark are not a family",
  (mark) => {
    expect(() => familyOf(undefined, mark as string)).toThrow("mark");
  },
);
