import { expect, it } from "vitest";
import { openHands } from "./support/hands.ts";

/** Number of actions per writer. More, with other seeds, in `npm run soak hands`. */
const ACTS = 8;

it.each([
  ["two tabs, an editor, git and the model", { copy: false }],
  ["the same, and an editor in a folder that is kept in step", { copy: true }],
])(
  "F12 F13 %s on one file: what was typed is in a file, in git or in the history",
  async (_, how) => {
    const session = await openHands(how);
    try {
      expect(await session.work(1, ACTS)).toEqual([]);
    } finally {
      await session.close();
    }
  },
);
