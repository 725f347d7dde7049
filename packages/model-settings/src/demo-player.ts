import { onceDone } from "@treadle/protocol/lifecycle";
import { createModelRegistry, type Model } from "@treadle/agent";
import { listDemos, startDemoModel, type Demo, type Pace } from "@treadle/scripted-model";
import { sentence, sentenceIn } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

export interface DemoPlayer {
  list(): Demo[];
  /** @throws ApiFailure if there is no recording with that id. */
  find(id: string): Demo;
  /** The recording as a model, called over HTTP by the same provider code as any other. */
  model(id: string): Promise<Model>;
  close(): Promise<void>;
}

/** Plays the recorded builds; their server starts on first use. */
export function createDemoPlayer(pace?: Pace): DemoPlayer {
  const demos = listDemos();
  const start = onceDone(() => startDemoModel(pace ? { pace } : {}));
  let starting: ReturnType<typeof start> | undefined;
  const find = (id: string) => {
    const demo = demos.find((one) => one.id === id);
    if (!demo) throw new ApiFailure(404, "demo-unknown", sentence("recording-unknown", { id }));
    return demo;
  };
  return {
    list: () => demos,
    find,
    async model(id) {
      find(id);
      starting = start();
      const { url } = await starting;
      const keys = new Map([["openai-compatible", { address: url }]]);
      const resolved = await createModelRegistry({ env: {}, keys }).resolve(
        `openai-compatible:${id}`,
      );
      if (!resolved.ok) throw new ApiFailure(500, resolved.error.code, sentenceIn(resolved.error));
      return { ...resolved.model, id: `demo:${id}`, providerName: "The recording" };
    },
    async close() {
      const started = await starting?.catch(() => undefined);
      await started?.close();
    },
  };
}
