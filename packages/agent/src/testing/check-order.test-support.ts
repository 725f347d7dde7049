import type { LogEvent } from "@treadle/protocol";

/** Violations of the log's order rules in a run's events; empty if there are none. */
export function orderProblems(events: LogEvent[]): string[] {
  const problems: string[] = [];
  const calls = new Map<string, string>();
  const order = ["call-open", "call-delta", "call-input", "call-start", "output", "call-end"];
  let step: number | undefined;
  let steps = 0;
  events.forEach((event, index) => {
    const at = `${index} ${event.type}`;
    if (event.type === "run-start" && index !== 0) problems.push(`${at}: not first`);
    if (event.type === "run-end" && index !== events.length - 1) problems.push(`${at}: not last`);
    if (event.type === "step-start") {
      if (step !== undefined) problems.push(`${at}: inside step ${step}`);
      step = event.step;
      if (step !== ++steps) problems.push(`${at}: number ${step}, not ${steps}`);
    }
    if (event.type === "step-end") {
      if (step !== event.step) problems.push(`${at}: ends ${event.step} in ${step}`);
      // A call that the output limit cut off may continue in the next step.
      const mayGoOn = event.finish === "length" ? ["call-open", "call-delta"] : [];
      for (const [call, state] of calls)
        if (state !== "call-end" && !mayGoOn.includes(state))
          problems.push(`${at}: ${call} is ${state}`);
      step = undefined;
    }
    if (["text", "reasoning", "call-open", "call-end"].includes(event.type) && step === undefined)
      problems.push(`${at}: outside a step`);
    if ("call" in event) {
      const before = calls.get(event.call);
      const position = (type: string | undefined) =>
        type === undefined ? -1 : order.indexOf(type);
      const repeats = event.type === "call-delta" || event.type === "output";
      if (before === undefined && event.type !== "call-open")
        problems.push(`${at}: call was not opened`);
      if (position(event.type) < position(before) || (event.type === before && !repeats))
        problems.push(`${at}: after ${before}`);
      calls.set(event.call, event.type);
    }
  });
  if (step !== undefined) problems.push(`step ${step} has no end`);
  for (const [call, state] of calls)
    if (state !== "call-end") problems.push(`${call} ended as ${state}`);
  if (events.filter(({ type }) => type === "run-end").length !== 1)
    problems.push("not exactly one run-end");
  return problems;
}
