import { createToolTagParser } from "../tool-tags/parse.ts";
import { formatToolCalls } from "../tool-tags/serialize.ts";
import { CONTENT, cutsAlike, PROSE } from "./pieces.test-support.ts";
import { differs, Random } from "./random.test-support.ts";

export const TOOLS = {
  write_file: ["path", "content"],
  read_file: ["path"],
  run: ["command"],
  stop: [],
};
export const TAGS = [
  ...PROSE, "<write_file>", "</write_file>", "<path>", "</path>", "<content>", "</content>", "</content >",
  "<read_file>", "</read_file>", "<run>", "</run>", "<command>", "</command>", "<stop>", "</stop>",
  "<function_calls>", "</function_calls>", '<invoke name="run">', "</invoke>", '<parameter name="command">',
  "</parameter>", '<invoke name="none">', "<invoke>", "<write_fi", "</con", "<invoke name='",
]; // prettier-ignore

export function checkToolTags(seed: number): string | undefined {
  const random = new Random(seed);
  const text = random.text(TAGS, 40);
  const limits = random.below(8) === 0 ? { valueCharacters: 10, heldCharacters: 10 } : {};
  const { events, problem } = cutsAlike<
    Parameters<Parameters<typeof createToolTagParser>[0]["onEvent"]>[0]
  >(random, text, (onEvent) => createToolTagParser({ tools: TOOLS, onEvent, limits }));
  // The point at which held text is released depends on the chunks, by design, only with that
  // limit.
  if (problem && !("heldCharacters" in limits)) return problem;
  let tool: number | undefined;
  let param: string | undefined;
  let tools = 0;
  let deltas = "";
  const values = new Map<string, string>();
  let out = "";
  for (const event of events) {
    if (event.type === "text") {
      if (tool !== undefined) return "text inside a tool";
      out += event.text;
    } else if (event.type === "tool-open") {
      if (tool !== undefined || event.tool !== tools++) return "tool-open out of turn";
      tool = event.tool;
      values.clear();
    } else if (event.type === "param-open") {
      if (event.tool !== tool || param !== undefined) return "param-open out of turn";
      param = event.name;
      deltas = "";
    } else if (event.type === "param-delta") {
      if (event.tool !== tool || event.name !== param) return "param-delta out of turn";
      deltas += event.text;
    } else if (event.type === "param-close") {
      if (event.name !== param || event.value !== deltas) return "the deltas are not the value";
      values.set(event.name, event.value);
      param = undefined;
    } else if (event.type === "tool-close") {
      if (event.tool !== tool || param !== undefined) return "tool-close out of turn";
      const wrong = differs(event.params, Object.fromEntries(values));
      if (wrong) return wrong;
      tool = undefined;
    }
  }
  if (tool !== undefined) return "a tool was left open";
  const plain = !/<\/?(?:write_file|read_file|run|stop|invoke|function_calls)/.test(text);
  if (plain && out !== text) return "prose was not given out whole";
  return undefined;
}

export function checkToolTagRoundTrip(seed: number): string | undefined {
  const random = new Random(seed);
  const calls = Array.from({ length: 1 + random.below(3) }, () => {
    const name = random.pick(["write_file", "read_file", "run"] as const);
    const value = () => random.text([...CONTENT, "\r\n", "\r", " ", "<path>", "<run>"], 10);
    return { name, params: Object.fromEntries(TOOLS[name].map((param) => [param, value()])) };
  });
  const read: unknown[] = [];
  const parser = createToolTagParser({
    tools: TOOLS,
    onEvent: (event) => {
      if (event.type !== "tool-close") return;
      const { name, params, complete } = event;
      read.push({ name, params, complete });
    },
  });
  for (const piece of random.cut(formatToolCalls(calls))) parser.write(piece);
  parser.end();
  return differs(
    read,
    calls.map((call) => ({ ...call, complete: true })),
  );
}
