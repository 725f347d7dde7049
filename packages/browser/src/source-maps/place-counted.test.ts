import type { ProjectPath } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { placeCounted } from "./place-counted.ts";

const paths = new Set(["server/index.ts" as ProjectPath]);
const none = async () => undefined;
/** The inline map of a text that was generated from `server/index.ts`, line by line. */
const inlineMap = (lines: number, source = "/home/project/server/index.ts") =>
  `\n//# sourceMapping${"URL"}=data:application/json;base64,${Buffer.from(
    JSON.stringify({
      version: 3,
      sources: [source],
      names: [],
      mappings: `;${["AAAA", ...Array.from({ length: lines - 1 }, () => "AACA")].join(";")}`,
    }),
  ).toString("base64")}`;

describe("functions that a server ran", () => {
  it("are located by their start in a file that ran unchanged, also without its types", async () => {
    const text = "const a = 1;\nfunction add(n        ) {}\nadd(a);\n";
    const at = text.indexOf("function");
    const places = [0, text.length, 1, at, at + 24, 0];
    const { files, unclear, hasUnmapped } = await placeCounted(
      [{ path: "server/index.ts", isMapped: true, text, places }],
      paths,
      none,
    );
    expect(files).toEqual([
      { path: "server/index.ts", functions: [{ line: 2, column: 0, ran: false }] },
    ]);
    expect([unclear.size, hasUnmapped]).toEqual([0, false]);
  });

  it("are located by the inline or separate map of a generated file", async () => {
    const text = `"use strict";\nfunction add() {}\nfunction two() {}`;
    const at = text.indexOf("function two");
    const places = [0, text.length + 500, 1, at, at + 17, 1];
    const map = inlineMap(2);
    const inline = await placeCounted(
      [{ path: "server/index.ts", isMapped: true, text: text + map, places }],
      paths,
      none,
    );
    expect(inline.files).toEqual([
      { path: "server/index.ts", functions: [{ line: 2, column: 0, ran: true }] },
    ]);
    const beside = await placeCounted(
      [
        {
          path: ".next/server/a.js",
          isMapped: true,
          text: `${text}\n//# sourceMapping${"URL"}=a.js.map`,
          places,
        },
      ],
      paths,
      async (path) =>
        path === ".next/server/a.js.map"
          ? Buffer.from(map.split("base64,")[1]!, "base64").toString()
          : undefined,
    );
    expect(beside.files).toEqual(inline.files);
  });

  it("are unknown in a generated file without a map, or with one that leads nowhere", async () => {
    const text = "function add() {}";
    const places = [0, 17, 1];
    const unmapped = await placeCounted(
      [{ path: "dist/index.js", isMapped: false, text, places: [0, 20, 1, ...places] }],
      paths,
      none,
    );
    expect(unmapped).toMatchObject({ files: [], hasUnmapped: true });
    const loader = { path: "dist/load.js", isMapped: false, text: "", places: [] };
    expect(await placeCounted([loader], paths, none)).toMatchObject({ hasUnmapped: false });
    const hidden = { ...loader, places: [0, 0, 1] };
    expect(await placeCounted([hidden], paths, none)).toMatchObject({ hasUnmapped: true });
    const script = {
      path: "dist/index.js",
      isMapped: true,
      text: text + inlineMap(1, "../old/index.ts"),
      places,
    };
    const { unclear } = await placeCounted([script], paths, none);
    expect([...unclear]).toEqual(["server/index.ts"]);
    const other = await placeCounted(
      [{ path: "other.js", isMapped: false, text, places }],
      paths,
      none,
    );
    expect(other).toEqual({ files: [], unclear: new Set(), hasUnmapped: false });
  });
});
