/**
 * What ten models would have said and done, from which the transcripts of the tests are recorded: `record.ts` beside this
 * plays each in a real sandbox and keeps what came of it.
 */
export interface Seed {
  files?: Record<string, string>;
  dialect?: "native" | "tags" | "artifact";
  /** The provider, by its library's name; it decides how pictures and results are sent. */
  provider?: string;
  approvals?: "ask" | "auto";
  turns: SeedTurn[];
}

export interface SeedTurn {
  text: string;
  mode?: "plan" | "act";
  /** The parts of each answer. */
  answers: Part[][];
  /** The user's answers to questions. */
  given?: (
    | { kind: "approve" }
    | { kind: "words"; text: string }
    | { kind: "deny"; words?: string }
  )[];
}

type Part = { type: string } & Record<string, unknown>;

let ids = 0;
const call = (toolName: string, input: object, more: object = {}): Part => ({
  type: "tool-call",
  toolCallId: `call_${++ids}`,
  toolName,
  input: JSON.stringify(input),
  ...more,
});
const write = (path: string, content: string) => call("write_file", { path, content });
const done = (what: string, ...asked: [what: string, check: string][]) =>
  call("finish", { done: what, asked: asked.map(([one, check]) => ({ what: one, check })) });
const textParts = (text: string): Part[] => {
  const id = `t${++ids}`;
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: text },
    { type: "text-end", id },
  ];
};
const think = (text: string, metadata: object): Part[] => {
  const id = `th${++ids}`;
  return [
    { type: "reasoning-start", id, providerMetadata: metadata },
    { type: "reasoning-delta", id, delta: text },
    { type: "reasoning-end", id, providerMetadata: metadata },
  ];
};

const COUNTER = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Counter</title></head>
<body>
<main>
<h1>Counter</h1>
<p>Count: <output>0</output></p>
<button type="button">Add one</button>
</main>
<script>
const output = document.querySelector("output");
document.querySelector("button").addEventListener("click", () => {
  output.textContent = String(Number(output.textContent) + 1);
});
</script>
</body>
</html>
`;

const COUNTER_CHECK = `## Adds one
- click button "Add one"
- expect "Count: 1"
`;

const EXPRESS = `import express from "express";
const app = express();
const notes = [];
app.use(express.json());
app.get("/", (_request, response) => {
  response.type("html").send("<!doctype html><html lang=en><title>Notes</title><h1>Notes</h1><p>Post to /api/notes.</p>");
});
app.get("/api/notes", (_request, response) => response.json(notes));
app.post("/api/notes", (request, response) => {
  notes.push({ text: String(request.body.text ?? "") });
  response.status(201).json(notes.at(-1));
});
app.listen(Number(process.env.PORT ?? 3000));
`;

const EXISTING = {
  "index.html": `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Shop</title><link rel="stylesheet" href="style.css"></head>
<body>
<main><h1>Shop</h1><p id="total"></p></main>
<script type="module" src="total.js"></script>
</body>
</html>
`,
  "style.css": "h1 { color: #333; }\n",
  "total.js": `import { priceOf } from "./prices.js";
document.querySelector("#total").textContent = "Total: " + (priceOf("tea") + priceOf("milk"));
`,
  "prices.js": `const PRICES = { tea: 3, milk: 2 };
