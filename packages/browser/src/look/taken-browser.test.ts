import { openAttackPlace, createDriver } from "@treadle/workspace";
import { expect, it } from "vitest";
import { attackFromTakenBrowser } from "./taken-browser.ts";

it(
  "A50, A62 a compromised browser reaches nothing of the machine, the server and other projects",
  { timeout: 280_000 },
  async () => {
    const { place, close } = await openAttackPlace((cacheDirectory, env) =>
      createDriver({ cacheDirectory, env }),
    );
    const through: string[] = [];
    let made = 0;
    try {
      await attackFromTakenBrowser({
        env: process.env,
        place,
        onResult({ what }, { outcome, output }) {
          made++;
          if (outcome === "through") through.push(`${what}: ${output}`);
        },
      });
    } finally {
      await close();
    }
    expect(through).toEqual([]);
    expect(made).toBeGreaterThan(10);
  },
);
