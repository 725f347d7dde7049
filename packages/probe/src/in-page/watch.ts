/**
 * The script that reports an embedded page to the workbench: what it prints and requests, the
 * picked element, and, while a check is recorded, the person's actions; and to the gateway, when
 * something is drawn. Runs only in the preview's frame, before the page's own scripts; a page in
 * its own tab, or in the headless browser, does not have it. It changes nothing in the page except
 * for the person's edits: an element's origin is read from what frameworks keep in development.
 */
import { askPlaces } from "./ask-places.ts";
import { findEmbedder, type Embedder } from "./embedder.ts";
import { createPicking } from "./picking.ts";
import { createRecording } from "./recording.ts";
import { reportDrawn } from "./report-drawn.ts";
import { cut } from "./text.ts";
import type { Trial } from "./try-changes.ts";
import { createDesignTrial } from "./try-design.ts";
import { watchConsole } from "./watch-console.ts";
import { watchNetwork } from "./watch-network.ts";

declare const ORIGINS: readonly string[];

const embedder = findEmbedder(ORIGINS);
if (embedder) watch(embedder);

/** The fields of the workbench's messages; each message has only some of them. */
interface Asked extends Trial {
  id: unknown;
  stack: string;
  on: unknown;
  path: Parameters<ReturnType<typeof createPicking>["again"]>[0];
  to: unknown;
  by: number;
  css: unknown;
}

function watch(workbench: Embedder): void {
  const { post, hear } = workbench;
  reportDrawn();
  watchConsole(workbench);
  watchNetwork(workbench);
  const picking = createPicking(workbench);
  const recording = createRecording(workbench, picking);
  const tryDesign = createDesignTrial();
  const handlers: Record<string, (asked: Asked) => void> = {
    async place({ id, stack }) {
      const [at] = await askPlaces([stack]);
      post("placed", { id, at });
    },
    pick: ({ on }) => picking.pick(on),
    record: ({ on }) => recording.record(on),
    expect: ({ on }) => recording.expect(on),
    again: ({ path }) => picking.again(path),
    drop: () => picking.drop(),
    move: ({ to }) => picking.move(to),
    shift: ({ by }) => picking.shift(by),
    try: (trial) => picking.attempt(trial),
    design: (trial) => tryDesign(trial),
  };
  hear((message) => {
    const [, name = ""] = /^treadle:(\w+)$/.exec(String(message.type)) ?? [];
    if (Object.hasOwn(handlers, name)) handlers[name]!(message as unknown as Asked);
  });
  // Markdown that the gateway put into a document.
  document.addEventListener("DOMContentLoaded", () => {
    const markdown = document.querySelector("pre[data-treadle=markdown]");
    if (markdown) post("markdown", { text: cut(markdown.textContent, 100_000) });
  });
  post("begin", { path: location.pathname });
}