export const priceOf = (name) => PRICES[name];
`,
  "old.txt": "not needed\n",
};

export const SEEDS: Record<string, Seed> = {
  "static-page": {
    provider: "anthropic.messages",
    turns: [
      {
        text: "Build a counter",
        answers: [
          [
            ...think("A page and a check.", { anthropic: { signature: "c2lnbmF0dXJl" } }),
            ...textParts("I build the page."),
            write("index.html", COUNTER),
            write(".treadle/checks.md", COUNTER_CHECK),
            done("A counter.", ["a counter", "Adds one"]),
          ],
        ],
      },
    ],
  },
  react: {
    turns: [
      {
        text: "A greeting in React",
        answers: [
          [call("use_template", { template: "react" })],
          [
            write(
              "src/App.tsx",
              "export function App() {\n  return (\n    <main>\n      <h1>Hello from React</h1>\n    </main>\n  );\n}\n",
            ),
            write(".treadle/checks.md", '## Greets\n- expect heading "Hello from React"\n'),
            call("run_command", { command: "npm run build" }),
          ],
          [done("A greeting.", ["a greeting", "Greets"])],
        ],
      },
    ],
  },
  express: {
    turns: [
      {
        text: "An API for notes with Express",
        answers: [
          [
            write(
              "package.json",
              `${JSON.stringify({ name: "notes", private: true, type: "module", scripts: { dev: "node server.js" }, dependencies: { express: "^5.0.0" } }, undefined, 2)}\n`,
            ),
            write("server.js", EXPRESS),
            write(
              ".treadle/checks.md",
              '## Keeps a note\n- request POST /api/notes {"text":"Milk {new}"}\n- expect status 201\n- request GET /api/notes\n- expect body "Milk {new}"\n',
            ),
            call("run_command", { command: "npm install" }),
            call("start_server", { command: "npm run dev" }),
          ],
          [call("run_command", { command: "node --check server.js" })],
          [done("An API for notes, kept in memory.", ["an API for notes", "Keeps a note"])],
        ],
      },
    ],
  },
  "existing-project": {
    files: EXISTING,
    turns: [
      {
        text: "Add bread for 4 to the total, and tidy up",
        answers: [
          [
            call("search_files", { pattern: "priceOf" }),
            call("read_file", { path: "prices.js" }),
            call("read_file", { path: "total.js" }),
          ],
          [
            call("edit_file", {
              path: "prices.js",
              edits: [{ old: "milk: 2", new: "milk: 2, bread: 4" }],
            }),
            call("edit_file", {
              path: "total.js",
              edits: [{ old: 'priceOf("milk")', new: 'priceOf("milk") + priceOf("bread")' }],
            }),
            call("edit_file", { path: "style.css", edits: [{ old: "h2 {", new: "h1 {" }] }),
            call("rename_file", { from: "style.css", to: "shop.css" }),
            call("delete_file", { path: "old.txt" }),
          ],
          [
            call("edit_file", {
              path: "index.html",
              edits: [{ old: 'href="style.css"', new: 'href="shop.css"' }],
            }),
            write(".treadle/checks.md", '## Sums up\n- expect "Total: 9"\n'),
          ],
          [done("Bread is in the total.", ["bread in the total", "Sums up"])],
        ],
      },
    ],
  },
  repaired: {
    turns: [
      {
        text: "Build a counter",
        answers: [
          [
            write(
              "index.html",
              COUNTER.replace('querySelector("output")', 'querySelector("ouput").firstChild'),
            ),
            write(".treadle/checks.md", COUNTER_CHECK),
            done("A counter.", ["a counter", "Adds one"]),
          ],
          [
            ...textParts("The name of the element is wrong."),
            call("edit_file", {
              path: "index.html",
              edits: [{ old: 'querySelector("ouput").firstChild', new: 'querySelector("output")' }],
            }),
            done("A counter.", ["a counter", "Adds one"]),
          ],
        ],
      },
      {
        text: "Name it Clicks",
        answers: [
          [
            call("edit_file", {
              path: "index.html",
              edits: [{ old: "<h1>Counter</h1>", new: "<h1>Clicks</h1>" }],
            }),
            write(
              ".treadle/checks.md",
              `${COUNTER_CHECK}\n## Is named\n- expect heading "Clicks"\n`,
            ),
            done("It is named Clicks.", ["the name", "Is named"]),
          ],
        ],
      },
    ],
  },
  "question-and-plan": {
    approvals: "ask",
    turns: [
      {
        text: "A page for my club",
        mode: "plan",
        answers: [textParts("1. A page with the club's name.\n2. A list of members.")],
      },
      {
        text: "Build it",
        answers: [
          [call("ask_user", { question: "What is the club called?", choices: ["Chess", "Go"] })],
          [
            write(
              "index.html",
              "<!doctype html><html lang=en><title>Go club</title><h1>Go club</h1>\n",
            ),
            write(".treadle/checks.md", '## Is named\n- expect heading "Go club"\n'),
          ],
          [call("run_command", { command: "ls" })],
          [done("A page for the club.", ["a page for the club", "Is named"])],
        ],
        given: [
          { kind: "words", text: "Go club" },
          { kind: "approve" },
          { kind: "approve" },
          { kind: "deny", words: "Not now." },
        ],
      },
    ],
  },
  "tags-dialect": {
    dialect: "tags",
    turns: [
      {
        text: "Build a counter",
        answers: [
          textParts(
            `I build the page.\n\n<write_file>\n<path>index.html</path>\n<content>\n${COUNTER}</content>\n</write_file>\n\n<write_file>\n<path>.treadle/checks.md</path>\n<content>\n${COUNTER_CHECK}</content>\n</write_file>\n`,
          ),
          textParts(
            '<finish>\n<done>A counter.</done>\n<asked>\n[{"what":"a counter","check":"Adds one"}]\n</asked>\n</finish>\n',
          ),
        ],
      },
    ],
  },
  "openai-responses": {
    provider: "openai.responses",
    turns: [
      {
        text: "Build a counter",
        answers: [
          [
            ...think("A page.", { openai: { itemId: "rs_1", reasoningEncryptedContent: "ZW5j" } }),
            call(
              "write_file",
              { path: "index.html", content: COUNTER },
              { providerMetadata: { openai: { itemId: "fc_1" } } },
            ),
            call(
              "write_file",
              { path: ".treadle/checks.md", content: COUNTER_CHECK },
              { providerMetadata: { openai: { itemId: "fc_2" } } },
            ),
          ],
          [
            ...think("Now a look.", {
              openai: { itemId: "rs_2", reasoningEncryptedContent: "ZW5j" },
            }),
            call("inspect_preview", {}, { providerMetadata: { openai: { itemId: "fc_3" } } }),
          ],
          [done("A counter.", ["a counter", "Adds one"])],
        ],
      },
    ],
  },
  "refused-host": {
    turns: [
      {
        text: "Show the weather from weather.example",
        answers: [
          [
            write(
              "index.html",
              `<!doctype html><html lang="en"><title>Weather</title><h1>Weather</h1><p id="now">Loading</p>
<script>
fetch("https://weather.example/now").then((answer) => answer.text()).then(
  (text) => { document.querySelector("#now").textContent = text; },
  () => { document.querySelector("#now").textContent = "No weather."; },
);
</script></html>
`,
            ),
            write(".treadle/checks.md", '## Says so without weather\n- expect "No weather."\n'),
          ],
          [
            done("The weather, where its host is allowed.", [
              "the weather",
              "Says so without weather",
            ]),
          ],
          [
            done("The weather, where its host is allowed.", [
              "the weather",
              "Says so without weather",
            ]),
          ],
        ],
      },
    ],
  },
  findings: {
    turns: [
      {
        text: "A list with a button to sort it",
        answers: [
          [
            write(
              "index.html",
              `<!doctype html><html lang="en"><title>List</title>
<main><h1>List</h1><ul><li>Milk</li><li>Bread</li></ul>
<button type="button" id="sort">Sort</button> <button type="button">Print all</button></main>
<script>
document.querySelector("#sort").addEventListener("click", () => {
  const list = document.querySelector("ul");
  list.append(...[...list.children].sort((a, b) => a.textContent.localeCompare(b.textContent)));
});
</script></html>
`,
            ),
            write(
              ".treadle/checks.md",
              '## Sorts\n- click button "Sort"\n- expect list to say "Bread\\nMilk"\n',
            ),
            done("A list.", ["a list", "Sorts"]),
          ],
          [done("A list; printing is not built.", ["a list", "Sorts"])],
        ],
      },
    ],
  },
};
