import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from "@tanstack/react-router";
import { projectKey, readProject } from "./api/projects.ts";
import { queryClient } from "./api/query-client.ts";
import { sentence } from "./api/request.ts";
import { HomePage } from "./home/home-page.tsx";
import { Lost } from "./ui/lost.tsx";
import { Page } from "./page.tsx";
import { sectionOf, type SettingsSection } from "./project/settings-place.ts";
import { withWords, words } from "./words/words.ts";

const root = createRootRoute({
  validateSearch: ({ settings }): { settings?: SettingsSection | undefined } => ({
    settings: sectionOf(settings),
  }),
  component: () => (
    <Page>
      <Outlet />
    </Page>
  ),
  notFoundComponent: () => <Lost title={words.page.nothingHere}>{words.page.maybeDeleted}</Lost>,
  errorComponent: ({ error }) => (
    <Lost title={words.page.stopped} reloads>
      {words.page.stoppedSafe(sentence(error))}
    </Lost>
  ),
});

const first = createRoute({ getParentRoute: () => root, path: "/", component: HomePage });

export const projectRoute = createRoute({
  getParentRoute: () => root,
  path: "/p/$project",
  validateSearch: ({ changes }): { changes?: string | undefined } => ({
    changes: typeof changes === "string" ? changes : undefined,
  }),
  // Begun while the page's code comes; whatever fails is asked for again by the page, which says so.
  loader({ params: { project }, cause }) {
    void queryClient.prefetchQuery({
      queryKey: projectKey(project),
      queryFn: ({ signal }) => readProject(project, signal),
    });
    if (cause === "enter")
      import("./live/follow-early.ts").then(
        ({ followEarly }) => followEarly(project),
        () => undefined,
      );
  },
  component: lazyRouteComponent(
    () => withWords(import("./workbench/project-page.tsx")),
    "ProjectPage",
  ),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare/$comparison",
  component: lazyRouteComponent(
    () => withWords(import("./compare/compare-page.tsx")),
    "ComparePage",
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/mcp/sign-in",
  component: lazyRouteComponent(() => withWords(import("./mcp/sign-in-page.tsx")), "SignInPage"),
});

const yours = createRoute({
  getParentRoute: () => root,
  path: "/yours/$share",
  component: lazyRouteComponent(
    () => withWords(import("./share/make-yours-page.tsx")),
    "MakeYoursPage",
  ),
});

const tab = createRoute({
  getParentRoute: () => root,
  path: "/tab/$project",
  component: lazyRouteComponent(() => withWords(import("./tab/tab-page.tsx")), "TabPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([first, projectRoute, compare, signIn, yours, tab]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
