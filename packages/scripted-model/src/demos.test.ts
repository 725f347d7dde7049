import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { listDemos, startDemoModel, testScript, type TestScript } from "./demos.ts";
import { loadScript } from "./script/load-script.ts";
import type { Script } from "./script/types.ts";
import { createScriptedModel } from "./server/scripted-model.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});

const SCRIPTS: TestScript[] = ["api", "big-file", "change", "early-done", "hopeless", "react-doom"];
const ALL: [string, Script][] = [
  ...listDemos().map((demo): [string, Script] => [demo.id, loadScript(demo.directory)]),
  ...SCRIPTS.map((name): [string, Script] => [name, loadScript(testScript(name))]),
];

interface Message {
  role: string;
  content: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** Talks to a script as the loop does, with made-up results. */
async function talk(url: string, model: string) {
  const messages: Message[] = [];
  return {
    /** The tools that the answer calls, and its text. `result` provides the result of each call. */
    async send(text: string | undefined, result: (tool: string) => string = () => "ok") {
      if (text !== undefined) messages.push({ role: "user", content: text });
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify({
          model,
          messages,
          tools: [{ type: "function", function: { name: "write_file" } }],
        }),
      });
      const answer = (await response.json()) as { choices: { message: Message }[] };
      const message = answer.choices[0]?.message;
      if (message === undefined) throw new Error("no answer");
      messages.push(message);
      const calls = message.tool_calls ?? [];
      for (const call of calls) {
        const content = result(call.function.name);
        messages.push({ role: "tool", tool_call_id: call.id, content });
      }
      return { text: message.content, tools: calls.map((call) => call.function.name) };
    },
  };
}

async function demo(id: string) {
  const model = await startDemoModel({ pace: {} });
  opened.push(model);
  return talk(model.url, id);
}

async function script(name: TestScript) {
  const model = await createScriptedModel({ script: loadScript(testScript(name)) });
  opened.push(model);
  return talk(model.url, name);
}

describe.each(ALL)("the script %s", (_name, played) => {
  test("only edits what it wrote itself, at unique places", () => {
    const files = new Map<string, string>();
    const calls = played.steps.flatMap((step) => step.parts).filter((part) => part.type === "call");
    for (const { tool, input } of calls) {
      const path = String(input["path"]);
      if (tool === "write_file") {
        expect(String(input["content"]).length).toBeGreaterThan(0);
        files.set(path, String(input["content"]));
      }
      if (tool !== "edit_file") continue;
      for (const edit of input["edits"] as { old: string; new: string }[]) {
        expect(files.get(path)?.split(edit.old)).toHaveLength(2);
      }
    }
  });
});

describe("the recorded builds", () => {
  test("are three, with everything that the first page shows of them", () => {
    expect(listDemos().map((each) => each.id)).toEqual(["todo", "api", "repair"]);
    for (const each of listDemos()) {
      expect([each.title, each.prompt, each.about].every((text) => text.length > 5)).toBe(true);
    }
  });

  test.each(["todo", "api"])("%s writes and starts a project, and describes it", async (id) => {
    const talking = await demo(id);
    const { tools } = await talking.send("go");
    expect(tools[0]).toBe("use_template");
    expect(tools.at(-1)).toBe("start_server");
    expect((await talking.send(undefined)).tools).toEqual([]);
    expect((await talking.send("Now make it purple")).text).toMatch(/recording and not a model/);
  });

  test.each(listDemos())(
    "$id writes the files from which its template's server starts",
    ({ directory }) => {
      const calls = loadScript(directory).steps.flatMap((step) => step.parts);
      const input = (tool: string) =>
        calls.flatMap((part) => (part.type === "call" && part.tool === tool ? [part.input] : []));
      const template = new URL(
        `../../workspace/templates/${String(input("use_template")[0]?.["template"])}/`,
        import.meta.url,
      );
      const { scripts } = JSON.parse(readFileSync(new URL("package.json", template), "utf8")) as {
        scripts: { dev: string };
      };
      const entry = scripts.dev === "vite" ? "src/main.tsx" : /src\/\S+$/.exec(scripts.dev)?.[0];
      expect(input("write_file").map(({ path }) => path)).toContain(entry);
      expect(input("start_server")).toEqual([{ command: "npm run dev" }]);
    },
  );

  test("repair fixes its page when it receives evidence, and only then", async () => {
    const talking = await demo("repair");
    await talking.send("go");
    expect((await talking.send(undefined)).tools).toEqual([]);
    const seen = "uncaughtErrors: 1\n • Cannot read properties of undefined (reading 'opens')";
    expect((await talking.send(seen)).tools).toEqual(["edit_file"]);
    expect((await talking.send(undefined)).text).toMatch(/^Mended/);
    expect((await talking.send("Now make it purple")).text).toMatch(/recording and not a model/);
  });

  test("an unknown model is rejected", async () => {
    const model = await startDemoModel();
    opened.push(model);
    const response = await fetch(`${model.url}/v1/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "gpt-9", input: "hi" }),
    });
    expect(response.status).toBe(404);
    const list = (await (await fetch(`${model.url}/v1/models`)).json()) as {
      data: { id: string }[];
    };
    expect(list.data.map((each) => each.id)).toEqual(["todo", "api", "repair"]);
    const tags = (await (await fetch(`${model.url}/api/tags`)).json()) as {
      models: { name: string }[];
    };
    expect(tags.models).toHaveLength(3);
  });
});

describe("small scripts", () => {
  test("react-doom repairs its dependency when npm refuses it", async () => {
    const talking = await script("react-doom");
    await talking.send("go", (tool) =>
      tool === "run_command" ? "npm error 404 'react-doom@19.3.1' is not in this registry" : "ok",
    );
    const { tools } = await talking.send(undefined);
    expect(tools).toEqual(["edit_file", "run_command", "start_server"]);
    expect((await talking.send(undefined)).tools).toEqual([]);
  });

  test("early-done reports that it is done, and continues when evidence contradicts", async () => {
    const talking = await script("early-done");
    await talking.send("go");
    expect((await talking.send(undefined)).text).toMatch(/works/);
    const seen = "SyntaxError: './words.js' does not provide an export named 'heading'";
    expect((await talking.send(seen)).tools).toEqual(["edit_file"]);
    expect((await talking.send(undefined)).text).toMatch(/^Mended/);
  });

  test("hopeless tries three other things, and then gives up", async () => {
    const talking = await script("hopeless");
    await talking.send("go");
    await talking.send(undefined);
    const seen = "does not provide an export named 'heading'";
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await talking.send(seen)).tools).toEqual(["write_file"]);
      expect((await talking.send(undefined)).text).toBe("It works now.");
    }
    expect(await talking.send(seen)).toEqual({
      text: "I do not know what else it could be.",
      tools: [],
    });
  });

  test("change repeats the heading from the message", async () => {
    const talking = await script("change");
    await talking.send("go");
    await talking.send(undefined);
    const diff =
      'changed src/words.js\n-export const heading = "a";\n+export const heading = "Mine";';
    const { text, tools } = await talking.send(`${diff}\n\nMake it blue`);
    expect(text).toContain("“Mine”");
    expect(tools).toEqual(["edit_file"]);
    expect((await talking.send(undefined)).text).toBe("The text is blue.");
  });
});
