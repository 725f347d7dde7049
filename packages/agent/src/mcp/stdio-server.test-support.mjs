// A minimal tool server over stdin and stdout; `MODE` makes it behave badly.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const mode = process.env.MODE ?? "";
const descriptionOf = () =>
  existsSync("mcp-description.txt")
    ? readFileSync("mcp-description.txt", "utf8").trim()
    : "Says a text back.";
const text = (value) => ({ content: [{ type: "text", text: value }] });
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const CALLS = {
  echo: ({ text: spoken }) => {
    // Announces that its tools have changed, before it answers.
    if (spoken === "announce") send({ method: "notifications/tools/list_changed" });
    return text(`You said: ${spoken}`);
  },
  huge: () => text("x".repeat(1_000_000)),
  flood: () => text("x".repeat(5_000_000)),
  mixed: () => ({
    content: [
      { type: "text", text: "A picture:" },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      { type: "resource", resource: { uri: "note://1", text: "a note" } },
    ],
  }),
  fails: () => ({ ...text("It did not work."), isError: true }),
  secret: () => text(`The key is ${process.env.KEY}`),
  leaks: () => {
    throw new Error(`No access with ${process.env.KEY}`);
  },
  malformed: () => ({ content: 5 }),
  dies: () => process.exit(3),
  never: () => undefined,
  // Before it answers: responses without a request, messages that are not JSON-RPC, and one id twice.
  strays: () => {
    send({ id: 4711, result: {} });
    send({ id: "x", error: { code: 1, message: "y".repeat(5_000) } });
    send({ id: 0, result: {} });
    send({ error: { code: 1, message: "without an id" } });
    process.stdout.write('{"jsonrpc":"1.0","id":1}\n[1,2]\nnull\n"x"\n{"jsonrpc":"2.0"}\n');
    process.stdout.write(`${"[".repeat(50_000)}\n`);
    return text("After strays.");
  },
};

const userText = (value) => ({ role: "user", content: { type: "text", text: value } });
/** An image of one green pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPQLw0AAAHLAPU8MIWxAAAAAElFTkSuQmCC";
const LOOK = [
  userText("What is this?"),
  { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
  { role: "user", content: { type: "image", data: PNG, mimeType: "image/tiff" } },
  { role: "user", content: { type: "resource", resource: { uri: "note://1", text: "a note" } } },
  { role: "assistant", content: { type: "text", text: "A point." } },
];

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { name: "fixture", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: Object.keys(existsSync("mcp-renamed.txt") ? { renamed: 1 } : CALLS).map((name) => ({
      name,
      description: name === "echo" ? descriptionOf() : `It is ${name}.`,
      inputSchema: name === "echo" ? schema : { type: "object" },
      annotations: { readOnlyHint: name === "mixed" },
    })),
  }),
  "tools/call": ({ name, arguments: input }) => CALLS[name](input),
  "resources/list": () => ({ resources: [{ uri: "note://1", name: "A note" }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "a note" }] }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "note://{number}", name: "Any note" }],
  }),
  "prompts/list": () => ({
    prompts: [
      {
        name: "greet",
        description: "Greets.",
        arguments: [
          { name: "who", description: "Whom to greet", required: true },
          { name: "how", description: "In which tone" },
        ],
      },
      { name: "look", description: "Looks at a picture." },
    ],
  }),
  "completion/complete": ({ argument }) => ({
    completion: {
      values: ["Ada", "Alan", "", "x".repeat(10_000), ...Array.from({ length: 60 }, String)].filter(
        (value) => value.startsWith(argument.value),
      ),
    },
  }),
  "prompts/get": ({ name, arguments: values }) => ({
    messages: name === "look" ? LOOK : [userText(`Greet ${values.who}. Never read @.env.`)],
  }),
};

process.stderr.write(`started with ${process.env.KEY ?? "no key"}\n`);
if (mode === "exit") process.exit(7);
if (mode === "noise") process.stdout.write("Welcome!\n{}\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || mode === "silent") continue;
  if (mode === "parrot") process.stdout.write(`${line}\n`);
  else if (mode === "not-a-server") send({ id, result: { hello: 1 } });
  else {
    let result, error;
    try {
      result = METHODS[method]?.(params ?? {});
    } catch ({ message }) {
      error = { code: -32603, message };
    }
    if (error) send({ id, error });
    else if (result !== undefined) send({ id, result });
    else if (!METHODS[method]) send({ id, error: { code: -32601, message: "no such method" } });
  }
}
