import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSources, type Sources } from "../sources/sources.ts";
import { listFiles } from "./list-files.ts";
import { createManifest } from "./manifest.ts";
import { createSourceReader } from "./source-reader.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "treadle-own-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
const newSources = () => createSources(createSourceReader(root));
const listed = (sources: Sources = newSources()) =>
  listFiles(root, sources, {})
    .files.filter(({ kind }) => kind !== "folder")
    .map(({ path }) => String(path));
const revised = (sources: Sources = newSources()) =>
  createManifest(root, "00", { sources })().changed.map(({ path }) => String(path));
const git = (...words: string[]) => execFileSync("git", words, { cwd: root, stdio: "pipe" });

describe("a project's own files", () => {
  it.each(["coverage", "build", "dist", "out", ".cache", ".vercel", ".output"])(
    "include imported files, in a folder called %s too",
    (name) => {
      put({
        "index.html": `<script type="module" src="/main.js"></script>`,
        "main.js": `import { plan } from "./${name}/plan.js";`,
        [`${name}/plan.js`]: `export * from "./deeper.js";`,
        [`${name}/deeper.js`]: "",
        [`${name}/lcov.info`]: "",
      });
      const own = [`${name}/deeper.js`, `${name}/plan.js`, "index.html", "main.js"];
      expect(listed().toSorted()).toEqual(own.toSorted());
      expect(revised().toSorted()).toEqual(own.toSorted());
    },
  );

  it("lose a file when its import is removed, and regain it with the import", () => {
    put({ "main.js": `import "./build/plan.js";`, "build/plan.js": "" });
    const sources = newSources();
    const look = createManifest(root, "00", { sources });
    const first = look();
    expect(first.changed.map(({ path }) => path)).toContain("build/plan.js");
    put({ "main.js": "" });
    const second = look(first.state);
    expect(second.gone).toEqual(["build/plan.js"]);
    put({ "main.js": `import "./build/plan.js";` });
    const third = look(second.state);
    expect(third.changed.map(({ path }) => path)).toContain("build/plan.js");
    expect(look(third.state)).toMatchObject({ changed: [], gone: [] });
  });

  it("include files written by hand, wherever they are, until they are removed", () => {
    put({
      "build/by-hand.js": "",
      "build/made.js": "",
      ".gitignore": "*.gen.ts\n",
      "a.gen.ts": "",
    });
    const sources = newSources();
    sources.write("build/by-hand.js");
    sources.write("a.gen.ts");
    const own = [".gitignore", "a.gen.ts", "build/by-hand.js"];
    expect(revised(sources)).toEqual(own);
    expect(listed(sources)).toEqual(own);
    sources.remove("build/by-hand.js");
    expect(revised(sources)).toEqual([".gitignore", "a.gen.ts"]);
  });

  it("include files tracked by git, whatever the ignore rules say", () => {
    put({ ".gitignore": "build\nlib/\n", "build/plan.js": "", "lib/a.js": "", "lib/b.js": "" });
    git("init", "-q");
    git("add", "-f", "build/plan.js", "lib/a.js");
    const own = [".gitignore", "build/plan.js", "lib/a.js"];
    expect(listed()).toEqual(own);
    expect(revised()).toEqual(own);
    const sources = newSources();
    expect(revised(sources)).toEqual(own);
    git("add", "-f", "lib/b.js");
    expect(revised(sources)).toContain("lib/b.js");
  });

  it("exclude files ignored by git, by rules of any folder and with negated rules", () => {
    put({
      ".gitignore": "/.wrangler/\n*.tmp.js\nmade/*\n!made/kept.js\n",
      ".wrangler/tmp/dev-1/index.js": "",
      "a.tmp.js": "",
      "made/x.js": "",
      "made/kept.js": "",
      "src/.gitignore": "gen\n!b.tmp.js\n",
      "src/gen/c.ts": "",
      "src/b.tmp.js": "",
      "src/gen2/c.ts": "",
    });
    const own = [".gitignore", "made/kept.js", "src/.gitignore", "src/b.tmp.js", "src/gen2/c.ts"];
    expect(listed()).toEqual(own);
    expect(revised()).toEqual(own);
    const sources = newSources();
    const look = createManifest(root, "00", { sources });
    const { state } = look();
    // Written in place, so that its folder does not change.
    put({ "src/.gitignore": "gen2\n" });
    expect(look(state)).toMatchObject({
      changed: expect.arrayContaining([expect.objectContaining({ path: "src/gen/c.ts" })]),
      gone: expect.arrayContaining(["src/gen2/c.ts"]),
    });
  });

  it("include an imported file that only git ignores, but not one that also has a name of build output", () => {
    put({
      ".gitignore": "generated\ndist\n",
      "main.ts": `import "./generated/client"; import "./dist/server.js";`,
      "generated/client.ts": "",
      "dist/server.js": "",
    });
    expect(revised()).toEqual([".gitignore", "generated/client.ts", "main.ts"]);
  });

  it("include secrets, data, and files that outside programs obey, even if git ignores them", () => {
    put({
      ".gitignore": ".env\n*.db\nuploads\nAGENTS.md\n.vscode\n",
      ".env": "",
      "app.db": "",
      "uploads/cat.png": "",
      "uploads/script.js": "",
      "AGENTS.md": "",
      ".vscode/tasks.json": "{}",
    });
    expect(listed()).toEqual(
      [
        ".env",
        ".gitignore",
        ".vscode/tasks.json",
        "AGENTS.md",
        "app.db",
        "uploads/cat.png",
      ].toSorted(),
    );
    expect(revised()).toEqual([".env", ".gitignore", ".vscode/tasks.json", "AGENTS.md"]);
  });

  it("exclude a virtual environment and a folder marked as a cache, by their content", () => {
    put({
      "env/pyvenv.cfg": "",
      "env/lib/a.py": "",
      "target/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55",
      "target/a.rs": "",
      "src/a.py": "",
    });
    expect(listed()).toEqual(["src/a.py"]);
    expect(listFiles(root, newSources(), {}).files.map(({ path }) => path)).toEqual([
      "src",
      "src/a.py",
    ]);
    expect(revised()).toEqual(["src/a.py"]);
  });

  it("exclude packages and repositories, whoever writes into them", () => {
    put({
      "node_modules/a/index.js": "",
      ".git/config": "",
      "main.js": `import "./node_modules/a/index.js"`,
    });
    const sources = newSources();
    sources.write("node_modules/a/index.js");
    expect(revised(sources)).toEqual(["main.js"]);
  });
});

