import { environmentManager, onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { meQuery } from "./account.ts";
import { queryClient } from "./query-client.ts";
import { ApiFailure, getJson } from "./request.ts";

vi.mock("./request.ts", async (original) => ({
  ...(await original<object>()),
  getJson: vi.fn<typeof getJson>(),
}));

// Without a window the library takes this for a server, which asks nothing again.
beforeEach(() => environmentManager.setIsServer(() => false));
afterEach(() => {
  environmentManager.setIsServer(() => typeof window === "undefined");
  vi.useRealTimers();
  onlineManager.setOnline(true);
  queryClient.clear();
});

it("asks the server also while the browser has no network, because the server may be on this machine", async () => {
  onlineManager.setOnline(false);
  const answer = queryClient.fetchQuery({ queryKey: ["a"], queryFn: () => "answered" });
  expect(await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 100))])).toBe(
    "answered",
  );
});

it("asks again who is signed in after an answer that failed", async () => {
  vi.useFakeTimers();
  vi.mocked(getJson).mockRejectedValueOnce(new ApiFailure(500, "unknown", ""));
  vi.mocked(getJson).mockResolvedValue({ id: "ada" });
  const observer = new QueryObserver(queryClient, meQuery);
  const stop = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(observer.getCurrentResult().isError).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(observer.getCurrentResult().data).toEqual({ id: "ada" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(getJson).toHaveBeenCalledTimes(2);
  stop();
});
