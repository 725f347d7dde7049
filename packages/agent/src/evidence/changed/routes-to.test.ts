import type { ProjectPath } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { parse as routesIn } from "./routes-in.parser.ts";
import { routesTo } from "./routes-to.ts";

const TABLE = `import Home from "./pages/Home";
const About = lazy(() => import("./pages/About"));
export const router = createBrowserRouter([
  { path: "/", element: <Root />, children: [
    { path: "about", element: <Suspense><About /></Suspense> },
    { path: "shop/:id", element: <Home /> },
  ] },
]);
`;

describe("the route of a component", () => {
  it("is not an event name before a function", () => {
    const text = `canvas.addEventListener("click", add); socket.on("message", (one) => add(one)); app.get("/added", add);`;
    expect(routesIn(text, "src/main.js", { names: ["add"] })).toEqual(["/added"]);
  });

  it("is found in a router's table, with lazy and eager imports", () => {
    const from = (target: string) => routesIn(TABLE, "src/App.jsx", { target });
    expect(from("src/pages/About.jsx")).toEqual(["/about"]);
    expect(from("src/pages/Home.jsx")).toEqual(["/shop/:id"]);
    expect(from("src/other/About.jsx")).toEqual([]);
  });

  it("is found on the elements of a router, nested ones too", () => {
    const text = `import { Cart } from "@/Cart";
export default () => <Routes><Route path="shop" element={<L />}>
  <Route path="cart" element={<Cart />} /></Route><Route path="/x" element={<L />} /></Routes>;`;
    expect(routesIn(text, "src/App.tsx", { target: "src/Cart.tsx" })).toEqual(["/shop/cart"]);
  });

  it("is found in a table of files", () => {
    const text = `export default [route("docs", "routes/docs.tsx"), { path: "/v", component: () => import("./V.vue") }];`;
    expect(routesIn(text, "app/routes.ts", { target: "app/routes/docs.tsx" })).toEqual(["/docs"]);
    expect(routesIn(text, "app/routes.ts", { target: "app/V.vue" })).toEqual(["/v"]);
  });

  it("is found through the files that import it, and ignored if it takes parameters", async () => {
    const workspace = createFakeWorkspace({
      files: {
        "src/App.jsx": TABLE,
        "src/pages/About.jsx": 'import Team from "../Team";\nexport default () => <Team />;\n',
        "src/pages/Home.jsx": "export default () => <p />;\n",
        "src/Team.jsx": "export default function Team() {}\n",
      },
    });
    const to = (path: string) => routesTo(workspace, path as ProjectPath, [], []);
    expect(await to("src/Team.jsx")).toEqual(["/about"]);
    expect(await to("src/pages/Home.jsx")).toEqual([]);
  });

  it("is ignored if a server behind the page answers there", async () => {
    const workspace = createFakeWorkspace({
      files: {
        "package.json": '{"workspaces":["web","api"]}',
        "web/package.json": '{"devDependencies":{"vite":"8"}}',
        "web/index.html": "<div id=root></div>",
        "api/package.json": '{"dependencies":{"hono":"4"}}',
        "api/hash.ts": "export const hash = () => 1;",
        "api/app.ts": 'import { hash } from "./hash.ts"; app.get("/secret", () => hash());',
      },
    });
    const to = (path: string) => routesTo(workspace, path as ProjectPath, ["hash"], []);
    expect(await to("api/hash.ts")).toEqual([]);
    expect(await to("api/app.ts")).toEqual([]);
  });

  it("is derived from the file's name if the framework makes pages of files", async () => {
    const workspace = createFakeWorkspace({ files: { "app/team/page.tsx": "" } });
    const path = "app/team/page.tsx" as ProjectPath;
    expect(await routesTo(workspace, path, [], ["next"])).toEqual(["/team"]);
  });
});
