import { expect, it } from "vitest";
import { claimAt } from "./claim-at.ts";

const claims = {
  groups: ["staff"],
  realm_access: { roles: ["admin"] },
  resource_access: { "my.app": { roles: ["editor"] } },
  "https://example.com/groups": ["class"],
};

it.each([
  ["groups", ["staff"]],
  ["realm_access.roles", ["admin"]],
  ["resource_access.my.app.roles", ["editor"]],
  ["https://example.com/groups", ["class"]],
])("finds %s", (path, value) => expect(claimAt(claims, path)).toEqual(value));

it.each([
  "realm_access.none",
  "groups.0",
  "groups.length",
  "constructor",
  "__proto__.constructor",
  "",
])("finds nothing at %j", (path) => expect(claimAt(claims, path)).toBeUndefined());
