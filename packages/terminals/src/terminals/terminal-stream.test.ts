import { expect, it } from "vitest";
import { createTerminalStream } from "./terminal-stream.ts";

it("sends messages as events in order, the key first and the close code last", async () => {
  const { body, socket } = createTerminalStream("k", () => {});
  socket.send('{"type":"data","data":"a\\n"}');
  socket.close(1012, "restarting");
  expect(await new Response(body).text()).toBe(
    'event: joined\ndata: {"key":"k"}\n\n' +
      'event: message\ndata: {"type":"data","data":"a\\n"}\n\n' +
      'event: close\ndata: {"code":1012,"reason":"restarting"}\n\n',
  );
});

it("passes input to the listener, and reports a disconnect once", async () => {
  let gone = 0;
  const { body, socket, take } = createTerminalStream("k", () => gone++);
  const typed: string[] = [];
  let left = 0;
  socket.on("message", (data) => typed.push(String(data)));
  socket.on("close", () => left++);
  take("ls");
  await body.cancel();
  socket.close(1000);
  take("after");
  expect([typed, gone, left]).toEqual([["ls"], 1, 1]);
});

it("F19 counts unread data as queued, and reports when there is room", async () => {
  const { body, socket } = createTerminalStream("k", () => {});
  const sent = Promise.withResolvers<void>();
  socket.send("x".repeat(200_000), () => sent.resolve());
  expect(socket.bufferedAmount).toBeGreaterThan(200_000);
  const reader = body.getReader();
  await reader.read();
  await reader.read();
  await sent.promise;
  expect(socket.bufferedAmount).toBe(0);
  await reader.cancel();
});
