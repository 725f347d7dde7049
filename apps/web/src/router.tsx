import { createRootRoute, createRoute, createRouter, Outlet } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { projectKey, readProject } from "./api/projects.ts";
import { prefetchMe } from "./api/account.ts";
import { queryClient } from "./api/query-client.ts";
import { sentence } from "./api/request.ts";
import { StartPage } from "./home/start-page.tsx";
import { lazyPart } from "./ui/lazy-part.tsx";
import { Lost } from "./ui/lost.tsx";
import { Page } from "./page.tsx";
import { sectionOf, type SettingsSection } from "./project/settings-place.ts";
import { withWords, words } from "./words/words.ts";

/**
 * A page that is loaded when opened. A failure is reported as for any part; the router's own handling would reload the
 * whole page, which fails while the server is away.
 */
function lazyPage(from: () => Promise<ComponentType>) {
  const { Part, load } = lazyPart<{ onClose?: () => void }>(async () => ({
    default: await withWords(from()),
  }));
  const Later = () => <Part onClose={() => void router.navigate({ to: "/" })} />;
  return Object.assign(Later, { preload: async () => void (await load()) });
}

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
      {words.page.stoppedSafe({ why: sentence(error).replace(/\.+$/, "") })}
    </Lost>
  ),
});

const first = createRoute({ getParentRoute: () => root, path: "/", component: StartPage });

export const projectRoute = createRoute({
  getParentRoute: () => root,
  path: "/p/$project",
  validateSearch: ({ changes }): { changes?: string | undefined } => ({
    changes: typeof changes === "string" ? changes : undefined,
  }),
  // Starts loading data while the page's code loads; failures are ignored, because the page requests the data again and
  // reports them.
  loader({ params: { project }, cause }) {
    void prefetchMe(queryClient);
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
  component: lazyPage(() =>
    import("./workbench/project-page.tsx").then(({ ProjectPage }) => ProjectPage),
  ),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare/$comparison",
  component: lazyPage(() =>
    import("./compare/compare-page.tsx").then(({ ComparePage }) => ComparePage),
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/mcp/sign-in",
  component: lazyPage(() => import("./mcp/sign-in-page.tsx").then(({ SignInPage }) => SignInPage)),
});

const yours = createRoute({
  getParentRoute: () => root,
  path: "/yours/$share",
  component: lazyPage(() =>
    import("./share/make-yours-page.tsx").then(({ MakeYoursPage }) => MakeYoursPage),
  ),
});

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyPage(() =>
    import("./account/account-page.tsx").then(({ AccountPage }) => AccountPage),
  ),
});

const spending = createRoute({
  getParentRoute: () => root,
  path: "/spending",
  component: lazyPage(() =>
    import("./spending/spending-page.tsx").then(({ SpendingPage }) => SpendingPage),
  ),
});

const people = createRoute({
  getParentRoute: () => root,
  path: "/people",
  component: lazyPage(() =>
    import("./people/people-page.tsx").then(({ PeoplePage }) => PeoplePage),
  ),
});

const device = createRoute({
  getParentRoute: () => root,
  path: "/device",
  component: lazyPage(() =>
    import("./account/device-page.tsx").then(({ DevicePage }) => DevicePage),
  ),
});

const provider = createRoute({
  getParentRoute: () => root,
  path: "/sign-in-provider",
  component: lazyPage(() =>
    import("./people/provider-page.tsx").then(({ ProviderPage }) => ProviderPage),
  ),
});

const limits = createRoute({
  getParentRoute: () => root,
  path: "/limits",
  component: lazyPage(() =>
    import("./limits/limits-page.tsx").then(({ LimitsPage }) => LimitsPage),
  ),
});

const reviews = createRoute({
  getParentRoute: () => root,
  path: "/reviews",
  component: lazyPage(() =>
    import("./reviews/reviews-page.tsx").then(({ ReviewsPage }) => ReviewsPage),
  ),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  component: lazyPage(() => import("./people/audit-page.tsx").then(({ AuditPage }) => AuditPage)),
});

const tab = createRoute({
  getParentRoute: () => root,
  path: "/tab/$project",
  component: lazyPage(() => import("./tab/tab-page.tsx").then(({ TabPage }) => TabPage)),
});

export const router = createRouter({
  routeTree: root.addChildren([
    first,
    projectRoute,
    compare,
    signIn,
    yours,
    account,
    spending,
    people,
    provider,
    device,
    limits,
    reviews,
    audit,
    tab,
  ]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
