import type { Deployment, ElsewhereTarget } from "@treadle/protocol";
import { expect, it } from "vitest";
import { firstTarget } from "./first-target.ts";

const target = (
  id: ElsewhereTarget["id"],
  carries: ElsewhereTarget["carries"],
): ElsewhereTarget => ({
  id,
  name: id,
  carries,
  fields: [],
  place: {},
  token: "wanted",
});
const targets = [target("netlify", ["site"]), target("coolify", ["site", "app"])];
const sent = (id: Deployment["target"]) => ({ target: id }) as Partial<Deployment> as Deployment;

it("is one that supports the release, not simply the first", () => {
  expect(firstTarget({ targets, deployments: [] }, "app")?.id).toBe("coolify");
  expect(firstTarget({ targets, deployments: [] }, "site")?.id).toBe("netlify");
});

it("is the target that was used last", () => {
  const deployments = [sent("coolify"), sent("netlify")];
  expect(firstTarget({ targets, deployments }, "site")?.id).toBe("coolify");
});
