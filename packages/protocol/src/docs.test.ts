/** What others read in their editors: each export says what it is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL(".", import.meta.url));
const read = (file: string) => readFileSync(join(source, file), "utf8");

/** The names that the package and its parts give out, and the files that they give out whole. */
function givenOut(): { names: Set<string>; whole: string[] } {
  const indexes = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => /(?:^|\/)index\.ts$/.test(file)); // prettier-ignore
  const text = indexes.map(read).join("");
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list]) => list!);
  const names = lists.flatMap((list) => list.split(",").map((name) => name.replace(/\btype\b/, "").trim())); // prettier-ignore
  const whole = [...text.matchAll(/export type \* from "\.\/(.*)"/g)].map(([, file]) => file!);
  return { names: new Set(names), whole };
}

test("every export has a docstring", () => {
  const { names, whole } = givenOut();
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes("test"),
  );
  const bare: string[] = [];
  const found = new Set<string>();
  for (const file of files)
    for (const [, doc, name = ""] of read(file).matchAll(
      /(\*\/\n)?^export (?:async )?(?:function|class|interface|type|const) (\w+)/gm,
    )) {
      if (!names.has(name) && !whole.includes(file)) continue;
      found.add(name);
      if (doc === undefined) bare.push(`${file}: ${name}`);
    }
  expect(bare).toEqual([]);
  expect([...names].filter((name) => name !== "" && !found.has(name))).toEqual([]);
});
