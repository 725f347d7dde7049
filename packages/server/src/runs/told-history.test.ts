import type { LogEvent } from "@treadle/protocol";
import { createLogFold } from "@treadle/protocol/fold";
import type { StoredMessage } from "@treadle/store";
import { expect, it } from "vitest";
import { toldHistory } from "./told-history.ts";

const stored = (...ids: string[]): StoredMessage[] =>
  ids.map((id) => ({ id, role: id.startsWith("m") ? "user" : "assistant", parts: [] }));
const start = (n: number): LogEvent => ({
  type: "run-start",
  run: `r${n}`,
  message: `m${n}`,
  model: "x:y",
  dialect: "native",
});
const back = (head: string): LogEvent => ({
  type: "restored",
  checkpoint: "c",
  revision: "v",
  label: "",
  head,
});
function textsTold(events: LogEvent[], messages: StoredMessage[]): string[] {
  const fold = createLogFold();
  for (const event of events) fold.add(event, 0);
  return toldHistory(fold.state, messages).map(({ id }) => id);
}

it("leaves out messages before a return, with their answers and the messages during them", () => {
  const all = stored("old", "m1", "a1", "m2", "a2", "m-meanwhile", "a2b", "m3", "a3", "m4", "a4");
  const three = [start(1), start(2), start(3)];
  expect(textsTold(three, all.slice(0, 9))).toEqual(all.slice(0, 9).map(({ id }) => id));
  expect(textsTold([...three, back("m1"), start(4)], all)).toEqual(["old", "m1", "a1", "m4", "a4"]);
  expect(textsTold([...three, back("m1"), start(4), back("m3")], all)).toEqual([
    "old",
    "m1",
    "a1",
    "m2",
    "a2",
    "m-meanwhile",
    "a2b",
    "m3",
    "a3",
  ]);
  expect(textsTold([...three, back("")], all)).toEqual(["old"]);
});
