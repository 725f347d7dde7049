import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "./server.test-support.ts";

it("a folder is not opened with a model for planning that cannot be had", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const { directory } = server;
  const open = (planModel: string) => server.treadle.projects.open({ directory, planModel });
  await expect(open("fake:none")).rejects.toMatchObject({ code: "model-unknown" });
  const { id } = await open("fake:two");
  expect(await server.store.projects.get(id)).toMatchObject({ planModel: "fake:two" });
});
