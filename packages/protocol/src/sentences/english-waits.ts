/** What a run waits for. */
export const WAITS = {
  "asks-to-wait": ({ model, seconds }: { model: string; seconds: number }) =>
    `${model} asks us to wait ${seconds} s`,
  "asking-again": ({ model, seconds, why }: { model: string; seconds: number; why: string }) =>
    `Asking ${model} again in ${seconds} s: ${why}`,
  "going-on": ({ seconds, why }: { seconds: number; why: string }) =>
    `${why} What was whole is kept; going on in ${seconds} s`,
  "summing-up": () => "Summing up the conversation, which has become long",
  "waiting-for-tab": ({ address }: { address: string }) =>
    `Waiting for your tab, in which this project runs: open ${address}`,
};
