import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSshServer, whyNoSshd, type SshServer } from "./support/ssh-server.ts";
import { setStage, type Stage } from "./support/stage.ts";

const without = whyNoSshd();

describe.skipIf(without)(`git over ssh, at a real sshd${without ? ` (${without})` : ""}`, () => {
  let { treadle } = {} as Stage;
  let server: SshServer;
  let id: string;
  beforeAll(async () => {
    server = await startSshServer();
    server.create("work", { "index.html": "<h1>Milk</h1>\n" });
  });
  afterAll(() => server.close());
  setStage({ own: true, page: false }, (stage: Stage) => void ({ treadle } = stage));

  async function ask(path: string, body?: object) {
    const response = await treadle.api(path, body && { method: "POST", body: JSON.stringify(body) }); // prettier-ignore
    return (await response.json()) as { error?: { code: string; message: string } } & Record<string, unknown>; // prettier-ignore
  }
  async function clone() {
    const body = JSON.stringify({ url: server.url("work"), local: true });
    const response = await treadle.api("/api/import/git", { method: "POST", body });
    return JSON.parse((await response.text()).trim().split("\n").at(-1)!) as {
      id: string;
      error?: { code: string };
    };
  }
  const projects = async () => ((await ask("/api/projects"))["projects"] as object[]).length;
  const write = (path: string, text: string) =>
    treadle.api(`/api/projects/${id}/files/${path}`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text }),
    });
  const knownHosts = () => readFileSync(join(treadle.data, "git", "known_hosts"), "utf8");

  it("reports a server that does not know the key, and leaves nothing", async () => {
    const { key } = (await ask("/api/git/key", {})) as unknown as { key: string };
    expect(key).toMatch(/^ssh-ed25519 /);
    server.knows(key.replace(/.{8} treadle$/, "AAAAAAAA other"));
    const before = await projects();
    expect((await clone()).error).toMatchObject({ code: "git-login" });
    expect(await projects()).toBe(before);
  });

  it("clones with the key, and stores the host's key on first contact", async () => {
    const { key } = (await ask("/api/git/key", {})) as unknown as { key: string };
    server.knows(key);
    ({ id } = await clone());
    expect(await ask(`/api/projects/${id}/files/index.html`)).toMatchObject({
      text: "<h1>Milk</h1>\n",
    });
    expect(knownHosts()).toMatch(/^\[127\.0\.0\.1\]:\d+ ssh-ed25519 /m);
  });

  it("pushes with the key, does not overwrite a moved branch, and pulls", async () => {
    await write("mine.txt", "mine\n");
    expect(await ask(`/api/projects/${id}/git/push`, {})).toMatchObject({ pushed: 1 });
    expect(server.git("work", "show", "main:mine.txt")).toBe("mine");
    server.commit("work", { "theirs.txt": "theirs\n" });
    await write("more.txt", "more\n");
    expect((await ask(`/api/projects/${id}/git/push`, {})).error?.code).toBe("git-moved");
    expect(await ask(`/api/projects/${id}/git/pull`, {})).toMatchObject({ state: "pulled" });
    expect((await ask(`/api/projects/${id}/git/push`, {})).error).toBeUndefined();
    expect(server.git("work", "show", "main:theirs.txt")).toBe("theirs");
    expect(server.git("work", "show", "main:more.txt")).toBe("more");
  });

  it("does not connect to a host with a changed key, and says what to do", async () => {
    await server.becomesAnother();
    const known = knownHosts();
    await write("secret.txt", "for the first one alone\n");
    const { error } = await ask(`/api/projects/${id}/git/push`, {});
    expect(error?.code).toBe("git-host-key");
    expect(error?.message).toContain("known_hosts");
    expect(knownHosts()).toBe(known);
    expect(server.git("work", "ls-tree", "--name-only", "main")).not.toContain("secret.txt");
  });
});
