import { afterAll, beforeAll, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { startGitServer, type GitServer } from "./support/git-server.ts";
import { setStage, type Stage } from "./support/stage.ts";

const PASSWORD = "horse-battery";
let { page, person, treadle } = {} as Stage;
let server: GitServer;
beforeAll(async () => {
  server = await startGitServer({ user: "ada", password: PASSWORD });
  server.create("tool", { "tool.py": "print('hello')\n" });
});
afterAll(() => server.close());
setStage(
  { env: () => ({ TREADLE_GIT_CLIENT_IDS: `http://${server.host}=Ov23abc` }), page: {} },
  (stage) => void ({ page, person, treadle } = stage),
);

it("opens a repository from the first page, asks for missing information and shows notes", async () => {
  await person.open();
  await page.getByRole("button", { name: "git address" }).click();
  const address = page.getByRole("textbox", { name: "Address of a git repository" });
  await address.fill("file:///etc/passwd");
  await address.press("Enter");
  await page.getByRole("alert").getByText("That is not the address of a repository.").waitFor();
  await address.fill(server.url("tool"));
  await address.press("Enter");
  await page.getByText("is on this machine or its network").waitFor();
  await page.getByRole("button", { name: "Yes, ask it" }).click();
  await page.getByText("needs a name and a password").waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("ada");
  await page.getByLabel("Password or token").fill(PASSWORD);
  await picture(page, "clone-login");
  await page.getByLabel("Password or token").press("Enter");
  await page.getByText("It is not a web app").waitFor();
  await picture(page, "clone-notes");
  await page.getByRole("link", { name: "Open the project" }).click();
  await page.waitForURL(/\/p\//);
  await person.tab("Code");
  await page.getByText("tool.py").first().waitFor();
  // The login was sent to that server only, and is stored for it.
  expect(server.asked.at(-1)?.authorization).toMatch(/^Basic /);
});

/** Writes a file as a user of the page would. */
async function put(path: string, text: string): Promise<void> {
  const address = `/api/projects/${person.projectId()}/files/${path}`;
  const now = await treadle.api(address);
  const { version } = (await now.json()) as { version?: string };
  const written = await treadle.api(address, {
    method: "PUT",
    headers: version === undefined ? { "if-none-match": "*" } : { "if-match": version },
    body: JSON.stringify({ text }),
  });
  expect(written.ok).toBe(true);
}

it("pushes and pulls from the page; conflicts are shown and resolved there", async () => {
  await page.getByRole("button", { name: /^Project / }).click();
  await page.getByRole("menuitem", { name: "Git repository" }).click();
  const dialog = page.getByRole("dialog", { name: "Git repository" });
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  await dialog.getByText(server.url("tool")).waitFor();
  await dialog.getByText("The login of ada is kept for it.").waitFor();
  await put("mine.txt", "mine\n");
  await press("Push");
  await dialog.getByText("Pushed 1 commit.").waitFor();
  expect(server.git("tool", "show", "main:mine.txt")).toBe("mine");

  server.commit("tool", { "tool.py": "print('theirs')\n", "new.txt": "new\n", "mine.txt": null });
  await put("tool.py", "print('mine')\n");
  await put("mine.txt", "mine again\n");
  await press("Push");
  await dialog.getByRole("alert").getByText("Somebody else has pushed").waitFor();
  await press("Pull");
  const tool = dialog.getByRole("group", { name: "tool.py" });
  await tool.getByText("print('mine')").waitFor();
  await tool.getByText("print('theirs')").waitFor();
  const removed = dialog.getByRole("group", { name: "mine.txt" });
  await removed.getByText("(not there)").waitFor();
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, `git-conflicts-${width}-${colorScheme}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const settle = dialog.getByRole("button", { name: "Pull with these" });
  await removed.getByRole("button", { name: "Take mine" }).click();
  await tool.getByRole("button", { name: "Edit both" }).click();
  await dialog.getByText("1 file has no answer yet.").waitFor();
  expect(await settle.isDisabled()).toBe(true);
  const both = tool.getByRole("textbox", { name: "Both texts of tool.py" });
  expect(await both.inputValue()).toContain("<<<<<<<");
  await both.fill("print('both')\n");

  // A resolution based on outdated texts changes nothing.
  server.commit("tool", { "tool.py": "print('theirs, later')\n" });
  await settle.click();
  await dialog.getByText("One side was changed meanwhile.").waitFor();
  await tool.getByText("print('theirs, later')").waitFor();
  await removed.getByRole("button", { name: "Take mine" }).click();
  await tool.getByRole("button", { name: "Edit both" }).click();
  await both.fill("print('both, later')\n");
  await settle.click();
  await dialog.getByText(/^Pulled: \d files? changed\.$/).waitFor();
  await press("Push");
  await dialog.getByText(/^Pushed \d commits?\.$|^Everything was already there\.$/).waitFor();
  expect(server.git("tool", "show", "main:tool.py")).toBe("print('both, later')");
  expect(server.git("tool", "show", "main:mine.txt")).toBe("mine again");
  const pulled = await treadle.api(`/api/projects/${person.projectId()}/files/new.txt`);
  expect(((await pulled.json()) as { text: string }).text).toBe("new\n");
});

it("connects another repository, or creates one with a token, which is shown to nobody", async () => {
  const dialog = page.getByRole("dialog", { name: "Git repository" });
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  await press("Forget the login");
  await press("Disconnect");
  server.create("other");
  const there = dialog.getByRole("form", { name: "An existing repository" });
  await there.getByLabel("Address of a git repository").fill(server.url("other"));
  await there.getByRole("button", { name: "Use it" }).click();
  await dialog.getByText("Branch main").waitFor();
  await press("Push");
  await press("Yes, ask it");
  const login = dialog.getByRole("form", { name: "Login" });
  await login.getByLabel("Name", { exact: true }).fill("ada");
  const password = login.getByLabel("Password or token");
  await password.fill("wrong");
  await password.press("Enter");
  await dialog.getByText("The login of ada is kept for it.").waitFor();
  await dialog.getByRole("alert").getByText("needs a name and a password").waitFor();
  await login.getByLabel("Name", { exact: true }).fill("ada");
  await password.fill(PASSWORD);
  await picture(page, "git-login");
  // An interrupted push is reported, and can be retried.
  server.cut(10);
  await password.press("Enter");
  await dialog.getByRole("alert").getByText("Nothing was changed; try again.").waitFor();
  server.cut();
  await press("Push");
  await dialog.getByText(/^Pushed \d commits?\.$/).waitFor();
  expect(server.git("other", "show", "main:mine.txt")).toBe("mine again");

  // SSH needs a key: Treadle's own public key is shown for copying.
  await press("Disconnect");
  await there.getByLabel("Address of a git repository").fill("git@127.0.0.1:ada/tool.git");
  await there.getByRole("button", { name: "Use it" }).click();
  await dialog.getByText(/^ssh-ed25519 \S+ treadle$/).waitFor();
  await picture(page, "git-ssh");
  await press("Disconnect");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByRole("menuitem", { name: "Conversation as Markdown" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Git repository" }).click();
  const made = dialog.getByRole("form", { name: "A new repository" });
  await made.getByLabel("Where").selectOption("Forgejo");
  await made.getByLabel("Address of the server").fill(`http://${server.host}`);
  expect(await made.getByLabel("Name of the repository").inputValue()).toBe("tool");
  await made.getByLabel("Token").fill(PASSWORD);
  expect(await problemsOf(page)).toEqual([]);
  await picture(page, "git-create-390");
  await made.getByRole("button", { name: "Create and push" }).click();
  await made.getByRole("button", { name: "Yes, ask it" }).click();
  await made.getByRole("alert").getByText("already has a repository tool").waitFor();
  await made.getByLabel("Name of the repository").fill("shop");
  await made.getByRole("button", { name: "Create and push" }).click();
  await dialog.getByText(server.url("shop")).waitFor();
  expect(server.git("shop", "show", "main:mine.txt")).toBe("mine again");
  // Neither in an address nor in what the page receives.
  const response = await treadle.api(`/api/projects/${person.projectId()}/git`);
  expect(await response.text()).not.toContain(PASSWORD);
  expect(await page.content()).not.toContain(PASSWORD);
});

it("opens a repository without a default branch at the given branch", async () => {
  server.create("headless", { "index.html": "<h1>hello</h1>\n" });
  server.git("headless", "symbolic-ref", "HEAD", "refs/heads/nowhere");
  await page.setViewportSize({ width: 1440, height: 900 });
  await person.open();
  await page.getByRole("button", { name: "git address" }).click();
  const address = page.getByRole("textbox", { name: "Address of a git repository" });
  await address.fill(server.url("headless"));
  await address.press("Enter");
  await page.getByRole("button", { name: "Yes, ask it" }).click();
  const branch = page.getByRole("textbox", { name: "Branch" });
  await branch.fill("main");
  await branch.press("Enter");
  await page.waitForURL(/\/p\//);
  await person.tab("Code");
  await page.getByText("index.html").first().waitFor();
});

it("opens a pull request from a new branch, after signing in with a code", async () => {
  server.create("ada/cart", { "index.html": "<h1>Cart</h1>\n" });
  const api = server.serveApi("github", "ada/cart");
  api.device = { hasAgreed: false };
  await person.open();
  await page.getByRole("button", { name: "git address" }).click();
  await page.getByRole("textbox", { name: "Address of a git repository" }).fill(server.url("ada/cart")); // prettier-ignore
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Yes, ask it" }).click();
  await page.waitForURL(/\/p\//);
  await put("cart.css", "h1 { color: blue; }\n");
  await page.getByRole("button", { name: /^Project / }).click();
  await page.getByRole("menuitem", { name: "Git repository" }).click();
  const dialog = page.getByRole("dialog", { name: "Git repository" });
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  await dialog.getByText("1 commit to push, nothing to pull").waitFor();

  await press("New branch");
  await dialog.getByLabel("Name of the branch").fill("blue");
  await press("Make it");
  await dialog.getByText("The project is on the new branch blue.").waitFor();
  await press("Push");
  await dialog.getByText("Pushed 1 commit.").waitFor();
  await dialog.getByLabel("Branch", { exact: true }).selectOption("main");
  await dialog.getByText("Switched to main: 1 file changed.").waitFor();
  await dialog.getByLabel("Branch", { exact: true }).selectOption("blue");
  await dialog.getByText("Switched to blue: 1 file changed.").waitFor();

  await press("Forget the login");
  await press("Open a pull request…");
  const form = dialog.getByRole("form", { name: "Pull request" });
  await form.getByLabel("Title").fill("Make it blue");
  await form.getByLabel("Text (Markdown)").fill("It is blue now.");
  const open = form.getByRole("button", { name: "Push and open it" });
  expect(await open.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: /^Sign in at .+ with a code$/ }).click();
  await dialog.getByText("WDJB-MJHT").waitFor();
  for (const [width, height, colorScheme] of [
    [1440, 900, "light"],
    [390, 844, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await dialog.getByText("WDJB-MJHT").scrollIntoViewIfNeeded();
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, `git-sign-in-${width}-${colorScheme}`);
  }
  api.device.hasAgreed = true;
  await dialog.getByText("The login of x-access-token is kept for it.").waitFor();
  await picture(page, "git-pull-request-390-dark");
  await open.click();
  const link = dialog.getByRole("link", { name: /\/pull\/1$/ });
  await link.waitFor();
  expect(api.pulls).toEqual([{ number: 1, title: "Make it blue", body: "It is blue now.", head: "blue", base: "main" }]); // prettier-ignore
  await picture(page, "git-pull-request-open-390-dark");
});
