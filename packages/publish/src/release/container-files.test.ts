import { describe, expect, it } from "vitest";
import { DATABASE_NAMES } from "@treadle/workspace";
import { parse } from "yaml";
import { containerFiles, siteFiles } from "./container-files.ts";

const filesFor = (names: string[], more: Partial<Parameters<typeof containerFiles>[0]> = {}) =>
  containerFiles({ scripts: {}, dependencies: {}, has: (name) => names.includes(name), ...more }) as Record<string, string>; // prettier-ignore

describe("an app in a container", () => {
  const files = filesFor(["package.json", "package-lock.json"], {
    scripts: { start: "node server.js", build: "tsc" },
    data: ["data/app.db", "guests.db", "uploads/1.png", "odd name.db", "../out.db"],
  });

  it("is installed, built and started as an unprivileged user, with a health check", () => {
    expect(files["Dockerfile"]).toMatch(/RUN npm ci\nRUN npm run build\n[^]*USER node\nHEALTHCHECK .*\nCMD npm run start\n$/); // prettier-ignore
  });

  it("stores its data on a volume, wherever it writes", () => {
    expect(files["Dockerfile"]).toContain("VOLUME /app/data\n");
    expect(files["compose.yaml"]).toContain("- data:/app/data\n\nvolumes:\n  data:\n");
    expect(files["Dockerfile"]).toContain(
      "{ [ -e guests.db ] || ln -s data/guests.db guests.db; }",
    );
    expect(files["Dockerfile"]).toContain(
      "mkdir -p data/uploads && { [ -e uploads ] || ln -s data/uploads uploads; }",
    );
    expect(files["Dockerfile"]).not.toMatch(/odd name|out\.db/);
    expect(files[".dockerignore"]).toContain("\ndata\n");
  });

  it("excludes data of the preview, and has a place for data within a folder of sources", () => {
    const data = ["public/uploads/1.png", "public/uploads/2.png", "public/seen.json", "guests.db"];
    const made = filesFor(["package.json", "public/index.html", "public/seen.json", ...data], {
      scripts: { start: "node server.js" },
      data,
      names: new Set(["package.json", "public/index.html", ...data]),
    });
    const [line = ""] = /^RUN mkdir -p data.*$/m.exec(made["Dockerfile"]!) ?? [];
    expect(line.match(/ln -s \S+ [^;]+/g)).toEqual([
      "ln -s ../data/public/uploads public/uploads",
      "ln -s ../data/public/seen.json public/seen.json",
      "ln -s data/guests.db guests.db",
    ]);
    expect(made[".dockerignore"]).toMatch(
      /\npublic\/uploads\npublic\/seen\.json\nguests\.db\nguests\.db-\*\n$/,
    );
  });

  it("has a place for data in a folder kept for it, and may write where it was observed to", () => {
    const data = ["public/seen.json"];
    const made = filesFor(["package.json"], {
      scripts: { start: "node server.js" },
      data,
      names: new Set([".gitignore", "package.json", "public/index.html", "uploads/.gitkeep", "public/.gitkeep", "data/.gitkeep", ...data]), // prettier-ignore
    });
    const [line = ""] = /^RUN mkdir -p data.*$/m.exec(made["Dockerfile"]!) ?? [];
    expect(line.match(/ln -s \S+ [^;]+/g)).toEqual([
      "ln -s ../data/public/seen.json public/seen.json",
      "ln -s data/uploads uploads",
    ]);
    expect(line).toMatch(/ && chown node:node \. public && chown -R node:node data$/);
    expect(made[".dockerignore"]).toMatch(/\npublic\/seen\.json\nuploads\n$/);
  });

  it.each([
    ["package-lock.json", '"dependencies": {\n  "node-addon-api": "^8.0.0"\n}'],
    ["yarn.lock", '"prebuild-install@npm:^7.1.1":\n  version: 7.1.1\n'],
    ["pnpm-lock.yaml", "packages:\n\n  bindings@1.5.0:\n"],
  ])("compiles packages that %s says have to be, and leaves the compiler behind", (name, lock) => {
    const scripts = { start: "node ." };
    const docker = filesFor(["package.json", name], { scripts, lock })["Dockerfile"]!;
    expect(docker).toMatch(/ AS build\n[^]*install .*g\+\+ make python3[^]*COPY \. \.\n[^]*FROM \S+ AS app\nWORKDIR \/app\nCOPY --from=build \/app \.\nENV /); // prettier-ignore
    const site = filesFor(["package.json", name], { scripts: { build: "vite build" }, lock });
    expect(site["Dockerfile"]).toContain("COPY --from=build /site /site");
    const other = lock.replaceAll(/node-addon-api|prebuild-install|bindings/g, "esbuild");
    const plain = filesFor(["package.json", name], { scripts, lock: other })["Dockerfile"];
    expect(plain).not.toMatch(/g\+\+|AS build/);
  });

  it("gets permissions and secrets only from its owner", () => {
    expect(files["compose.yaml"]).toMatch(/no-new-privileges:true\n[^]*cap_drop:\n {6}- ALL/);
    expect(files["compose.yaml"]).toContain("path: .env");
    expect(files[".dockerignore"]).toContain(".env*\n");
  });

  it("is accompanied by PostgreSQL if it uses it, with a password that somebody has to choose", () => {
    const { services, volumes } = parse(
      filesFor(["package.json"], { scripts: { start: "node ." }, postgres: true })["compose.yaml"]!,
    );
    expect(Object.keys(volumes)).toEqual(["data", "database"]);
    expect(services.app.depends_on).toEqual({ db: { condition: "service_healthy" } });
    expect(services.app.environment).toMatchObject({
      PGHOST: "db",
      PGPASSWORD: "${POSTGRES_PASSWORD}",
    });
    const names = Object.keys(services.app.environment);
    expect(names.toSorted()).toEqual([...DATABASE_NAMES].filter((name) => name !== "PGSSLMODE").toSorted()); // prettier-ignore
    expect(services.db.environment.POSTGRES_PASSWORD).toMatch(
      /^\$\{POSTGRES_PASSWORD:\?.*\.env\}$/,
    );
    expect(services.db.ports).toBeUndefined();
    expect(Object.keys(parse(files["compose.yaml"]!).services)).toEqual(["app"]);
  });
});

it("a site is served by a small web server, without volume and secrets", () => {
  const files = siteFiles();
  expect(Object.keys(files)).toEqual(["Dockerfile", ".dockerignore", "compose.yaml", "nginx.conf"]);
  expect(files["Dockerfile"]).toMatch(/FROM \$\{SITE_IMAGE\}\nCOPY \. \/site\n[^]*USER 101\n/);
  expect(files["compose.yaml"]).not.toMatch(/volumes|env_file/);
  expect(files["nginx.conf"]).toContain("location ~ /\\.(?!well-known/) {\n    return 404;");
  // The built files are served.
  expect(files[".dockerignore"]).not.toMatch(/^(?:dist|build|out|data)$/m);
});
