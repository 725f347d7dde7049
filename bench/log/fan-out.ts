import type { LogEvent } from "@treadle/protocol";
import type { Store } from "@treadle/store";

/**
 * How many events the readers of one project's log received, and how long after they were appended,
 * in milliseconds, sorted.
 */
export interface FanOut {
  delays: number[];
  received: number;
}

/**
 * Appends events at a fixed rate for some seconds while readers follow the log live, each with its
 * own `follow`, like the server's sockets, and returns each batch's delay.
 */
export async function fanOut(
  store: Store,
  project: string,
  { readers, perSecond, seconds }: { readers: number; perSecond: number; seconds: number },
): Promise<FanOut> {
  const delays: number[] = [];
  /** When each entry was appended, by its number: nobody else appends to this log. */
  const appended = new Map<number, number>();
  const head = await store.log.head(project);
  let received = 0;
  const stops = Array.from({ length: readers }, () =>
    store.log.follow(project, head, (entries) => {
      const now = performance.now();
      for (const { seq } of entries) delays.push(now - appended.get(seq)!);
      received += entries.length;
    }),
  );
  const count = perSecond * seconds;
  const began = performance.now();
  for (let sent = 0; sent < count;) {
    const due = Math.min(count, Math.floor(((performance.now() - began) * perSecond) / 1000));
    for (; sent < due; sent++) {
      const event: LogEvent = {
        type: "text",
        run: "fan",
        id: "t",
        text: `piece ${sent} of a text `,
      };
      const at = performance.now();
      if (!store.log.append(project, event))
        throw new Error(`There is no log of ${project} that takes what is appended.`);
      appended.set(head + sent + 1, at);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await store.log.settled();
  while (received < count * readers) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const stop of stops) stop();
  return { delays: delays.sort((a, b) => a - b), received };
}
