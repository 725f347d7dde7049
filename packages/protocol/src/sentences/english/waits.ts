import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const WAITS = {
  "asks-to-wait": ({ model, seconds }: { model: Value; seconds: number }) =>
    `${model} asks us to wait ${seconds.toLocaleString("en")} s`,
  "asking-again": ({ model, seconds, why }: { model: Value; seconds: number; why: Value }) =>
    `Asking ${model} again in ${seconds.toLocaleString("en")} s: ${why}`,
  "going-on": ({ seconds, why }: { seconds: number; why: Value }) =>
    `${why} What was whole is kept; going on in ${seconds.toLocaleString("en")} s`,
  "summing-up": () => "Summing up the conversation, which has become long",
  "waiting-for-tab": ({ address }: { address: Value }) =>
    `Waiting for your tab, in which this project runs: open ${address}`,
};
