import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from "@tanstack/react-router";
import { sentence } from "./api/request.ts";
import { HomePage } from "./home/home-page.tsx";
import { Lost } from "./ui/lost.tsx";
import { Page } from "./page.tsx";

const root = createRootRoute({
  component: () => (
    <Page>
      <Outlet />
    </Page>
  ),
  notFoundComponent: () => (
    <Lost title="There is nothing at this address">
      The project may have been deleted, or the address is not whole.
    </Lost>
  ),
  errorComponent: ({ error }) => (
    <Lost title="This page stopped">
      {sentence(error)}. Your project is safe on the server; load the page again.
    </Lost>
  ),
});

const first = createRoute({ getParentRoute: () => root, path: "/", component: HomePage });

export const projectRoute = createRoute({
  getParentRoute: () => root,
  path: "/p/$project",
  component: lazyRouteComponent(() => import("./workbench/project-page.tsx"), "ProjectPage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/mcp/sign-in",
  component: lazyRouteComponent(() => import("./mcp/sign-in-page.tsx"), "SignInPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([first, projectRoute, signIn]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