const part = fc.constantFrom(
  "build",
  "src",
  "coverage",
  "a.js",
  "b.ts",
  "c.png",
  ".env",
  ".gitignore",
  "x",
);
const file = fc.record({
  path: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
  text: fc.constantFrom(
    "",
    "*\n",
    "build\n!b.ts\n",
    "/x\n*.png\n",
    `import "./build/a.js"`,
    `import "@/coverage/b"`,
  ),
  byHand: fc.boolean(),
});

it("are the same for the list, a revision, single paths and later looks", () => {
  fc.assert(
    fc.property(fc.array(fc.array(file, { maxLength: 6 }), { maxLength: 3 }), (rounds) => {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(root);
      const sources = newSources();
      const look = createManifest(root, "00", { sources });
      const byHand = new Set<string>();
      for (const round of rounds) {
        for (const { path, text, byHand: isByHand } of round) {
          try {
            put({ [path]: text });
            if (isByHand) sources.write(path);
            if (isByHand) byHand.add(path);
          } catch {
            // The path is a folder, or its parent is a file.
          }
        }
        look();
      }
      const fresh = newSources();
      fresh.setWritten(byHand);
      const found = revised(fresh);
      expect(look().changed.map(({ path }) => String(path))).toEqual(found);
      expect(found.filter((path) => fresh.kindOf(path) !== "source")).toEqual([]);
      const shown = listed(fresh);
      expect(shown.filter((path) => fresh.kindOf(path) === "source").toSorted()).toEqual(
        found.toSorted(),
      );
    }),
    { numRuns: 60 },
  );
});

it("include a link to the parent folder without following it", () => {
  put({ "src/a.js": "" });
  symlinkSync("..", join(root, "src/up"));
  expect(listed()).toEqual(["src/a.js", "src/up"]);
  expect(revised()).toEqual(["src/a.js", "src/up"]);
});
