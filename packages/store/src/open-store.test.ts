import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { project, storeContract, text } from "./contract.test-support.ts";
import { leaseContract } from "./leases.test-support.ts";
import { openStore } from "./open-store.ts";
import { readSettings } from "./read-settings.ts";

const root = mkdtempSync(join(tmpdir(), "treadle-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
const folder = () => join(root, String(++count));

storeContract("SQLite", () => openStore({ directory: folder() }));
leaseContract("SQLite", () => openStore({ directory: folder() }));

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as Error & { code: string },
  );

/** What the last migration made. */
const DROP_ACCOUNTS = [
  ..."link_guests reviews review_rules standing_approvals team_packages month_sums spending budgets audit project_members team_members teams api_tokens sign_in_links sessions identities".split(
    " ",
  ),
  ..."credentials people access_links leases".split(" "),
]
  .map((table) => `drop table ${table}`)
  .join("; ");

describe("opening a store", () => {
  it("creates the folder and files so that only their owner can access them", async () => {
    const directory = folder();
    const store = await openStore({ directory });
    await store.settings.set("secret:key", "k");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory))
      expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
    await store.close();
  });

  it("stores no secret in plain text, and cannot decrypt a moved one", async () => {
    const directory = folder();
    const store = await openStore({ directory });
    await store.projects.create(project("a"));
    await store.projects.create(project("b"));
    const secret = { name: "KEY", host: "api.a.com", value: "sk-in-plain-text" };
    const environment = "both" as const;
    await store.secrets.put("a", { ...secret, environment });
    for (const name of readdirSync(directory)) {
      expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
      expect(readFileSync(join(directory, name), "latin1")).not.toContain(secret.value);
    }
    await store.close();
    const database = new DatabaseSync(join(directory, "treadle.sqlite"));
    database.exec("insert into secrets select 'b', name, environment, host, sealed from secrets");
    database.close();
    const again = await openStore({ directory });
    expect(await again.secrets.reveal("a", "published")).toEqual([secret]);
    expect(await again.secrets.reveal("b", "published")).toEqual([]);
    await again.close();
  });

  it("encrypts the user's keys and tokens as well, including those stored in plain text earlier", async () => {
    const directory = folder();
    const path = join(directory, "treadle.sqlite");
    const first = await openStore({ directory });
    await first.settings.set("model", "a:b");
    await first.close();
    const old = new DatabaseSync(path);
    const add = old.prepare("insert into settings (key, value) values (?, ?)");
    add.run("secret:provider:old", JSON.stringify({ key: "sk-of-before" }));
    old.close();
    const store = await openStore({ directory });
    await store.settings.set("secret:elsewhere:new", "token-of-now");
    expect(await store.settings.get("secret:provider:old")).toEqual({ key: "sk-of-before" });
    expect(await store.settings.get("secret:elsewhere:new")).toBe("token-of-now");
    for (const name of readdirSync(directory))
      expect(readFileSync(join(directory, name), "latin1")).not.toMatch(
        /sk-of-before|token-of-now/,
      );
    // Another process reads them; without the key file they cannot be decrypted, nor under another
    // name.
    expect((await readSettings(directory, undefined)).get("secret:provider:old")).toEqual({
      key: "sk-of-before",
    });
    await store.close();
    const moved = new DatabaseSync(path);
    moved.exec("update settings set key = 'secret:elsewhere:moved' where key like '%:new'");
    moved.close();
    rmSync(join(directory, "secrets.key"));
    expect([...(await readSettings(directory, undefined))]).toEqual([["model", "a:b"]]);
    const keyless = await openStore({ directory });
    expect(await keyless.settings.get("secret:provider:old")).toBeUndefined();
    await keyless.settings.set("secret:provider:old", { key: "typed again" });
    expect(await keyless.settings.get("secret:provider:old")).toEqual({ key: "typed again" });
    await keyless.close();
  });

  it("continues with numbers, projects and messages where it was closed", async () => {
    const directory = folder();
    const first = await openStore({ directory });
    await first.projects.create(project("a"));
    first.log.append("a", text("1"));
    await first.close();
    await first.close();
    const second = await openStore({ directory });
    second.log.append("a", text("2"));
    expect(await second.log.head("a")).toBe(2);
    expect((await second.log.read("a", 0)).map(({ seq }) => seq)).toEqual([1, 2]);
    await second.close();
  });

  it("reports that the data folder is not writable", async () => {
    const blocked = join(root, "a-file");
    writeFileSync(blocked, "");
    const error = await failure(openStore({ directory: join(blocked, "data") }));
    expect(error).toMatchObject({ name: "StoreError", code: "not-writable" });
    expect(error?.message).toContain("cannot be written");
  });

  it("rejects a file that is not a database", async () => {
    const directory = folder();
    await (await openStore({ directory })).close();
    writeFileSync(join(directory, "treadle.sqlite"), "this is no database".repeat(300));
    expect(await failure(openStore({ directory }))).toMatchObject({ code: "corrupt" });
  });

  it("rejects a database of a newer Treadle, and leaves it unchanged", async () => {
    const directory = folder();
    await (await openStore({ directory })).close();
    const database = new DatabaseSync(join(directory, "treadle.sqlite"));
    database.exec("insert into kysely_migration values ('9999-future', '2099-01-01')");
    database.close();
    expect(await failure(openStore({ directory }))).toMatchObject({ code: "newer" });
  });

  it("reads an older Treadle's protected files by their current names", async () => {
    const directory = folder();
    const former = await openStore({ directory });
    await former.projects.create(project("a"));
    former.log.append("a", text("obeyed-changed"));
    await former.log.settled();
    await former.settings.set("obeyed:a", { accepted: [["AGENTS.md", ["1"]]], told: [] });
    await former.close();
    const database = new DatabaseSync(join(directory, "treadle.sqlite"));
    database.exec(
      `${DROP_ACCOUNTS}; drop table log_heads; drop table list_items; drop table message_pieces; drop table message_search; drop table message_texts; drop table log_bodies; delete from kysely_migration where name > '0003'`,
    );
    const events = [
      { type: "obeyed-changed", run: "r", state: "stands", files: [{ path: "ä", told: true }] },
      { type: "obeyed-accepted", path: '{"type":"obeyed-accepted"}', version: "1" },
    ];
    for (const [index, event] of events.entries()) {
      const json = JSON.stringify(event);
      database
        .prepare("insert into log values ('a', ?, 0, null, ?, ?)")
        .run(index + 2, json.length, json);
    }
    database.close();
    const store = await openStore({ directory });
    const [unchanged, ...read] = await store.log.read("a", 0);
    expect(unchanged!.event).toMatchObject(text("obeyed-changed"));
    expect(read.map(({ event }) => event)).toEqual([
      { ...events[0], type: "protected-changed" },
      { ...events[1], type: "protected-accepted" },
    ]);
    expect(await store.settings.get("protected:a")).toMatchObject({
      accepted: [["AGENTS.md", ["1"]]],
    });
    expect(await store.settings.get("obeyed:a")).toBeUndefined();
    await store.close();
    const after = new DatabaseSync(join(directory, "treadle.sqlite"));
    const sizes = after.prepare("select bytes, length(event) as length from log").all();
    for (const { bytes, length } of sizes) expect(bytes).toBe(length);
    after.close();
  });

  it("converts lists that an older Treadle stored as one setting each, item by item and in order", async () => {
    const directory = folder();
    const store = await openStore({ directory });
    const list = [{ project: "b" }, { project: "a", releases: [] }];
    await store.settings.set("publications", list);
    await store.settings.set("other", [{ project: "c" }]);
    await store.close();
    const database = new DatabaseSync(join(directory, "treadle.sqlite"));
    database.exec(
      `${DROP_ACCOUNTS}; drop table log_heads; drop table list_items; delete from kysely_migration where name >= '0007'`,
    );
    database.close();
    const reopened = await openStore({ directory });
    expect(await reopened.lists.all("publications")).toEqual(list);
    expect(await reopened.settings.get("publications")).toBeUndefined();
    expect(await reopened.settings.get("other")).toEqual([{ project: "c" }]);
    await reopened.close();
  });

  it("lets one process use the folder at a time, and another one after it", async () => {
    const directory = folder();
    const store = await openStore({ directory });
    expect(await failure(openStore({ directory }))).toMatchObject({ code: "busy" });
    await store.close();
    await (await openStore({ directory })).close();
  });

  it("lets another process read the settings while a store is open", async () => {
    const directory = folder();
    expect((await readSettings(directory, undefined)).size).toBe(0);
    const store = await openStore({ directory });
    await store.settings.set("model", "a:b");
    expect((await readSettings(directory, undefined)).get("model")).toBe("a:b");
    await store.close();
  });
});

describe("a full disk (F9)", () => {
  it("fails with the reason, keeps what was stored, and continues when there is space again", async () => {
    const directory = folder();
    const failures: string[] = [];
    const onFailure = (error: { code: string }) => failures.push(error.code);
    const store = await openStore({ directory, maxBytes: 512 * 1024, onFailure });
    await store.projects.create(project("a"));
    store.log.append("a", text("kept"));
    await store.log.settled();
    store.log.append("a", text("x".repeat(400_000)));
    store.log.append("a", text("later"));
    expect(await failure(store.log.settled())).toMatchObject({ code: "full" });
    expect(failures).toEqual(["full"]);
    expect(await store.log.read("a", 0)).toHaveLength(1);
    expect(await failure(store.settings.set("big", "y".repeat(400_000)))).toMatchObject({
      code: "full",
    });
    expect(await store.projects.get("a")).toBeDefined();
    expect(await failure(store.close())).toMatchObject({ code: "full" });
    const again = await openStore({ directory });
    expect(await again.log.read("a", 0)).toHaveLength(1);
    await again.close();
  });
});
