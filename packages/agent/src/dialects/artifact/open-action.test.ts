import { createArtifactParser, recoverFences } from "@treadle/dialects/artifact";
import { expect, test } from "vitest";
import { openActionOf } from "./open-action.ts";

/** The path of the action that the parser holds open at the end of a text. */
function openPath(text: string): string | undefined {
  let open: string | undefined;
  const parser = createArtifactParser({
    recover: recoverFences,
    onEvent(event) {
      if (event.type === "action-open") open = event.filePath;
      if (event.type === "action-close" && event.complete) open = undefined;
    },
  });
  parser.write(text);
  parser.end();
  return open;
}

const OPENINGS = [
  '<boltAction type="file" filePath="src/a.ts">',
  '<bolt-action type="file" filePath="src/a.ts">',
  '< boltAction type="file" filePath="src/a.ts" >',
  '<BOLT_ACTION filePath="src/a.ts" type="create">',
  "<boltAction type='file' filePath='src/a.ts'>",
  "<boltAction type=file filePath=src/a.ts>",
  '<boltAction type=\\"file\\" filePath=\\"src/a.ts\\">',
  "<boltAction type=“file” filePath=“src/a.ts”>",
  '<boltAction path="src/a.ts">',
  '<boltAction type="file" file_path="src/a.ts">',
  '<boltAction type="file" filePath="src/a.ts>',
];

test.each(OPENINGS)("%s is open where the parser holds it open, and is known when it comes again", (tag) => {
  const text = `Here.\n<boltArtifact id="a" title="A">\nFirst this.\n${tag}\nconst a = 1;\nconst b`;
  expect(openPath(text)).toBe("src/a.ts");
  const opening = openActionOf(text);
  expect(text.slice(opening?.from)).toBe("const a = 1;\nconst b");
  expect(opening?.around).toBe('<boltArtifact id="a" title="A">');
  expect(opening?.same.exec(`${tag}\nconst a`)?.[0]).toBe(`${tag}\n`);
  expect(opening?.same.test(tag.replace("src/a.ts", "src/b.ts"))).toBe(false);
  expect(opening?.any.test(`${tag.replace("src/a.ts", "src/b.ts")}\n`)).toBe(true);
}); // prettier-ignore

test.each(["</boltAction>", "</bolt-action>", "< / boltAction >", "</BoltAction >"])(
  "nothing is open behind %s",
  (end) => {
    const text = `<boltArtifact id="a" title="A">\n${OPENINGS[0]!}\nconst a = 1;\n${end}\n`;
    expect(openPath(text)).toBeUndefined();
    expect(openActionOf(text)).toBeUndefined();
  },
);

test.each(["</bolt-artifact>", '<bolt_artifact id="b" title="B">'])(
  "an action that nothing closes ends where %s stands on a line of its own",
  (line) => {
    expect(openActionOf(`${OPENINGS[1]!}\nconst a = 1;\n${line}\n`)).toBeUndefined();
  },
);

test("a path with an ampersand is known with its entity and without", () => {
  const opening = openActionOf('<boltAction type="file" filePath="a &amp; b.md">\nText');
  for (const path of ["a & b.md", "a &amp; b.md"])
    expect(opening?.same.test(`<boltAction type="file" filePath="${path}">`)).toBe(true);
});

test("tags that nothing closes are looked through in linear time", () => {
  const text = '<boltAction type="file" filePath="a.ts '.repeat(4_000);
  expect(openActionOf(text)).toBeUndefined();
});
