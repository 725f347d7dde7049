import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

const SONNET = "claude-sonnet-5-5";
const OPUS = "claude-opus-5-5";

let { model, page, person } = {} as Stage;
let stage: Stage;
setStage(
  {
    script: scriptNamed("thoughts"),
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "test",
      TREADLE_MODEL: `anthropic:${SONNET}`,
    }),
  },
  (opened) => {
    stage = opened;
    ({ model, page, person } = opened);
  },
);

const chip = () => page.getByRole("button", { name: /^Model: / });
const setting = (name: string) => page.getByRole("combobox", { name, exact: true });
async function choices(name: string): Promise<string[]> {
  await setting(name).waitFor();
  return setting(name).locator("option").allTextContents();
}

interface Block {
  type: string;
  thinking?: string;
  signature?: string;
}
/** The model's thoughts in a request, as they were sent. */
const thoughts = (body: Record<string, unknown> = {}) =>
  (body["messages"] as { content: Block[] | string }[]).flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter(({ type }) => type === "thinking"),
  );
/** Sends a message, and returns the last request of the following turn. */
async function sendAndRead(words: string): Promise<Record<string, unknown> | undefined> {
  const before = model.requests.length;
  await person.sendMessage(words);
  await expect
    .poll(() =>
      model.requests.slice(before).some(({ body }) => JSON.stringify(body).includes(words)),
    )
    .toBe(true);
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
  return model.requests.at(-1)?.body;
}
async function choose(name: string): Promise<void> {
  await chip().click();
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("button", { name: `Model: ${name}` }).waitFor();
}

const blocks = [
  { type: "thinking", thinking: "One page is enough." },
  { type: "thinking", thinking: "It stands there." },
].map((thought) => ({ ...thought, signature: expect.stringMatching(/./) as string }));

it("is selected under the model's name, with how long its prompt is cached, and both are remembered", async () => {
  await person.open();
  await chip().click();
  expect(await choices("Thinking")).toEqual(["as it likes", "off", "a little", "a lot"]);
  expect(await choices("Prompt cache")).toEqual(["as usual", "off", "short", "long"]);
  await setting("Thinking").selectOption("high");
  await expect.poll(() => setting("Thinking").inputValue()).toBe("high");
  await setting("Prompt cache").selectOption("long");
  await expect.poll(() => setting("Prompt cache").inputValue()).toBe("long");
  await page.reload();
  await chip().click();
  await expect.poll(() => setting("Thinking").inputValue()).toBe("high");
  await expect.poll(() => setting("Prompt cache").inputValue()).toBe("long");
  await picture(page, "thinking-chooser");
  await page.keyboard.press("Escape");
});

it("is sent to the provider as selected, and signed thoughts are returned to it after a call", async () => {
  await person.ask("A page that says Milk");
  await page.getByText("It says Milk.").waitFor();
  const [first, second] = model.requests.map(({ body }) => body);
  expect(first).toHaveProperty("thinking");
  expect(JSON.stringify(first)).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}');
  expect(thoughts(second)).toEqual(blocks.slice(0, 1));
});

it("is sent to no other model, and to the same one again, also after a restart of the server", async () => {
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
  expect(thoughts(await sendAndRead("What does it say?"))).toEqual(blocks);
  await choose(OPUS);
  expect(thoughts(await sendAndRead("And now?"))).toEqual([]);
  const path = new URL(page.url()).pathname;
  await stage.treadle.kill("SIGTERM");
  const treadle = await stage.restart();
  await page.goto(treadle.address);
  await page.goto(`${treadle.origin}${path}`);
  await choose(SONNET);
  expect(thoughts(await sendAndRead("Once more?"))).toEqual(blocks);
});
