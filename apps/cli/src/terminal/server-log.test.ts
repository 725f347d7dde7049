import { describe, expect, it } from "vitest";
import { createServerLog } from "./server-log.ts";

const at = new Date("2026-01-02T03:04:05.678Z");
const REQUEST = {
  id: "0b6f7f0e-1",
  method: "GET",
  route: "/api/projects/:id",
  path: "/api/projects/p1",
  status: 200,
  ms: 12.345,
};

describe("the log of a server", () => {
  it("is sentences without a request, unless JSON was asked for", () => {
    const lines: string[] = [];
    const log = createServerLog(undefined, (line) => lines.push(line));
    log.onNotice("The disk is \u001B[31mfull.");
    expect(log.onRequest).toBeUndefined();
    expect(lines).toEqual(["The disk is full.\n"]);
  });

  it("is one JSON object a line, with the id of each request", () => {
    const lines: string[] = [];
    const log = createServerLog("json", (line) => lines.push(line), () => at); // prettier-ignore
    log.onNotice("two\nlines");
    log.onRequest!(REQUEST);
    log.onRequest!({ ...REQUEST, status: 503 });
    expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
    const [notice, request, failed] = lines.map((line) => JSON.parse(line) as object);
    expect(notice).toMatchObject({ time: "2026-01-02T03:04:05.678Z", level: "warn" });
    expect(request).toMatchObject({
      level: "info",
      requestId: "0b6f7f0e-1",
      status: 200,
      ms: 12.3,
    });
    expect(failed).toMatchObject({ level: "error" });
  });

  it("refuses any other format", () => {
    expect(() => createServerLog("xml", () => {})).toThrow("TREADLE_LOG");
  });
});
