import { expect, test } from "vitest";
import { parseScript } from "../script/parse-script.ts";
import { asArtifact } from "./as-artifact.ts";

const script = parseScript(
  `## One
~~~call write_file
path: a.js
content: @a
~~~

## Two
Mending.

~~~call edit_file
path: a.js
<<<<<<<
1
=======
$& 2
>>>>>>>
~~~
~~~call read_build_result
~~~
~~~call run_command
command: npm install
~~~
Done.
~~~fault length
~~~
`,
  { name: "test", readFile: () => "let a = 1;\n" },
);

test("consecutive calls become one artifact, an edit the whole file, and calls without an action are left out", () => {
  const step = script.steps[1];
  expect(asArtifact(script, step, step?.parts ?? [])).toEqual([
    {
      type: "say",
      text: [
        "Mending.",
        '<boltArtifact id="test" title="test">',
        '<boltAction type="file" filePath="a.js">',
        "let a = $& 2;",
        "</boltAction>",
        '<boltAction type="shell">npm install</boltAction>',
        "</boltArtifact>",
        "Done.",
      ].join("\n"),
    },
    { type: "fault", fault: { kind: "length" } },
  ]);
});
