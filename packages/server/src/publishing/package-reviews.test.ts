import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Review } from "@treadle/protocol";
import type { OpenOptions } from "@treadle/workspace";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  codeOf,
  startAccountServer,
  type AccountServer,
} from "../api/accounts/accounts.test-support.ts";

/** A registry that has one package, which brings another, with a known problem. */
const registry = createServer((request, response) => {
  if (request.url === "/-/npm/v1/security/advisories/bulk")
    return response.end(JSON.stringify({ chart: [{ title: "It draws", severity: "low", vulnerable_versions: "*" }] })); // prettier-ignore
  const [, name = "", version] = request.url!.split("/");
  const one = { license: "MIT", dependencies: name === "chart" ? { lines: "1" } : {} };
  if (!["chart", "lines"].includes(name)) return response.writeHead(404).end();
  const all = { "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": one } };
  response.end(JSON.stringify(version ? one : all));
});

let at: AccountServer;
let ada: Awaited<ReturnType<AccountServer["member"]>>;
let bob: typeof ada;
beforeAll(async () => {
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
  const { port } = registry.address() as AddressInfo;
  const env = { npm_config_registry: `http://127.0.0.1:${port}/`, HOME: "/nonexistent" };
  at = await startAccountServer({ env });
  [ada, bob] = [await at.member("admin"), await at.member()];
  await at.member("admin");
});
afterAll(async () => {
  await at.server.close();
  registry.close();
});

it("asks for what a turn may not install, in the name of its person, and lets a second one decide on what the registry says", async () => {
  const { id: team } = await at.accounts.members.addTeam("Kitchen");
  const rule = await at.ask(`/api/review-rules/${team}`, { as: ada.session, method: "PUT", json: { kinds: ["package"] } }); // prettier-ignore
  expect(rule.status).toBe(200);
  const project = await at.projectOf(bob.session);
  await at.accounts.members.set(project, { kind: "team", id: team, role: "owner" });

  const installed: boolean[] = [];
  const { driver } = at.server;
  const openPlain = driver.open.bind(driver);
  let mayInstall: OpenOptions["mayInstall"];
  driver.open = (options) => {
    ({ mayInstall } = options);
    return openPlain(options);
  };
  const install = async (name: string) => installed.push(await mayInstall!({ name }));
  at.server.turns.push(async () => {
    await install("react");
    await install("chart");
  });
  await at.ask(`/api/projects/${project}/messages`, { as: bob.session, json: { text: "Draw" } });
  await at.server.until(project, ({ type }) => type === "run-end");
  expect(installed).toEqual([true, false]);

  const open = async () => {
    const response = await at.ask("/api/reviews", { as: ada.session });
    return ((await response.json()) as { reviews: Review[] }).reviews;
  };
  await expect.poll(open).toMatchObject([
    {
      kind: "package",
      by: { id: bob.person.id },
      mayAnswer: true,
      subject: {
        what: ["chart"],
        package: {
          version: "1.0.0",
          license: "MIT",
          brings: ["lines"],
          advisories: [{ name: "chart", title: "It draws", severity: "low" }],
        },
      },
    },
  ]);
  const [review] = await open();
  const answer = (session: string) =>
    at.ask(`/api/projects/${project}/reviews/${review!.id}/answer`, { as: session, json: { kind: "approve" } }); // prettier-ignore
  expect(await codeOf(await answer(bob.session))).toBe("own-request");
  expect((await answer(ada.session)).status).toBe(200);
  await install("chart");
  await install("lines");
  expect(installed.slice(2)).toEqual([true, true]);

  const again = await at.ask(`/api/projects/${project}/reviews`, { as: bob.session, json: { kind: "package", name: "chart" } }); // prettier-ignore
  expect([again.status, await codeOf(again)]).toEqual([409, "package-known"]);
});
