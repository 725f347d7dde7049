import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";
import {
  keptPictures,
  PAGE_PICTURES,
  PICTURE_BYTES,
  PICTURES,
  pictureType,
} from "@treadle/pictures";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const png = (size = 100) => {
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, randomBytes(size - start.length)]);
};

async function send(project: string, ...pictures: Buffer[]) {
  const response = await server!.api(`/api/projects/${project}/messages`, {
    json: { text: "Like this", pictures: pictures.map((one) => one.toString("base64")) },
  });
  return { status: response.status, body: await response.text() };
}

it("replaces the oldest pictures of pages, but never those of messages", async () => {
  const project = mkdtempSync(join(tmpdir(), "treadle-pictures-"));
  const pictures = keptPictures(project);
  const taken = keptPictures(project, true);
  const save = async (into: typeof pictures, number: number) => {
    const bytes = Buffer.concat([png(8), Buffer.from(String(number))]);
    const [picture] = await into.save([bytes.toString("base64")]);
    return picture?.hash ?? "";
  };
  const first = await save(pictures, -1);
  const hashes: string[] = [];
  for (let number = 0; number <= PAGE_PICTURES; number++) hashes.push(await save(taken, number));
  const there = await Promise.all([first, ...hashes].map((hash) => pictures.read(hash)));
  expect(there.map((picture) => picture !== undefined)).toEqual([
    true,
    false,
    ...hashes.slice(1).map(() => true),
  ]);
  rmSync(project, { recursive: true });
});

describe("a message's pictures", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n", "image/png"],
    ["\xff\xd8\xff\xe0", "image/jpeg"],
    ["GIF89a", "image/gif"],
    ["RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"],
    ["RIFF\x01\x02\x03\x04WAVEfmt ", undefined],
    ["\x01\x02\x03\x04\x05\x06\x07\x08WEBP", undefined],
    ["<svg xmlns=", undefined],
    ["", undefined],
  ])("are recognised by their bytes: %j", (start, type) =>
    expect(pictureType(Buffer.from(start, "latin1"))).toBe(type),
  );

  it("reach the model with their bytes, and are stored by name only", async () => {
    server = await startTestServer();
    const id = await server.project();
    const picture = png();
    server.turns.splice(0, server.turns.length, async (request, ports) => {
      await ports.save({ ...request.message, metadata: { told: true } });
    });
    expect((await send(id, picture)).status).toBe(202);
    await server.until(id, (event) => event.type === "run-end" && server!.requests.length === 2);
    const url = `data:image/png;base64,${picture.toString("base64")}`;
    expect(server.requests[1]?.message.parts).toContainEqual(
      expect.objectContaining({ type: "file", mediaType: "image/png", url }),
    );
    const stored = JSON.stringify(await server.store.messages.list(id));
    expect(stored).toContain("treadle-picture:");
    expect(stored).toContain('"told":true');
    expect(stored).not.toContain("base64");

    const [sent] = (await server.events(id)).flatMap((event) =>
      event.type === "message" ? (event.pictures ?? []) : [],
    );
    const read = await server.api(`/api/projects/${id}/pictures/${sent?.hash}`);
    expect(Buffer.from(await read.arrayBuffer()).equals(picture)).toBe(true);
    expect(read.headers.get("content-type")).toBe("image/png");
    expect(read.headers.get("content-security-policy")).toContain("sandbox");

    await send(id);
    await server.until(id, (event) => event.type === "run-end" && server!.requests.length === 3);
    expect(JSON.stringify(server.requests[2]?.history)).toContain(url);
  });

  it("are refused with a message if invalid, too large or too many; nothing is sent", async () => {
    server = await startTestServer();
    const id = await server.project();
    const events = (await server.events(id)).length;
    expect(await send(id, Buffer.from("<svg></svg>"))).toMatchObject({
      status: 400,
      body: expect.stringContaining("not a PNG, JPEG, GIF or WebP"),
    });
    expect((await send(id, png(PICTURE_BYTES + 1))).status).toBe(413);
    expect((await send(id, ...Array.from({ length: PICTURES + 1 }, () => png()))).status).toBe(400);
    expect((await server.events(id)).length).toBe(events);
    expect(
      (await send(id, ...Array.from({ length: PICTURES }, () => png(PICTURE_BYTES)))).status,
    ).toBe(202);
  });

  it("are refused before anything is sent if the model is known not to read them", async () => {
    server = await startTestServer();
    server.models.known.add("openai:gpt-3.5-turbo");
    server.models.chosen = "openai:gpt-3.5-turbo";
    const id = await server.project();
    const { status, body } = await send(id, png());
    expect(status).toBe(409);
    expect(body).toContain("gpt-3.5-turbo reads no pictures");
    const first = await server.api("/api/projects", {
      json: { prompt: "Like this", pictures: [png().toString("base64")] },
    });
    expect(first.status).toBe(409);
  });

  it("can only be read by their hash (A18)", async () => {
    server = await startTestServer();
    const id = await server.project();
    for (const name of ["..%2F..%2Frules.md", "x", "%00"])
      expect((await server.api(`/api/projects/${id}/pictures/${name}`)).status).toBe(404);
  });
});
